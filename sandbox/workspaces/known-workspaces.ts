import type { IncomingMessage } from 'node:http';
import { Credentials, type SecretDigests } from './credentials.ts';
import type { KnownWorkspace } from './known.ts';
import type { Workspace } from './workspace.ts';

/** The workspaces that this process knows, which of them are in memory, and whose a call is (OP-63). */
export class KnownWorkspaces {
  readonly #byId = new Map<string, KnownWorkspace>();
  readonly #loaded = new Set<KnownWorkspace>();
  readonly #credentials = new Credentials<KnownWorkspace>();

  get all(): readonly KnownWorkspace[] {
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
  get loaded(): readonly KnownWorkspace[] {
    return [...this.#loaded];
  }

  /** The same, as they run. */
  get running(): readonly Workspace[] {
    return this.loaded.flatMap(({ running }) => running ?? []);
  }

  get(id: string): KnownWorkspace | undefined {
    return this.#byId.get(id);
  }

  /** Whether it is still the one of its id. */
  has(known: KnownWorkspace): boolean {
    return this.#byId.get(known.id) === known;
  }

  /** It is there; no call leads to it yet. */
  note(known: KnownWorkspace): void {
    this.#byId.set(known.id, known);
  }

  /** Takes that back, unless another one has its id meanwhile. */
  forget(known: KnownWorkspace): void {
    if (this.has(known)) this.#byId.delete(known.id);
  }

  /** It is there, and from now on calls with its credentials reach it. */
  register(known: KnownWorkspace, digests: SecretDigests): void {
    this.note(known);
    if (known.running !== undefined) this.#loaded.add(known);
    this.#credentials.add(known, known.id, digests);
  }

  /** Its credentials open nothing from now on. */
  unregister(known: KnownWorkspace): void {
    this.#byId.delete(known.id);
    this.#loaded.delete(known);
    this.#credentials.remove(known);
  }

  /** It has come into memory; `digests` where they were not known before. */
  came(known: KnownWorkspace, digests?: SecretDigests): void {
    if (digests !== undefined) this.#credentials.add(known, known.id, digests);
    this.#loaded.add(known);
  }

  /** It has left memory. */
  left(known: KnownWorkspace): void {
    this.#loaded.delete(known);
  }

  /** Whose call this is, by what its head carries. */
  ofHead({ headers }: IncomingMessage): KnownWorkspace | undefined {
    return this.#credentials.ofHeaders(headers);
  }

  /** Whether a workspace makes this call to itself. */
  isOwnCall({ headers }: IncomingMessage): boolean {
    return this.#credentials.ofOwnCall(headers) !== undefined;
  }

  /** Whose credential this is. */
  ofCredential(credential: string): KnownWorkspace | undefined {
    return this.#credentials.ofCredential(credential);
  }
}
