import type { IncomingMessage, ServerResponse } from 'node:http';
import { originOf, setOrigin } from '../contract/api.ts';
import { bodyOf } from '../contract/body.ts';
import type { Exchange } from '../runtime/incoming-connections.ts';
import { digest, isSignedBy } from '../runtime/tokens.ts';
import { OwnedElsewhere } from '../store/store.ts';
import { namedBy } from '../workspaces/credentials.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { Gone } from '../workspaces/workspace-handle.ts';
import type { Forwarder } from './forwarder.ts';
import { NoFreeSlot } from './memory-slots.ts';
import type { Placement } from './placement.ts';
import type { SharedWorkspaces } from './shared-workspaces.ts';

/** How often the owner of a workspace is looked up for one call. */
const mostTries = 4;
/** Most ids and secrets whose workspace is cached, to count a call for its share of the slots. */
const mostRecognised = 10_000;
const nowhere = 'no instance can currently serve the workspace';

/** How the HTTP server of this process serves calls. */
export interface LocalServing {
  /** Serves a call in a workspace that is in memory. */
  readonly serveIn: (workspace: Workspace, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Serves a call that belongs to no workspace. */
  readonly serveNobodys: (call: Exchange) => Promise<void>;
  /** Refuses a call that cannot be served now, by default because the server is overloaded. */
  readonly refuse: (call: Exchange, why?: string) => void;
}

interface RemoteOptions extends LocalServing {
  readonly workspaces: Pick<SharedWorkspaces, 'get' | 'adopt'>;
  readonly placement: Placement;
  readonly forwarder: Forwarder;
  /** Serves calls that no workspace accepts. */
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

/** Which workspace served a call; `nobody` if its address belongs to none, `nowhere` if no instance could serve it. */
type Served = { readonly by: string } | 'nobody' | 'nowhere';

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

  /** The workspace of a call with this credential, as far as the credential itself shows it. */
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
   * Serves a call to a workspace on any instance: 503 if its owner cannot be determined or reached. A call that may have
   * been carried out is not forwarded again.
   *
   * @param sent called once another instance has the whole call, and counts it
   */
  async serve(to: WorkspaceRef, call: Exchange, sent: () => void): Promise<void> {
    const { serveNobodys, refuse } = this.#options;
    const { request, response } = call;
    const body = await bodyOf(request).received();
    // A caller that disconnected waits for no reply, and its body may be incomplete.
    if (response.closed || body.isBrokenOff) return;
    if ('token' in to) setOrigin(request, { ...originOf(request), token: to.token });
    try {
      const id = await this.#idOf(to);
      const served =
        id === undefined ? 'nobody' : await this.#served(id, { request, response, body: body.bytes }, sent);
      if (served !== 'nowhere') {
        this.#lastWarning = '';
        if (served === 'nobody') return await serveNobodys(call);
        const isTheirs = served.by === id && (id !== 'demo' || 'id' in to);
        // An instance that another one forwarded to does not say whether the signature of a token was right.
        if (isTheirs && (!('token' in to) || response.statusCode < 400)) this.#recognise(keyOf(to), id);
        return;
      }
    } catch (error) {
      if (!(error instanceof NoFreeSlot)) this.#warnOnce((error as Error).message);
    }
    if (!response.headersSent) refuse(call, nowhere);
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
  #isStrict(request: IncomingMessage): boolean {
    return this.#options.isReachedByOthers === true || originOf(request).addressKey !== undefined;
  }

  /** Resolves with the workspace that served the call. */
  async #served(first: string, call: Exchange & { readonly body: Buffer }, sent: () => void): Promise<Served> {
    const { placement, forwarder } = this.#options;
    const isStrict = this.#isStrict(call.request);
    if (isStrict && placement.wasUnknown(first)) return 'nobody';
    let id = placement.wasUnknown(first) ? 'demo' : first;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const owner = await this.#otherOwnerOf(id);
      if (owner === undefined) {
        const how = await this.#servedHere(id, call);
        if (how === 'served') return { by: id };
        // URL or token name a workspace that does not exist.
        if (how === 'unknown' && isStrict) return 'nobody';
        if (how === 'unknown') id = 'demo';
        else placement.forget(id);
        continue;
      }
      const how = await forwarder.forward(owner, { workspace: id, origin: originOf(call.request) }, call, sent);
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

  /** Serves a call here, and adopts the workspace if no instance owns it. Returns `elsewhere` if another one was faster. */
  async #servedHere(id: string, call: Exchange): Promise<'served' | 'unknown' | 'elsewhere'> {
    const { request, response } = call;
    const { placement, workspaces, home, serveIn, serveNobodys, isReachedByOthers } = this.#options;
    const here = workspaces.get(id) ?? (await placement.find(id));
    if (here === undefined) return 'unknown';
    let isBack = false;
    try {
      const handle = 'use' in here ? here : await workspaces.adopt(here);
      await handle.use((workspace) => {
        isBack = true;
        const { token } = originOf(request);
        if (token === undefined || isSignedBy(workspace.tokenKeys, token)) return serveIn(workspace, request, response);
        return isReachedByOthers ? serveNobodys(call) : serveIn(home, request, response);
      });
      return 'served';
    } catch (error) {
      if (!isBack && (error instanceof OwnedElsewhere || error instanceof Gone)) return 'elsewhere';
      throw error;
    }
  }

  /** Serves a call that another instance forwarded; resolves with whether it could. It is never forwarded again. */
  async serveForwarded(id: string, call: Exchange): Promise<boolean> {
    for (let tries = 0; tries < 2; tries += 1) {
      if ((await this.#servedHere(id, call)) === 'served') return true;
    }
    return false;
  }
}
