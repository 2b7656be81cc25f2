/** The sandbox that the journeys of a certification go through: of this process, in memory, on a frozen clock. */
import { isIP } from 'node:net';
import type { StartPlatform } from './conformance/certification/platform.ts';
import { systemResolve } from './runtime/connecting.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';

/** How long its end waits for calls to the server, in real milliseconds: a run that is interrupted is to end soon. */
const stopMilliseconds = 1_000;

/**
 * Starts a sandbox on a free port of loopback that calls the addresses of the server to be certified and, beside public
 * ones, no others.
 */
export function journeyPlatform(options: Pick<SandboxOptions, 'resolve' | 'onViolation' | 'warn'> = {}): StartPlatform {
  const { resolve = systemResolve } = options;
  return async ({ clientUrl, projectCode, timeoutMs }) => {
    const host = new URL(clientUrl).hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
    const sandbox = await startSandbox({
      ...options,
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
