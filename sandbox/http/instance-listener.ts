import { OptionError } from '../options.ts';
import type { Timer } from '../runtime/timer.ts';
import type { Placement } from '../workspaces/placement.ts';
import { Forwarder } from './forwarder.ts';
import { notHereHeader, takingTls } from './instances.ts';
import { internalDispatcher } from './internal.ts';
import { type HttpServer, listen, type ServerParts } from './listen.ts';
import { RemoteWorkspaces } from './remote-workspaces.ts';

/** The address at which other instances reach this one to forward calls. */
export interface ShareAddress {
  /** 0 for any free one. */
  readonly port: number;
  /** Left out, this machine's loopback. */
  readonly host?: string;
}

/** The end of an instance that others see. */
export interface Internal {
  /** `host:port`, as others reach it. */
  readonly address: string;
  readonly server: HttpServer;
  /** What calls are to be served with, from `begin` on. */
  serve(parts: Parts): RemoteWorkspaces;
  /** From now on calls are served; those that came before were refused. */
  begin(): void;
  close(): void;
}

type Parts = Omit<Parameters<typeof internalDispatcher>[0], 'remote'> &
  Pick<ConstructorParameters<typeof RemoteWorkspaces>[0], 'serveIn'> & {
    readonly placement: Placement;
    readonly timer: Timer;
    readonly internal: ServerParts['internal'];
  };

/**
 * Listens for calls that other instances forward. Rejects with `OptionError` if the address is not usable, and with the
 * system's error if the port is in use.
 */
export async function listenForInstances(
  { host = '127.0.0.1', port }: ShareAddress,
  key: Uint8Array,
): Promise<Internal> {
  if (host === '0.0.0.0' || host === '::') {
    throw new OptionError(`--share must be an address that other instances can reach, not ${host}.`);
  }
  let [current, ready]: (ServerParts | undefined)[] = [];
  let forwarder: Forwarder | undefined;
  const refusal: ServerParts['refusal'] = (path, failure) =>
    current?.refusal(path, failure) ?? { status: 421, body: '', headers: { [notHereHeader]: '1' } };
  const server = await listen(
    {
      handle: (request, response) => current?.handle(request, response),
      internal: (path) => current?.internal(path) ?? false,
      newTrace: () => current?.newTrace() ?? '',
      refusal,
      refused: (status) => current?.refused?.(status),
    },
    host,
    port,
    takingTls(key),
  );
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    server,
    serve({ placement, serveIn, timer, internal, ...parts }) {
      const { workspaces, home, warn } = parts;
      const isLive = (address: string) => placement.isLive(address);
      forwarder = new Forwarder({ key, isLive, timer });
      const remote = new RemoteWorkspaces({ workspaces, placement, forwarder, home, serveIn, warn });
      ready = {
        handle: internalDispatcher({ ...parts, remote }),
        internal,
        newTrace: home.newTrace,
        refusal: home.refusal,
        refused: home.refused,
      };
      return remote;
    },
    begin() {
      current = ready;
    },
    close: () => forwarder?.close(),
  };
}
