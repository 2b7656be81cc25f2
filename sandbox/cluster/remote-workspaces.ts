import type { ArrivingCall } from '../contract/api.ts';
import { bodyOf } from '../contract/body.ts';
import { digest, isSignedBy } from '../runtime/tokens.ts';
import { OwnedElsewhere } from '../store/store.ts';
import { namedBy } from '../workspaces/credentials.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { WorkspaceGone } from '../workspaces/workspace-handle.ts';
import type { Forwarder } from './forwarder.ts';
import { NoFreeSlot } from './memory-slots.ts';
import type { Placement } from './placement.ts';
import type { SharedWorkspaces } from './shared-workspaces.ts';

/** How often the owner of a workspace is looked up for one call. */
const mostTries = 4;
/** Most ids and secrets whose workspace is cached, to count a call for its share of the slots. */
const mostRecognised = 10_000;
const nowhere = 'no instance can currently serve the workspace';

/** How calls enter the workspaces of this process. */
export interface Entrance {
  /** Lets a call into a workspace that is in memory; undefined if it was refused there. */
  readonly enter: (workspace: Workspace, call: ArrivingCall) => Workspace | undefined;
  /** Lets in a call that belongs to no workspace. */
  readonly enterAsNobody: (call: ArrivingCall) => Workspace | undefined;
  /** Refuses a call that cannot be served now, by default because the server is overloaded. */
  readonly refuse: (call: ArrivingCall, why?: string) => undefined;
}

interface RemoteOptions extends Entrance {
  readonly workspaces: Pick<SharedWorkspaces, 'get' | 'adopt'>;
  readonly placement: Placement;
  readonly forwarder: Forwarder;
  /** Takes calls that no workspace accepts. */
  readonly home: Workspace;
  /** Whether calls whose credential leads to no workspace are kept from the demo workspace. */
  readonly isReachedByOthers?: boolean | undefined;
  readonly warn: (message: string) => void;
}

/** A workspace by its id, by the digest of a secret, or by that of the key in an address. */
export type WorkspaceRef =
  | { readonly id: string; readonly token?: string }
  | { readonly digest: string }
  | { readonly key: string };

/** A call that entered a workspace of this process; undefined if it was refused there. */
interface Entered {
  readonly workspace: Workspace | undefined;
}

/** Which workspace a call led to; `nobody` if its address belongs to none, `nowhere` if no instance could serve it. */
type Found = (Partial<Entered> & { readonly by: string }) | 'nobody' | 'nowhere';

function keyOf(to: WorkspaceRef): string {
  if ('id' in to) return to.token === undefined ? to.id : digest(to.token);
  return 'key' in to ? to.key : to.digest;
}

/** Serves calls to workspaces that this process does not have: forwards them, or adopts the workspace (OP-207). */
export class RemoteWorkspaces {
  readonly #options: RemoteOptions;
  #lastWarning = '';
  /** The workspaces that ids and secrets led to. Only shares depend on it, so a deleted workspace may stay in it. */
  readonly #recognised = new Map<string, string>();

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** The workspace of a call with this credential, if the credential itself shows it. */
  refOf(credential: string | undefined): WorkspaceRef {
    if (credential === undefined) return { id: 'demo' };
    const id = namedBy(credential);
    return id === undefined ? { digest: digest(credential) } : { id, token: credential };
  }

  /**
   * The share of the slots that a call counts for (OP-83). Undefined until a credential has led to a workspace once, so that
   * made-up credentials do not get a caller more slots.
   */
  shareOf(to: WorkspaceRef): string | undefined {
    const key = keyOf(to);
    return key === 'demo' ? key : this.#recognised.get(key);
  }

  /**
   * Finds the workspace of a call on any instance: lets the call in if the workspace is here, else forwards it, and resolves
   * with undefined once it is answered. Refuses it with 503 if the owner cannot be determined or reached. A call that may have
   * been carried out is not forwarded again.
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
        // An instance that another one forwarded to does not say whether the signature of a token was right.
        const isSigned = 'workspace' in found ? found.workspace?.id === id : res.statusCode < 400;
        if (isTheirs && (!('token' in to) || isSigned)) this.#recognise(keyOf(to), id);
        return found.workspace;
      }
    } catch (error) {
      if (!(error instanceof NoFreeSlot)) this.#warnOnce((error as Error).message);
    }
    return res.headersSent ? undefined : refuse(call, nowhere);
  }

  /**
   * Undefined if the key of a URL belongs to no workspace. The demo workspace refuses other unknown credentials, unless other
   * machines can reach the sandbox.
   */
  async #idOf(to: WorkspaceRef): Promise<string | undefined> {
    if ('id' in to) return to.id;
    const { placement } = this.#options;
    if ('key' in to) return placement.findByDigest(to.key);
    return (await placement.findByDigest(to.digest)) ?? (this.#options.isReachedByOthers ? undefined : 'demo');
  }

  /** Says why calls cannot be served, once for all of them in a row. */
  #warnOnce(why: string): void {
    if (why === this.#lastWarning) return;
    this.#lastWarning = why;
    this.#options.warn(`Refusing calls that may belong to another instance: ${why}`);
  }

  #recognise(key: string, id: string): void {
    this.#recognised.set(key, id);
    const [oldest = ''] = this.#recognised.keys();
    if (this.#recognised.size > mostRecognised) this.#recognised.delete(oldest);
  }

  /** Whether a call belongs to nobody where it names a workspace that does not exist. */
  #isStrict({ state: { origin } }: ArrivingCall): boolean {
    return this.#options.isReachedByOthers === true || origin.addressKey !== undefined;
  }

  /** Resolves with the workspace that the call led to. */
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
        // URL or token name a workspace that does not exist.
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

  /** The other instance that owns a workspace; undefined if this one does, or none. */
  async #otherOwnerOf(id: string): Promise<string | undefined> {
    const { placement, workspaces } = this.#options;
    if (workspaces.get(id) !== undefined) return undefined;
    const owner = await placement.ownerOf(id);
    return owner === placement.address ? undefined : owner;
  }

  /** Lets a call in here, and adopts the workspace if no instance owns it. Returns `elsewhere` if another one was faster. */
  async #enterHere(id: string, call: ArrivingCall): Promise<Entered | 'unknown' | 'elsewhere'> {
    const { placement, workspaces, home, enter, enterAsNobody, isReachedByOthers } = this.#options;
    const here = workspaces.get(id) ?? (await placement.find(id));
    if (here === undefined) return 'unknown';
    try {
      const handle = 'use' in here ? here : await workspaces.adopt(here);
      const workspace = await handle.use(async (theirs) => {
        const { token } = call.state.origin;
        if (token === undefined || isSignedBy(theirs.tokenKeys, token)) return enter(theirs, call);
        return isReachedByOthers ? enterAsNobody(call) : enter(home, call);
      });
      return { workspace };
    } catch (error) {
      if (error instanceof OwnedElsewhere || error instanceof WorkspaceGone) return 'elsewhere';
      throw error;
    }
  }

  /** Lets in a call that another instance forwarded; undefined if the workspace is not here. It is never forwarded again. */
  async enterForwarded(id: string, call: ArrivingCall): Promise<Entered | undefined> {
    for (let tries = 0; tries < 2; tries += 1) {
      const how = await this.#enterHere(id, call);
      if (typeof how === 'object') return how;
    }
    return undefined;
  }
}
