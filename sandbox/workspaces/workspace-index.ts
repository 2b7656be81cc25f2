import type { IncomingMessage } from 'node:http';
import { Credentials, type SecretDigests } from './credentials.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceHandle } from './workspace-handle.ts';

/** The data that identifies the credentials of a workspace. */
interface Identity {
  readonly digests: SecretDigests;
  readonly tokenKeys: readonly Uint8Array[];
}

/** The workspaces of this process by id and by credential (OP-63). */
export class WorkspaceIndex {
  readonly #byId = new Map<string, WorkspaceHandle>();
  readonly #credentials = new Credentials<WorkspaceHandle>();

  get all(): readonly WorkspaceHandle[] {
    return [...this.#byId.values()];
  }

  get size(): number {
    return this.#byId.size;
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
    this.#credentials.add(handle, handle.id, digests, tokenKeys);
  }

  /** Removes a workspace and its credentials. */
  unregister(handle: WorkspaceHandle): void {
    this.#byId.delete(handle.id);
    this.#credentials.remove(handle);
  }

  /** Returns the workspace of a call, identified by its headers. */
  findByHeaders({ headers }: IncomingMessage): WorkspaceHandle | undefined {
    return this.#credentials.findByHeaders(headers);
  }

  /** Returns whether a workspace makes this call to itself. */
  isOwnCall({ headers }: IncomingMessage): boolean {
    return this.#credentials.findOwnCaller(headers) !== undefined;
  }

  /** Returns the workspace to which a credential belongs. */
  findByCredential(credential: string): WorkspaceHandle | undefined {
    return this.#credentials.findByCredential(credential);
  }
}
