/** The sandbox that the journeys of a certification go through: of this process, in memory, on a frozen clock. */
import { isIP } from 'node:net';
import type { StartPlatform } from '../certification/run-connections.ts';
import { type Resolve, systemResolve } from '../http-client/connecting.ts';

/** How long its end waits for calls to the server, in real milliseconds: a run that is interrupted is to end soon. */
const stopMilliseconds = 1_000;

/** What it is started with. */
export interface JourneyOptions {
  readonly port: 0;
  readonly clock: 'frozen';
  readonly projectCode: string;
  readonly allowedAddresses: readonly string[];
  readonly outgoing: { readonly totalTimeout: number };
  readonly stopMilliseconds: number;
}

/** Starts a sandbox. */
type Start = (options: JourneyOptions) => Promise<{
  readonly origin: string;
  readonly workspace: { readonly admin_token: string };
  close(): Promise<void>;
}>;

/**
 * Starts a sandbox on a free port of loopback that calls the addresses of the server to be certified and, except for public
 * ones, no others.
 */
export function platformBy(start: Start, resolve: Resolve = systemResolve): StartPlatform {
  return async ({ clientUrl, projectCode, timeoutMs }) => {
    const host = new URL(clientUrl).hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
    const sandbox = await start({
      port: 0,
      clock: 'frozen',
      projectCode,
      allowedAddresses: found.map((address) => `${address}/${isIP(address) === 6 ? 128 : 32}`),
      outgoing: { totalTimeout: timeoutMs },
      stopMilliseconds,
    });
    return { origin: sandbox.origin, adminToken: sandbox.workspace.admin_token, close: () => sandbox.close() };
  };
}
