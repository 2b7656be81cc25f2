import type { IncomingMessage } from 'node:http';
import { Credentials, type SecretDigests } from './credentials.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceHandle } from './workspace-handle.ts';

/** What a workspace is known by. */
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

  /** How many there are for which a workspace answers. */
  countCreatedBy(id: string): number {
    return this.all.filter(({ life }) => life.createdBy === id).length;
  }

  /** Those in memory. */
  get running(): readonly Workspace[] {
    return this.all.flatMap(({ running }) => running ?? []);
  }

  get(id: string): WorkspaceHandle | undefined {
    return this.#byId.get(id);
  }

  /** Whether this handle is still registered. */
  has(handle: WorkspaceHandle): boolean {
    return this.#byId.get(handle.id) === handle;
  }

  /** Adds a workspace to which no call leads yet. */
  note(handle: WorkspaceHandle): void {
    this.#byId.set(handle.id, handle);
  }

  /** Undoes `note`, unless another workspace has the id by now. */
  forget(handle: WorkspaceHandle): void {
    if (this.has(handle)) this.#byId.delete(handle.id);
  }

  /** Adds a workspace and its credentials: calls reach it from now on. */
  register(handle: WorkspaceHandle, { digests, tokenKeys }: Identity): void {
    this.note(handle);
    this.#credentials.add(handle, handle.id, digests, tokenKeys);
  }

  /** Removes a workspace and its credentials. */
  unregister(handle: WorkspaceHandle): void {
    this.#byId.delete(handle.id);
    this.#credentials.remove(handle);
  }

  /** Whose call this is, by what its head carries. */
  findByHeaders({ headers }: IncomingMessage): WorkspaceHandle | undefined {
    return this.#credentials.findByHeaders(headers);
  }

  /** Whether a workspace makes this call to itself. */
  isOwnCall({ headers }: IncomingMessage): boolean {
    return this.#credentials.findOwnCaller(headers) !== undefined;
  }

  /** Whose credential this is. */
  findByCredential(credential: string): WorkspaceHandle | undefined {
    return this.#credentials.findByCredential(credential);
  }
}
