import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addBounded } from '../runtime/caches.ts';
import { ownCallHeader } from '../runtime/caller.ts';
import { bareOrBearer, basic, digest, isSignedBy, unverifiedPart } from '../runtime/tokens.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceHandle } from './workspace-handle.ts';
import type { Identity } from './workspace-record.ts';

/** Maximum number of cached tokens, and maximum length of each, in characters. */
const mostNamed = { tokens: 1000, characters: 1024 };

/**
 * The workspaces of this process by id and by credential (OP-63). Secrets are looked up by digest. A token resolves to
 * the workspace that it names, after its signature has been checked. That workspace checks the content and the expiry
 * of the token.
 */
export class WorkspaceIndex {
  readonly #byId = new Map<string, WorkspaceHandle>();
  readonly #identities = new Map<WorkspaceHandle, Identity>();
  readonly #bySecret = new Map<string, WorkspaceHandle>();
  readonly #byOwnCalls = new Map<string, WorkspaceHandle>();
  /** Workspaces by the text of a token, so that each token is parsed only once. Contains no secrets. */
  readonly #byToken = new Map<string, WorkspaceHandle>();

  get all(): readonly WorkspaceHandle[] {
    return [...this.#byId.values()];
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The number of cached tokens. */
  get cachedTokens(): number {
    return this.#byToken.size;
  }

  /** Returns the number of workspaces for which a workspace answers. */
  countCreatedBy(id: string): number {
    return this.all.filter(({ life }) => life.createdBy === id).length;
  }

  /** The workspaces in memory. */
  get running(): readonly Workspace[] {
    return this.all.flatMap(({ running }) => running ?? []);
  }

  get(id: string): WorkspaceHandle | undefined {
    return this.#byId.get(id);
  }

  /** Returns whether this handle is still registered. */
  has(handle: WorkspaceHandle): boolean {
    return this.#byId.get(handle.id) === handle;
  }

  /** Adds a workspace that no call can reach yet. */
  note(handle: WorkspaceHandle): void {
    this.#byId.set(handle.id, handle);
  }

  /** Undoes `note`, unless another workspace already has the id. */
  forget(handle: WorkspaceHandle): void {
    if (this.has(handle)) this.#byId.delete(handle.id);
  }

  /** Adds a workspace and its credentials, so that calls can reach it. */
  register(handle: WorkspaceHandle, { digests, tokenKeys }: Identity): void {
    this.note(handle);
    this.#byToken.clear();
    this.#identities.set(handle, { digests, tokenKeys });
    this.#byOwnCalls.set(digests.ownCalls, handle);
    for (const secret of digests.secrets) this.#bySecret.set(secret, handle);
  }

  /** Removes a workspace and its credentials. */
  unregister(handle: WorkspaceHandle): void {
    this.forget(handle);
    const identity = this.#identities.get(handle);
    if (identity === undefined) return;
    this.#identities.delete(handle);
    this.#byToken.clear();
    // Another handle may have registered the same credentials meanwhile.
    const drop = (map: Map<string, WorkspaceHandle>, key: string) => map.get(key) === handle && map.delete(key);
    drop(this.#byOwnCalls, identity.digests.ownCalls);
    for (const secret of identity.digests.secrets) drop(this.#bySecret, secret);
  }

  /** Returns the workspace of a call, identified by its headers. */
  findByHeaders(request: Pick<IncomingMessage, 'headers'>): WorkspaceHandle | undefined {
    // A workspace's call to itself belongs to that workspace, whatever credential the call forwards.
    if (request.headers[ownCallHeader] !== undefined) return this.#findOwnCaller(request);
    const credential = credentialInHeaders(request.headers);
    return credential === undefined ? undefined : this.findByCredential(credential);
  }

  /** Returns whether a workspace makes this call to itself. */
  isOwnCall(request: Pick<IncomingMessage, 'headers'>): boolean {
    return this.#findOwnCaller(request) !== undefined;
  }

  /** Returns the workspace to which a secret or a signed token belongs. */
  findByCredential(credential: string): WorkspaceHandle | undefined {
    const cached = this.#byToken.get(credential);
    if (cached !== undefined) return cached;
    const id = namedBy(credential);
    if (id === undefined) return this.#bySecret.get(digest(credential));
    const handle = this.#byId.get(id);
    // A noted handle has no keys yet.
    const keys = handle && this.#identities.get(handle)?.tokenKeys;
    if (handle === undefined || keys === undefined || !isSignedBy(keys, credential)) return undefined;
    if (credential.length <= mostNamed.characters) addBounded(this.#byToken, credential, handle, mostNamed.tokens);
    return handle;
  }

  #findOwnCaller({ headers }: Pick<IncomingMessage, 'headers'>): WorkspaceHandle | undefined {
    const own = headers[ownCallHeader];
    return typeof own === 'string' ? this.#byOwnCalls.get(digest(own)) : undefined;
  }
}

/** Returns the credential in these headers. */
export function credentialInHeaders({ authorization }: IncomingHttpHeaders): string | undefined {
  return basic(authorization)?.password ?? bareOrBearer(authorization);
}

/** The format of workspace ids. */
const workspaceId = /^(demo|ws_[0-9a-f]{16})$/;

/**
 * Returns the workspace that the header of a token names, whether or not it signed the token. If the text names none,
 * returns undefined.
 */
export function namedBy(token: string): string | undefined {
  const kid = unverifiedPart(token, 'header')?.kid;
  return typeof kid === 'string' && workspaceId.test(kid) ? kid : undefined;
}
