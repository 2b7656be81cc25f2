import type { ActivityEntry } from '../activity-log/activity-entry.ts';
import type { Accepted } from '../activity-log/call-log.ts';
import { beginLog, keyOf, logOf } from '../activity-log/stored-log.ts';
import type { Meta, SnapshotRecord, WorkspaceCollections } from '../assembly/collections.ts';
import type { Parties } from '../assembly/parties.ts';
import { skipEntries } from '../assembly/partner-figures.ts';
import { endUnique, numberedId } from '../runtime/ids.ts';
import { type RowsOf, type Slice, type Slices, slicesOf } from '../store/row.ts';
import { type CountedBytes, type Reader, type Store, StoreError, type Tx } from '../store/store.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** Maximum number of snapshots of a workspace. */
export const mostSnapshots = 20;

/** The parts of a workspace that its snapshots need. */
interface Subject extends Pick<Parties, 'clock' | 'random' | 'traces' | 'runner' | 'activity' | 'platform'> {
  readonly store: Store<WorkspaceCollections>;
  readonly storage: Storage;
  /** A budget of the workspace. During a restore, the snapshot's content is in memory next to the current content. */
  readonly memory: CountedBytes;
  readonly place: StoragePlace;
  readonly warn: (message: string) => void;
}

/** A snapshot whose stored content is damaged. */
export type Damaged = { readonly kind: 'snapshot_damaged'; readonly id: string };

/**
 * The snapshots of a workspace (OP-64). Each snapshot is a copy of the collections, and a record in the workspace's
 * store that names the copy. The record is written last, so a snapshot is complete or absent. Calls are served while a
 * copy is written or read.
 */
export class Snapshots {
  readonly #subject: Subject;
  /** Settles when the last queued snapshot is written. Only one is written at a time. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  list(): readonly SnapshotRecord[] {
    return this.#subject.store.all('snapshots');
  }

  get(id: string): SnapshotRecord | undefined {
    return this.#subject.store.get('snapshots', id);
  }

  /** Copies the current state while no due job is running. Returns undefined if the workspace has the maximum number of snapshots. */
  take(name: string | undefined, trace: string): Promise<SnapshotRecord | undefined> {
    const snapshot = this.#queue.then(() => this.#take(name, trace));
    this.#queue = snapshot.catch(() => undefined);
    return snapshot;
  }

