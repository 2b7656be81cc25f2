import type { ArrivingCall } from '../contract/api.ts';
import { bodyOf } from '../contract/body.ts';
import { addBounded } from '../runtime/caches.ts';
import { digest, isSignedBy } from '../runtime/tokens.ts';
import { OwnedElsewhere } from '../store/store.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { WorkspaceGone } from '../workspaces/workspace-handle.ts';
import { namedBy } from '../workspaces/workspace-index.ts';
import type { Forwarder } from './forwarder.ts';
import { NoFreeSlot } from './memory-slots.ts';
import type { Placement } from './placement.ts';
import type { SharedWorkspaces } from './shared-workspaces.ts';

/** Maximum number of owner lookups for one call. */
const mostTries = 4;
/** Maximum number of ids and secrets whose workspace is cached. The cache determines a call's share of the slots. */
const mostRecognised = 10_000;
const nowhere = 'no instance can currently serve the workspace';

/** The functions through which calls enter the workspaces of this process. */
export interface Entrance {
  /** Admits a call to a workspace that is in memory. Returns undefined if the workspace refused the call. */
  readonly enter: (workspace: Workspace, call: ArrivingCall) => Workspace | undefined;
  /** Admits a call that belongs to no workspace. */
  readonly enterAsNobody: (call: ArrivingCall) => Workspace | undefined;
  /** Refuses a call that cannot be served now. The default reason is that the server is overloaded. */
  readonly refuse: (call: ArrivingCall, why?: string) => undefined;
}

interface RemoteOptions extends Entrance {
  readonly workspaces: Pick<SharedWorkspaces, 'get' | 'adopt'>;
  readonly placement: Placement;
  readonly forwarder: Forwarder;
  /** The workspace that receives calls that no other workspace accepts. */
  readonly home: Workspace;
  /** Whether to keep calls with an unknown credential out of the demo workspace. */
  readonly isReachedByOthers?: boolean | undefined;
  readonly warn: (message: string) => void;
}

/** A reference to a workspace: its id, the digest of a secret, or the digest of the key in a URL. */
export type WorkspaceRef =
  | { readonly id: string; readonly token?: string }
  | { readonly digest: string }
  | { readonly key: string };

/** The workspace of this process that a call entered; undefined if it refused the call. */
interface Entered {
  readonly workspace: Workspace | undefined;
}

/** The workspace that a call resolved to. `nobody`: the call belongs to no workspace. `nowhere`: no instance could serve the call. */
type Found = (Partial<Entered> & { readonly by: string }) | 'nobody' | 'nowhere';

function keyOf(to: WorkspaceRef): string {
  if ('id' in to) return to.token === undefined ? to.id : digest(to.token);
  return 'key' in to ? to.key : to.digest;
}

/** Serves calls to workspaces that this process does not own: it forwards them, or adopts the workspace (OP-207). */
export class RemoteWorkspaces {
  readonly #options: RemoteOptions;
  #lastWarning = '';
  /** Maps ids and secrets to the workspaces they resolved to. Only shares depend on this map, so it may contain a deleted workspace. */
  readonly #recognised = new Map<string, string>();

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /**
   * Returns a reference to the workspace of a credential: by id if the credential contains one, and by digest if not.
   * Without a credential, refers to the demo workspace.
   */
  refOf(credential: string | undefined): WorkspaceRef {
    if (credential === undefined) return { id: 'demo' };
    const id = namedBy(credential);
    return id === undefined ? { digest: digest(credential) } : { id, token: credential };
  }

  /**
   * Returns the share of the slots that a call counts towards (OP-83). Returns undefined until a credential has
   * resolved to a workspace once, so that made-up credentials do not give a caller more slots.
   */
  shareOf(to: WorkspaceRef): string | undefined {
    const key = keyOf(to);
    return key === 'demo' ? key : this.#recognised.get(key);
  }

