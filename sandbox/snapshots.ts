import { type Books, booksSpec, type Meta, type SnapshotRecord } from './books.ts';
import type { Parties } from './parties.ts';
import { placeStream } from './runtime/random.ts';
import type { Place, Storage } from './storage.ts';
import { type Reader, type Store, StoreError, type Tx } from './store/store.ts';

/** Most snapshots of a workspace. */
export const mostSnapshots = 20;

/** What a snapshot needs of its workspace. */
interface Subject extends Pick<Parties, 'clock' | 'random' | 'traces' | 'runner' | 'activity'> {
  readonly store: Store<Books>;
  readonly storage: Storage;
  readonly place: Place;
  readonly warn: (message: string) => void;
}

/** A snapshot whose files are not as they were written. */
export type Damaged = { readonly kind: 'snapshot_damaged'; readonly id: string };

/**
 * A workspace's snapshots (OP-64). Each is a store of its own with a copy of the books, and a record in the workspace's
 * store that names it; the record is written last, so a snapshot is there whole or not at all.
 */
export class Snapshots {
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  list(): readonly SnapshotRecord[] {
    return this.#subject.store.all('snapshots');
  }

  get(id: string): SnapshotRecord | undefined {
    return this.#subject.store.get('snapshots', id);
  }

  /** Copies everything as it is between two pieces of due work; undefined when there are as many as there can be. */
  take(name: string | undefined, trace: string): Promise<SnapshotRecord | undefined> {
    const { runner, store, storage, clock, random, traces, activity } = this.#subject;
    return runner.exclusively(async () => {
      const taken = this.list();
      if (taken.length >= mostSnapshots) return undefined;
      const last = Number.parseInt(taken.at(-1)?.id.slice('SNP-'.length) ?? '0', 10);
      const id = `SNP-${String(last + 1).padStart(6, '0')}`;
      const places = { random: random.place(), traces: traces.place() };
      const record = { id, name: name ?? id, at: clock.iso(), instant: clock.now(), ...places };
      // What a crash left under this id was never acknowledged.
      await storage.remove(this.#at(id));
      try {
        await this.#copy(id);
        await store.transact((tx) => {
          tx.put('snapshots', id, record);
          activity.note(tx, { trace, party: 'sandbox', event: 'snapshot.taken', detail: { id, name: record.name } });
        });
      } catch (error) {
        await storage.remove(this.#at(id));
        throw error;
      }
      return record;
    });
  }

  async #copy(id: string): Promise<void> {
    const { store, storage } = this.#subject;
    const copy = await storage.open(this.#at(id));
    try {
      await copy.transact((tx) => copyBooks(store, tx));
    } finally {
      await copy.close();
    }
  }

  /** Puts the workspace back to a snapshot, in one transaction; undefined when there is none with this id. */
  restore(id: string): Promise<SnapshotRecord | Damaged | undefined> {
    const { runner, store, clock, random, traces } = this.#subject;
    return runner.exclusively(async () => {
      const record = this.get(id);
      if (record === undefined) return undefined;
      const damaged = await this.read(id, (copy, kept) =>
        store.transact((tx) => {
          const meta = tx.get('meta', 'workspace');
          if (meta === undefined) throw new Error('the workspace was not opened');
          const stream = tx.get('streams', 'books');
          clearBooks(tx);
          // A snapshot of an older version has no stream: then this one goes on.
          if (stream !== undefined) placeStream(tx, stream);
          copyBooks(copy, tx);
          tx.put('meta', 'workspace', { ...meta, settings: kept.settings, clock: clock.at(record.instant) });
        }),
      );
      if (damaged !== undefined) return damaged;
      random.resume(record.random);
      traces.resume(record.traces);
      return record;
    });
  }

  /** Answers whether it was there. */
  async remove(id: string, trace: string): Promise<boolean> {
    const { store, storage, activity } = this.#subject;
    const gone = await store.transact((tx) => {
      if (tx.get('snapshots', id) === undefined) return false;
      tx.remove('snapshots', id);
      activity.note(tx, { trace, party: 'sandbox', event: 'snapshot.deleted', detail: { id } });
      return true;
    });
    if (gone) await storage.remove(this.#at(id));
    return gone;
  }

  /** Lets `use` read a snapshot's books, and the record of the workspace among them. */
  async read<R>(id: string, use: (copy: Reader<Books>, kept: Meta) => Promise<R>): Promise<R | Damaged> {
    const copy = await this.#open(id);
    try {
      const kept = copy?.get('meta', 'workspace');
      return copy === undefined || kept === undefined ? { kind: 'snapshot_damaged', id } : await use(copy, kept);
    } finally {
      await copy?.close();
    }
  }

  /** A snapshot's store; undefined where its files are not as they were written. */
  async #open(id: string): Promise<Store<Books> | undefined> {
    try {
      return await this.#subject.storage.open(this.#at(id));
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'damaged')) throw error;
      this.#subject.warn(`snapshot ${id}: ${error.message}`);
      return undefined;
    }
  }

  #at(id: string): Place {
    return [...this.#subject.place, 'snapshots', id];
  }
}

/** What outlives a reset and belongs to no snapshot. */
const lasting: ReadonlySet<keyof Books> = new Set(['snapshots']);
const collections = (Object.keys(booksSpec) as (keyof Books)[]).filter((collection) => !lasting.has(collection));

/** Drops everything that a reset drops. */
export function clearBooks(tx: Tx<Books>): void {
  for (const collection of collections) for (const id of tx.ids(collection)) tx.remove(collection, id);
}

/** Puts every record of `from` into `tx`, in the order in which they came. */
export function copyBooks(from: Reader<Books>, tx: Tx<Books>): void {
  for (const collection of collections) {
    for (const id of from.ids(collection)) {
      const record = from.get(collection, id);
      if (record !== undefined) tx.put(collection, id, record);
    }
  }
}
