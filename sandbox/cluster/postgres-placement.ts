import { type Meta, workspaceSchema } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import type { Sealer } from '../store/seal.ts';
import type { Placement, UnattendedWorkspace } from '../workspaces/placement.ts';
import type { ListQuery, WorkspaceRecord, WorkspaceSummary } from '../workspaces/workspace-record.ts';
import { AnswerCache } from './answer-cache.ts';
import { type Announcement, listenTo } from './postgres/announcements.ts';
import type { Database } from './postgres/database.ts';
import { peekPostgresStore } from './postgres/open.ts';
import {
  countCreatedBy,
  countEnrolled,
  type Enrolled,
  enrol,
  idOf,
  isLive,
  isThere,
  listEnrolled,
  listNeglected,
  listUnattended,
  listUnenrolled,
  note,
  ownerOf,
  readEnrolled,
  replaceLife,
  strike,
  type UnattendedRow,
} from './postgres/roster.ts';

/** Addresses of which it is remembered whether they live. */
const mostInstances = 1_000;

/** Most workspaces that one scan loads. */
const mostUnattended = 16;

/** For how long it is believed that there is no workspace of an id, in milliseconds, and of how many ids. */
const unknownMilliseconds = 5_000;

const mostUnknown = 10_000;

/** For how long it is believed that an instance lives, in milliseconds. */
const liveMilliseconds = 1_000;

interface PlacementOptions {
  readonly database: Database;
  readonly sealer: Sealer;
  /** Where others hand calls on to this instance. */
  readonly address: string;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Placement stored in PostgreSQL. Owners and secrets are cached until PostgreSQL announces that they changed. */
export async function postgresPlacement(options: PlacementOptions): Promise<Placement & { close(): Promise<void> }> {
  const placement = new PostgresPlacement(options);
  await placement.listen();
  return placement;
}

class PostgresPlacement implements Placement {
  readonly #database: Database;
  readonly #sealer: Sealer;
  readonly #now: () => number;
  readonly address: string;
  readonly #owners = new AnswerCache<string>();
  readonly #ids = new AnswerCache<string | undefined>();
  /** Ids of no workspace, and until when that is believed. */
  readonly #unknown = new Map<string, number>();
  readonly #live = new Map<string, { readonly until: number; readonly is: Promise<boolean> }>();
  readonly #listeners: Parameters<Placement['onAnnouncement']>[0][] = [];
  #endListening = () => Promise.resolve();

  constructor({ database, sealer, address, now }: PlacementOptions) {
    this.#database = database;
    this.#sealer = sealer;
    this.address = address;
    this.#now = now;
  }

  async listen(): Promise<void> {
    this.#endListening = await listenTo(this.#database, (announcement) => this.#receive(announcement));
  }

  async demo(): Promise<Meta | undefined> {
    const store = await peekPostgresStore({
      database: this.#database,
      place: '',
      schema: workspaceSchema,
      sealer: this.#sealer,
    });
    return store?.get('meta', 'workspace');
  }

  async unenrolled(): Promise<readonly string[]> {
    return (await listUnenrolled(this.#database)).map(idAt);
  }

  findByDigest(digest: string): Promise<string | undefined> {
    return this.#ids.resolve(digest, () => idOf(this.#database, digest));
  }

  async find(id: string): Promise<WorkspaceRecord | undefined> {
    const found = await readEnrolled(this.#database, id);
    if (found === undefined) this.#noteUnknown(id);
    return found && toRecord(found);
  }

  wasUnknown(id: string): boolean {
    return this.#now() < (this.#unknown.get(id) ?? Number.NEGATIVE_INFINITY);
  }

  async ownerOf(id: string): Promise<string | undefined> {
    return this.#owners.resolveExisting(id, () => ownerOf(this.#database, id));
  }

  forget(id: string): void {
    this.#owners.delete(id);
  }

  isLive(address: string): Promise<boolean> {
    const cached = this.#live.get(address);
    if (cached !== undefined && this.#now() < cached.until) return cached.is;
    // If PostgreSQL does not respond, assume that the instance is alive; its lease ends soon, and then it says so itself.
    const is = isLive(this.#database, address).catch(() => true);
    this.#live.set(address, { until: this.#now() + liveMilliseconds, is });
    if (this.#live.size > mostInstances) this.#live.clear();
    return is;
  }

  enrol({ digests, ...record }: Parameters<Placement['enrol']>[0]): Promise<void> {
    return enrol(this.#database, { ...record, place: databasePlaceOf(record.id) }, digests.secrets);
  }

  note(record: WorkspaceRecord): Promise<void> {
    return note(this.#database, record);
  }

  async list({ after, search, limit }: ListQuery): Promise<readonly WorkspaceRecord[]> {
    return (await listEnrolled(this.#database, after, search, limit)).map(toRecord);
  }

  count(): Promise<number> {
    return countEnrolled(this.#database);
  }

  countCreatedBy(id: string): Promise<number> {
    return countCreatedBy(this.#database, id);
  }

  async unattended(now: number): Promise<readonly UnattendedWorkspace[]> {
    return (await listUnattended(this.#database, now, mostUnattended)).map(toUnattended);
  }

  async neglected(now: number): Promise<readonly UnattendedWorkspace[]> {
    return (await listNeglected(this.#database, now, mostUnattended)).map(toUnattended);
  }

  async changeLife(id: string, change: (life: Life) => Life): Promise<WorkspaceSummary | undefined> {
    for (;;) {
      const record = await this.find(id);
      if (record === undefined) return undefined;
      const life = change(record.life);
      if (await replaceLife(this.#database, id, record.life.changed ?? 0, life)) return { id, life };
    }
  }

  remove(id: string): Promise<void> {
    return strike(this.#database, id);
  }

  isThere(id: string): Promise<boolean> {
    return isThere(this.#database, id);
  }

  onAnnouncement(listener: Parameters<Placement['onAnnouncement']>[0]): void {
    this.#listeners.push(listener);
  }

  close(): Promise<void> {
    return this.#endListening();
  }

  #receive(announcement: Announcement): void {
    switch (announcement.kind) {
      case 'owner':
        return this.#owners.delete(idAt(announcement.place));
      case 'created':
        // A credential that belonged to no workspace may belong to one now.
        this.#unknown.clear();
        return this.#ids.clear();
      case 'removed':
        this.#ids.clear();
        this.#owners.delete(announcement.id);
        return this.#tell(announcement);
      case 'changed':
        return this.#tell(announcement);
      case 'lost':
        this.#unknown.clear();
        this.#ids.clear();
        this.#owners.clear();
    }
  }

  #noteUnknown(id: string): void {
    // The newest are at the end.
    this.#unknown.delete(id);
    this.#unknown.set(id, this.#now() + unknownMilliseconds);
    const [oldest = ''] = this.#unknown.keys();
    if (this.#unknown.size > mostUnknown) this.#unknown.delete(oldest);
  }

  #tell(what: Parameters<Parameters<Placement['onAnnouncement']>[0]>[0]): void {
    for (const listener of this.#listeners) listener(what);
  }
}

/** Where the collections of a workspace are, as the store names places. */
function databasePlaceOf(id: string): string {
  return id === 'demo' ? '' : `workspaces/${id}`;
}

function idAt(place: string): string {
  return place === '' ? 'demo' : place.slice('workspaces/'.length);
}

function toUnattended({ isRemoved, ...one }: UnattendedRow): UnattendedWorkspace {
  return { ...toRecord(one), isRemoved };
}

function toRecord({ id, life, dueAt }: Enrolled): WorkspaceRecord {
  return { id, life: life as Life, dueAt };
}
