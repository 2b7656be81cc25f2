import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ArrivingCall } from '../contract/api.ts';
import { OptionError } from '../options.ts';
import type { Boundary } from '../runtime/caller.ts';
import type { Cluster, ClusterHost } from '../workspaces/cluster.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { Forwarder } from './forwarder.ts';
import { type InstanceTls, notHereHeader, takeEnvelope, takingTls } from './instances.ts';
import { NoFreeSlot } from './memory-slots.ts';
import { Reachability } from './reachability.ts';
import { type Entrance, RemoteWorkspaces } from './remote-workspaces.ts';
import { SharedWorkspaces, type SharedWorkspacesOptions } from './shared-workspaces.ts';

/** The address at which other instances reach this one to forward calls. */
export interface ShareAddress {
  /** The port; 0 for any free one. */
  readonly port: number;
  /** The host, by default this machine's loopback address. */
  readonly host?: string;
}

/** The functions that an HTTP server for other instances uses. */
interface ServedToInstances extends Pick<Workspace, 'newTrace' | 'refusal' | 'refused'> {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Returns whether a path is served while the server drains. */
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

interface MemberOptions extends SharedWorkspacesOptions {
  readonly listener: Awaited<ReturnType<typeof listenForInstances>>;
  /** The key that all instances share. */
  readonly key: Uint8Array;
}

/** The handlers for calls that other instances forward. */
export interface ForwardedCalls {
  /**
   * Returns the workspace of a call, and sets the origin that the receiving instance determined. The origin is exempt
   * from the token only if this instance also exempts its own machine. Returns undefined, after a refusal, for a call
   * that no instance forwarded.
   */
  readonly take: (call: ArrivingCall) => string | undefined;
  /** Admits a call to its workspace. Returns undefined, after a reply, if that is not possible. */
  readonly enter: (workspace: string, call: ArrivingCall) => Promise<Workspace | undefined>;
}

/** The functions with which this process serves calls that it receives, or that other instances forward. */
interface Serving extends Entrance, Pick<ServedToInstances, 'internal'> {
  readonly home: Workspace;
  readonly boundary: Boundary;
  readonly isReachedByOthers?: boolean | undefined;
  readonly warn: (message: string) => void;
  /** Returns the request handler for forwarded calls. */
  readonly handlerOf: (forwarded: ForwardedCalls) => ServedToInstances['handle'];
}

/** This process as one of the instances that share workspaces. */
export class ClusterMember implements Cluster {
  readonly #options: MemberOptions;
  readonly #reachability: Reachability;
  readonly #forwarder: Forwarder;
  #workspaces: SharedWorkspaces | undefined;
  #served: ServedToInstances | undefined;

  constructor(options: MemberOptions) {
    const { key, placement, timer } = options;
    this.#options = options;
    this.#reachability = new Reachability({ key, timer, isLive: (address) => placement.isLive(address) });
    this.#forwarder = new Forwarder({ key, timer, reachability: this.#reachability });
  }

  get records() {
    return this.#options.placement;
  }

  join(host: ClusterHost): SharedWorkspaces {
    this.#workspaces = new SharedWorkspaces(this.#options, host);
    return this.#workspaces;
  }

  /** Returns the handler of calls to workspaces that this process does not own. Call this method after `join`. */
  serve(serving: Serving): RemoteWorkspaces {
    const { home, internal } = serving;
    if (this.#workspaces === undefined) throw new Error('the workspaces of this process have not joined the cluster');
    const [workspaces, forwarder] = [this.#workspaces, this.#forwarder];
    const remote = new RemoteWorkspaces({ ...serving, workspaces, forwarder, placement: this.records });
    const { newTrace, refusal, refused } = home;
    const handle = serving.handlerOf(forwardedCalls(serving, remote));
    this.#served = { handle, internal, newTrace, refusal, refused };
    return remote;
  }

  /** Starts to serve forwarded calls, including those that are already waiting. */
  begin(): void {
    this.#options.listener.begin(this.#served);
  }

  /** Returns the addresses of live instances that this one cannot reach. */
  unreachable(): readonly string[] {
    return this.#reachability.unreachable;
  }

  /** Refuses new calls from other instances, and waits for those in progress until `over` is aborted. */
  drain(over: AbortSignal): Promise<void> {
    return this.#options.listener.server.drain(over);
  }

  /** Closes the connections to and from other instances. */
  async close(): Promise<void> {
    await this.#options.listener.server.close();
    this.#reachability.close();
    this.#forwarder.close();
  }
}

/** Creates the handlers for calls that other instances forward (OP-208). They refuse a call without an envelope. */
function forwardedCalls({ boundary, refuse, warn }: Serving, remote: RemoteWorkspaces): ForwardedCalls {
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
        // Nothing was done, so the instance that forwarded the call looks up the owner again.
        if (entered === undefined) call.res.writeHead(421, { [notHereHeader]: '1', 'Content-Length': 0 }).end();
        return entered?.workspace;
      } catch (error) {
        const why = (error as Error).message;
        if (!(error instanceof NoFreeSlot)) warn(`Forwarded call to workspace ${id} failed: ${why}`);
        return refuse(call);
      }
    },
  };
}

/**
 * Listens for calls that other instances forward. Rejects with `OptionError` if the address is not usable, and with the
 * system's error if the port is in use.
 */
export async function listenForInstances({ host = '127.0.0.1', port }: ShareAddress, key: Uint8Array, listen: Listen) {
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
    /** The `host:port` at which other instances reach this one. */
    address: `${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    server,
    /** Starts to serve calls, including those that are already waiting. */
    begin(served: ServedToInstances | undefined) {
      current = served;
      beginning.resolve();
    },
  };
}
