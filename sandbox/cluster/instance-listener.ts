import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ArrivingCall } from '../contract/api.ts';
import { OptionError } from '../options.ts';
import type { Boundary } from '../runtime/caller.ts';
import type { Timer } from '../runtime/timer.ts';
import { NoFreeSlot } from '../workspaces/memory-slots.ts';
import type { Placement } from '../workspaces/placement.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { Forwarder } from './forwarder.ts';
import { type InstanceTls, notHereHeader, takeEnvelope, takingTls } from './instances.ts';
import { Reachability } from './reachability.ts';
import { type Entrance, RemoteWorkspaces } from './remote-workspaces.ts';

/** The address at which other instances reach this one to forward calls. */
export interface ShareAddress {
  /** 0 for any free one. */
  readonly port: number;
  /** Left out, this machine's loopback. */
  readonly host?: string;
}

/** What an HTTP server serves to other instances. */
interface ServedToInstances extends Pick<Workspace, 'newTrace' | 'refusal' | 'refused'> {
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
type Listen = (served: ServedToInstances, host: string, port: number, tls: InstanceTls) => Promise<InstanceServer>;

/** The end of an instance that others see. */
export interface Internal {
  /** `host:port`, as others reach it. */
  readonly address: string;
  readonly server: InstanceServer;
  /** What calls are to be served with, from `begin` on. */
  serve(parts: Parts): RemoteWorkspaces;
  /** From now on calls are served, also those that wait already. */
  begin(): void;
  /** The addresses of live instances that this one cannot reach. */
  unreachable(): readonly string[];
  close(): void;
}

/** The calls that other instances forward. */
export interface ForwardedCalls {
  /**
   * The workspace of a call. The instance that received the call decided its origin; whether this machine is exempt from the
   * token is decided here too. Undefined, after a refusal, for a call that no instance has forwarded.
   */
  readonly take: (call: ArrivingCall) => string | undefined;
  /** Lets a call into its workspace. Undefined, after a reply, where it cannot. */
  readonly enter: (workspace: string, call: ArrivingCall) => Promise<Workspace | undefined>;
}

interface Parts extends Entrance, Pick<ServedToInstances, 'internal'> {
  readonly workspaces: Workspaces;
  readonly home: Workspace;
  readonly boundary: Boundary;
  readonly isReachedByOthers?: boolean | undefined;
  readonly warn: (message: string) => void;
  readonly placement: Placement;
  readonly timer: Timer;
  /** How forwarded calls are served. */
  readonly handlerOf: (forwarded: ForwardedCalls) => ServedToInstances['handle'];
}

/**
 * Listens for calls that other instances forward. Rejects with `OptionError` if the address is not usable, and with the
 * system's error if the port is in use.
 */
export async function listenForInstances(
  { host = '127.0.0.1', port }: ShareAddress,
  key: Uint8Array,
  listen: Listen,
): Promise<Internal> {
  if (host === '0.0.0.0' || host === '::') {
    throw new OptionError(`--share must be an address that other instances can reach, not ${host}.`);
  }
  let [current, ready]: (ServedToInstances | undefined)[] = [];
  const beginning = Promise.withResolvers<void>();
  let [forwarder, reachability]: [Forwarder?, Reachability?] = [];
  const refusal: ServedToInstances['refusal'] = (path, failure) =>
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
    serve(parts) {
      const { placement, timer, home, internal } = parts;
      const isLive = (address: string) => placement.isLive(address);
      reachability = new Reachability({ key, isLive, timer });
      forwarder = new Forwarder({ key, reachability, timer });
      const remote = new RemoteWorkspaces({ ...parts, forwarder });
      ready = {
        handle: parts.handlerOf(forwardedCalls(parts, remote)),
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

/** Takes the calls that other instances forward (OP-208). A call without an envelope is refused. */
function forwardedCalls({ boundary, refuse, warn }: Parts, remote: RemoteWorkspaces): ForwardedCalls {
  return {
    take({ req, res, state }) {
      const envelope = takeEnvelope(req);
      if (envelope === undefined) {
        res.writeHead(400, { 'Content-Length': 0 }).end();
        return undefined;
      }
      const { workspace, origin } = envelope;
      state.origin = { ...origin, exempt: origin.exempt && boundary.exempt };
      return workspace;
    },
    async enter(id, call) {
      try {
        const entered = await remote.enterForwarded(id, call);
        if (entered === undefined) notHere(call.res);
        return entered?.workspace;
      } catch (error) {
        const why = (error as Error).message;
        if (!(error instanceof NoFreeSlot)) warn(`Forwarded call to workspace ${id} failed: ${why}`);
        return refuse(call);
      }
    },
  };
}

/** Nothing was done: the instance that forwarded the call looks up the owner again. */
function notHere(response: ServerResponse): void {
  response.writeHead(421, { [notHereHeader]: '1', 'Content-Length': 0 }).end();
}
