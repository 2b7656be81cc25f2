import type { IncomingMessage, ServerResponse } from 'node:http';
import { OptionError } from '../options.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { type InstanceTls, notHereHeader, takingTls } from './instances.ts';

/** The address at which other instances reach this one to forward calls. */
export interface ShareAddress {
  /** 0 for any free one. */
  readonly port: number;
  /** Left out, this machine's loopback. */
  readonly host?: string;
}

/** What an HTTP server serves to other instances. */
export interface ServedToInstances extends Pick<Workspace, 'newTrace' | 'refusal' | 'refused'> {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Paths that are served while the server drains. */
  readonly internal: (path: string) => boolean;
}

/** An HTTP server for other instances. */
interface InstanceServer {
  readonly port: number;
  /** Refuses new calls, and waits for those in progress until `over` is aborted. */
  drain(over: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Starts an HTTP server. Rejects with the system's error if the port is in use. */
export type Listen = (
  served: ServedToInstances,
  host: string,
  port: number,
  tls: InstanceTls,
) => Promise<InstanceServer>;

/** The end of an instance that others see. */
export interface InstanceListener {
  /** `host:port`, as others reach it. */
  readonly address: string;
  readonly server: InstanceServer;
  /** From now on calls are served, also those that wait already. */
  begin(served: ServedToInstances | undefined): void;
}

/**
 * Listens for calls that other instances forward. Rejects with `OptionError` if the address is not usable, and with the
 * system's error if the port is in use.
 */
export async function listenForInstances(
  { host = '127.0.0.1', port }: ShareAddress,
  key: Uint8Array,
  listen: Listen,
): Promise<InstanceListener> {
  if (host === '0.0.0.0' || host === '::') {
    throw new OptionError(`--share must be an address that other instances can reach, not ${host}.`);
  }
  let current: ServedToInstances | undefined;
  const beginning = Promise.withResolvers<void>();
  const notHere = { status: 421, body: '', headers: { [notHereHeader]: '1' } };
  const server = await listen(
    {
      handle: async (request, response) => {
        await beginning.promise;
        return current?.handle(request, response);
      },
      internal: (path) => current?.internal(path) ?? false,
      newTrace: () => current?.newTrace() ?? '',
      refusal: (path, failure) => current?.refusal(path, failure) ?? notHere,
      refused: (status) => current?.refused?.(status),
    },
    host,
    port,
    takingTls(key),
  );
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    server,
    begin(served) {
      current = served;
      beginning.resolve();
    },
  };
}