  async #take(name: string | undefined, trace: string): Promise<SnapshotRecord | undefined> {
    const { runner, store, storage, activity } = this.#subject;
    if (this.list().length >= mostSnapshots) return undefined;
    // Due work continues as soon as the copy has begun.
    const { record, copied } = await runner.exclusively(async () => this.#begin(name));
    await copied;
    const { id } = record;
    try {
      await store.transact((tx) => {
        tx.put('snapshots', id, record);
        activity.note(tx, { trace, party: 'sandbox', event: 'snapshot.taken', detail: { id, name: record.name } });
      });
    } catch (error) {
      await storage.remove(this.#at(id));
      throw error;
    }
    return record;
  }

  /** Begins to copy the current state. */
  #begin(name: string | undefined) {
    const { store, storage, clock, random, traces, activity, platform } = this.#subject;
    const last = Number.parseInt(this.list().at(-1)?.id.slice('SNP-'.length) ?? '0', 10);
    const id = numberedId('SNP', last + 1);
    const places = { random: random.place(), traces: traces.place() };
    const record = { id, name: name ?? id, at: clock.iso(), instant: clock.now(), ...places };
    const copied = store.view((content) => {
      const beside = { activity: activity.after(0), acceptedAt: platform.quota.rows };
      return storage.write(this.#at(id), withLog(withoutLasting(content), beside));
    });
    return { record, copied };
  }

  /** Restores a snapshot in one step. Returns undefined if there is none with this id. */
  async restore(id: string): Promise<SnapshotRecord | Damaged | undefined> {
    const { store, memory, clock } = this.#subject;
    const record = this.get(id);
    if (record === undefined) return undefined;
    memory.refuseBeyond(await this.sizeOf(id));
    return this.read(id, async (content, { settings }) => {
      // Sets the data that a snapshot does not contain, or that must differ after a restore.
      const change = (tx: Tx<WorkspaceCollections>, before: Reader<WorkspaceCollections>): void => {
        const meta = before.get('meta', 'workspace');
        if (meta === undefined) throw new Error('the workspace was not opened');
        carryOver(before, tx);
        skipEntries(tx);
        beginLog(tx, before);
        endUnique(tx);
        tx.put('meta', 'workspace', { ...meta, settings, clock: clock.at(record.instant) });
      };
      await store.replace<void>({ content, change, when: (step) => this.#between(step, record) });
      return record;
    });
  }

  /** Restores the collections and the random streams in memory between two due jobs. */
  #between(goBack: () => Promise<void>, record: SnapshotRecord): Promise<void> {
    const { runner, random, traces } = this.#subject;
    return runner.exclusively(async () => {
      await goBack();
      random.resume(record.random);
      traces.resume(record.traces);
    });
  }

  /** Removes a snapshot. Returns whether it existed. */
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

  /** Passes a snapshot's collections to `use`, one slice at a time, with the record of its workspace. */
  async read<R>(id: string, use: (content: Slices, meta: Meta) => Promise<R>): Promise<R | Damaged> {
    const { storage, warn } = this.#subject;
    const content = () => withoutLasting(storage.read(this.#at(id)));
    try {
      const meta = await metaIn(content());
      if (meta !== undefined) return await use(content(), meta);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'damaged')) throw error;
      warn(`snapshot ${id}: ${error.message}`);
    }
    return { kind: 'snapshot_damaged', id };
  }

  /** Returns the size of a snapshot in bytes, or 0 if it is unknown before reading. */
  sizeOf(id: string): Promise<number> {
    return this.#subject.storage.sizeOf(this.#at(id));
  }

  #at(id: string): StoragePlace {
    return [...this.#subject.place, 'snapshots', id];
  }
}

/** The collections that survive a reset and belong to no snapshot. */
const lasting = ['snapshots', 'certifications', 'certificates', 'partner'] as const;

/** Copies the collections that survive a reset and belong to no snapshot. */
export function carryOver(before: Reader<WorkspaceCollections>, tx: Tx<WorkspaceCollections>): void {
  for (const collection of lasting)
    for (const id of before.ids(collection)) {
      const record = before.get(collection, id);
      if (record !== undefined) tx.put(collection, id, record);
    }
}

/** Yields the content without the collections that belong to no snapshot. */
async function* withoutLasting(content: Slices): AsyncGenerator<Slice, void, void> {
  const names: readonly string[] = lasting;
  for await (const slice of content) if (!names.includes(slice.collection)) yield slice;
}

/** Returns the record of the workspace in this content. */
async function metaIn(content: Slices): Promise<Meta | undefined> {
  for await (const { collection, rows } of content) {
    const row = collection === 'meta' ? rows.find(({ id }) => id === 'workspace') : undefined;
    if (row !== undefined) return row.record as Meta;
  }
  return undefined;
}

/** The content of a workspace's copy that its store lacks or contains only in part. */
interface BesideStore {
  readonly activity: readonly ActivityEntry[];
  readonly acceptedAt: readonly Accepted[];
}

/** Yields the content of a store, with the complete activity log and the complete quota of the last hour. */
export async function* withLog(content: Slices, { activity, acceptedAt }: BesideStore) {
  const whole: readonly (keyof WorkspaceCollections)[] = ['activity', 'acceptedAt'];
  for await (const slice of content) if (!whole.includes(slice.collection as keyof WorkspaceCollections)) yield slice;
  yield* slicesOf([rowsOf('activity', activity, keyOf), rowsOf('acceptedAt', acceptedAt, ({ at }) => String(at))]);
}

/** Reads the activity log and the quota of a workspace that is not running. */
export async function logBeside(storage: Storage, place: StoragePlace, store: Store<WorkspaceCollections>) {
  const calls = await storage.openCalls(place, store);
  await calls.close();
  const rows = [...store.all('acceptedAt'), ...calls.saved.accepted].map((row) => [row.at, row] as const);
  return { activity: logOf(store, calls.saved.calls), acceptedAt: [...new Map(rows).values()] };
}

function rowsOf<R>(collection: keyof WorkspaceCollections, records: readonly R[], idOf: (record: R) => string): RowsOf {
  return [collection, records.map((record) => ({ id: idOf(record), record }))];
}