  /**
   * Finds the workspace of a call on any instance. If the workspace is here, admits the call. If not, forwards the
   * call, and resolves with undefined when it is answered. Refuses the call with 503 if the owner cannot be determined
   * or reached. A call that may have been executed is not forwarded again.
   */
  async enter(to: WorkspaceRef, call: ArrivingCall): Promise<Workspace | undefined> {
    const { enterAsNobody, refuse } = this.#options;
    const { req, res, state } = call;
    const body = await bodyOf(req).received();
    // A caller that disconnected waits for no reply, and its body may be incomplete.
    if (res.closed || body.isBrokenOff) return undefined;
    if ('token' in to) state.origin = { ...state.origin, token: to.token };
    try {
      const id = await this.#idOf(to);
      const found = id === undefined ? 'nobody' : await this.#find(id, call, body.bytes);
      if (found !== 'nowhere') {
        this.#lastWarning = '';
        if (found === 'nobody') return enterAsNobody(call);
        const isTheirs = found.by === id && (id !== 'demo' || 'id' in to);
        // A remote instance does not report whether a token's signature was valid, so rely on the status.
        const isSigned = 'workspace' in found ? found.workspace?.id === id : res.statusCode < 400;
        if (isTheirs && (!('token' in to) || isSigned)) addBounded(this.#recognised, keyOf(to), id, mostRecognised);
        return found.workspace;
      }
    } catch (error) {
      if (!(error instanceof NoFreeSlot)) this.#warnOnce((error as Error).message);
    }
    return res.headersSent ? undefined : refuse(call, nowhere);
  }

  /**
   * Returns undefined if the key of a URL belongs to no workspace. Other unknown credentials resolve to the demo
   * workspace, which refuses them. If other machines can reach the sandbox, these credentials also resolve to no
   * workspace.
   */
  async #idOf(to: WorkspaceRef): Promise<string | undefined> {
    if ('id' in to) return to.id;
    const { placement } = this.#options;
    if ('key' in to) return placement.findByDigest(to.key);
    return (await placement.findByDigest(to.digest)) ?? (this.#options.isReachedByOthers ? undefined : 'demo');
  }

  /** Warns that calls cannot be served, once for consecutive calls with the same reason. */
  #warnOnce(why: string): void {
    if (why === this.#lastWarning) return;
    this.#lastWarning = why;
    this.#options.warn(`Refusing calls that may belong to another instance: ${why}`);
  }

  /** Returns whether a call to a nonexistent workspace belongs to nobody, instead of to the demo workspace. */
  #isStrict({ state: { origin } }: ArrivingCall): boolean {
    return this.#options.isReachedByOthers === true || origin.addressKey !== undefined;
  }

  /** Finds the workspace of a call, and admits the call or forwards it. */
  async #find(first: string, call: ArrivingCall, body: Buffer): Promise<Found> {
    const { placement, forwarder } = this.#options;
    const { req: request, res: response, state } = call;
    const isStrict = this.#isStrict(call);
    if (isStrict && placement.wasUnknown(first)) return 'nobody';
    let id = placement.wasUnknown(first) ? 'demo' : first;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const owner = await this.#otherOwnerOf(id);
      if (owner === undefined) {
        const how = await this.#enterHere(id, call);
        if (typeof how === 'object') return { ...how, by: id };
        // The URL or the token names a workspace that does not exist.
        if (how === 'unknown' && isStrict) return 'nobody';
        if (how === 'unknown') id = 'demo';
        else placement.forget(id);
        continue;
      }
      const envelope = { workspace: id, origin: state.origin };
      const how = await forwarder.forward(owner, envelope, { request, response, body }, () => state.slot?.end());
      if (how !== 'not here') return how === 'answered' ? { by: id } : 'nowhere';
      placement.forget(id);
    }
    return 'nowhere';
  }

  /** Returns the address of another instance that owns a workspace, or undefined if this one owns it or none does. */
  async #otherOwnerOf(id: string): Promise<string | undefined> {
    const { placement, workspaces } = this.#options;
    if (workspaces.get(id) !== undefined) return undefined;
    const owner = await placement.ownerOf(id);
    return owner === placement.address ? undefined : owner;
  }

  /**
   * Admits a call here, and adopts the workspace if no instance owns it. Returns `unknown` if there is no such
   * workspace, and `elsewhere` if another instance was faster.
   */
  async #enterHere(id: string, call: ArrivingCall): Promise<Entered | 'unknown' | 'elsewhere'> {
    const { placement, workspaces, home, enter, enterAsNobody, isReachedByOthers } = this.#options;
    const here = workspaces.get(id) ?? (await placement.find(id));
    if (here === undefined) return 'unknown';
    try {
      const handle = 'use' in here ? here : await workspaces.adopt(here);
      const workspace = await handle.use(async (theirs) => {
        const { token } = call.state.origin;
        if (token === undefined || isSignedBy(theirs.identity().tokenKeys, token)) return enter(theirs, call);
        return isReachedByOthers ? enterAsNobody(call) : enter(home, call);
      });
      return { workspace };
    } catch (error) {
      if (error instanceof OwnedElsewhere || error instanceof WorkspaceGone) return 'elsewhere';
      throw error;
    }
  }

  /** Admits a call that another instance forwarded. Returns undefined if the workspace is not here. The call is never forwarded again. */
  async enterForwarded(id: string, call: ArrivingCall): Promise<Entered | undefined> {
    for (let tries = 0; tries < 2; tries += 1) {
      const how = await this.#enterHere(id, call);
      if (typeof how === 'object') return how;
    }
    return undefined;
  }
}
