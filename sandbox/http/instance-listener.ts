import type { IncomingMessage, ServerResponse } from 'node:http';
import { findApi } from '../apis/registry.ts';
import { setOrigin } from '../contract/api.ts';
import { OptionError } from '../options.ts';
import type { Timer } from '../runtime/timer.ts';
import { NoFreeSlot } from '../workspaces/memory-slots.ts';
import type { Placement } from '../workspaces/placement.ts';
import { callKinds, type Dispatching, pathOf } from './dispatch.ts';
import { Forwarder } from './forwarder.ts';
import { type Envelope, notHereHeader, takeEnvelope, takingTls } from './instances.ts';
import { type HttpServer, listen, type ServerParts } from './listen.ts';
import { Reachability } from './reachability.ts';
import { turnAway } from './refusals.ts';
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
  /** From now on calls are served, also those that wait already. */
  begin(): void;
  /** The addresses of live instances that this one cannot reach. */
  unreachable(): readonly string[];
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
  const beginning = Promise.withResolvers<void>();
  let [forwarder, reachability]: [Forwarder?, Reachability?] = [];
  const refusal: ServerParts['refusal'] = (path, failure) =>
    current?.refusal(path, failure) ?? { status: 421, body: '', headers: { [notHereHeader]: '1' } };
  const server = await listen(
    {
      handle: async (request, response) => {
        await beginning.promise;
        return current?.handle(request, response);
      },
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
      const { workspaces, home, warn, isReachedByOthers } = parts;
      const isLive = (address: string) => placement.isLive(address);
      reachability = new Reachability({ key, isLive, timer });
      forwarder = new Forwarder({ key, reachability, timer });
      const remote = new RemoteWorkspaces({ workspaces, placement, forwarder, home, serveIn, warn, isReachedByOthers });
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
      beginning.resolve();
    },
    unreachable: () => reachability?.unreachable ?? [],
    close() {
      reachability?.close();
      forwarder?.close();
    },
  };
}

interface InternalOptions extends Dispatching {
  readonly remote: RemoteWorkspaces;
}

/**
 * Serves the calls that other instances forward (OP-208). The instance that received a call decided its origin; whether this
 * machine is exempt from the token is decided here too. A call without an envelope is refused.
 */
function internalDispatcher(options: InternalOptions) {
  const { workspaces, remote, home: refusals, apis, boundary, queue, warn } = options;
  const apiOf = findApi(apis);
  const kindOf = callKinds(apis, workspaces);
  const serve = async ({ workspace: id, origin }: Envelope, request: IncomingMessage, response: ServerResponse) => {
    setOrigin(request, { ...origin, exempt: origin.exempt && boundary.exempt });
    try {
      if (!(await remote.serveForwarded(id, { request, response }))) notHere(response);
    } catch (error) {
      if (response.headersSent) throw error;
      if (!(error instanceof NoFreeSlot)) warn(`Forwarded call to workspace ${id} failed: ${(error as Error).message}`);
      turnAway(request, response, refusals);
    }
  };
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const envelope = takeEnvelope(request);
    if (envelope === undefined) {
      response.writeHead(400, { 'Content-Length': 0 }).end();
      return Promise.resolve();
    }
    const path = pathOf(request);
    return queue.serve({ request, response }, kindOf(request, path, envelope.workspace, apiOf(path)), {
      serve: () => serve(envelope, request, response),
      refuse: () => turnAway(request, response, refusals),
    });
  };
}

/** Nothing was done: the instance that forwarded the call looks up the owner again. */
function notHere(response: ServerResponse): void {
  response.writeHead(421, { [notHereHeader]: '1', 'Content-Length': 0 }).end();
}
