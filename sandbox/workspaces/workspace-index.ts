import type { IncomingMessage } from 'node:http';
import { Credentials, type SecretDigests } from './credentials.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceHandle } from './workspace-handle.ts';

/** The workspaces that this process knows, which of them are in memory, and whose a call is (OP-63). */
export class WorkspaceIndex {
  readonly #byId = new Map<string, WorkspaceHandle>();
  readonly #loaded = new Set<WorkspaceHandle>();
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
  get loaded(): readonly WorkspaceHandle[] {
    return [...this.#loaded];
  }

  /** The same, as they run. */
  get running(): readonly Workspace[] {
    return this.loaded.flatMap(({ running }) => running ?? []);
  }

  get(id: string): WorkspaceHandle | undefined {
    return this.#byId.get(id);
  }

  /** Whether it is still the one of its id. */
  has(handle: WorkspaceHandle): boolean {
    return this.#byId.get(handle.id) === handle;
  }

  /** It is there; no call leads to it yet. */
  note(handle: WorkspaceHandle): void {
    this.#byId.set(handle.id, handle);
  }

  /** Takes that back, unless another one has its id meanwhile. */
  forget(handle: WorkspaceHandle): void {
    if (this.has(handle)) this.#byId.delete(handle.id);
  }

  /** It is there, and from now on calls with its credentials reach it. */
  register(handle: WorkspaceHandle, digests: SecretDigests): void {
    this.note(handle);
    if (handle.running !== undefined) this.#loaded.add(handle);
    this.#credentials.add(handle, handle.id, digests);
  }

  /** Its credentials open nothing from now on. */
  unregister(handle: WorkspaceHandle): void {
    this.#byId.delete(handle.id);
    this.#loaded.delete(handle);
    this.#credentials.remove(handle);
  }

  /** It has come into memory; `digests` where they were not known before. */
  came(handle: WorkspaceHandle, digests?: SecretDigests): void {
    if (digests !== undefined) this.#credentials.add(handle, handle.id, digests);
    this.#loaded.add(handle);
  }

  /** It has left memory. */
  left(handle: WorkspaceHandle): void {
    this.#loaded.delete(handle);
  }

  /** Whose call this is, by what its head carries. */
  ofHead({ headers }: IncomingMessage): WorkspaceHandle | undefined {
    return this.#credentials.ofHeaders(headers);
  }

  /** Whether a workspace makes this call to itself. */
  isOwnCall({ headers }: IncomingMessage): boolean {
    return this.#credentials.ofOwnCall(headers) !== undefined;
  }

  /** Whose credential this is. */
  ofCredential(credential: string): WorkspaceHandle | undefined {
    return this.#credentials.ofCredential(credential);
  }
}
