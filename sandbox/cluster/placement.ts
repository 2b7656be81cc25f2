import { type Meta, workspaceSchema } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import { addBounded } from '../runtime/caches.ts';
import type { Sealer } from '../store/seal.ts';
import type { SharedRecords } from '../workspaces/cluster.ts';
import type { DormantWorkspace, ListQuery, WorkspaceRecord, WorkspaceSummary } from '../workspaces/workspace-record.ts';
import { type Announcement, AnswerCache, listenTo } from './announcements.ts';
import type { Database, Row, Values } from './postgres/database.ts';
import { peekPostgresStore } from './postgres/open.ts';

/** Maximum number of workspaces that one scan loads. */
const mostUnattended = 16;

/** Time to cache that an id has no workspace, in milliseconds, and the maximum number of such ids. */
const unknownMilliseconds = 5_000;
const mostUnknown = 10_000;

/** Time to cache whether an instance is alive, in milliseconds, and the maximum number of cached instances. */
const liveMilliseconds = 1_000;
const mostInstances = 1_000;

/** A workspace that needs an owner. */
export type UnattendedWorkspace = WorkspaceRecord & { readonly isRemoved: boolean };

interface PlacementOptions {
  readonly database: Database;
  readonly sealer: Sealer;
  /** The `host:port` at which other instances forward calls to this one. */
  readonly address: string;
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A listener for workspaces that are to be removed, or whose name or expiry has changed. */
type AnnouncementListener = (what: { readonly kind: 'removed' | 'changed'; readonly id: string }) => void;

/**
 * The owners of shared workspaces, and the workspaces of credentials (OP-207). Only one instance at a time has a
 * workspace in memory. Its owner can be outdated when it is read, so the store rejects writes by other instances.
 * Owners and credentials are cached until PostgreSQL announces a change.
 */
export class Placement implements SharedRecords {
  readonly #options: PlacementOptions;
  readonly #owners = new AnswerCache<string>(false);
  readonly #ids = new AnswerCache<string>(true);
  /** Ids without a workspace, and the times at which they leave the cache. */
  readonly #unknown = new Map<string, number>();
  readonly #live = new Map<string, { readonly until: number; readonly is: Promise<boolean> }>();
  #listener: AnnouncementListener = () => {};
  #endListening = () => Promise.resolve();

  private constructor(options: PlacementOptions) {
    this.#options = options;
  }

  /** Opens the placement. Resolves when it receives announcements. Close it before the database. */
  static async open(options: PlacementOptions): Promise<Placement> {
    const placement = new Placement(options);
    placement.#endListening = await listenTo(options.database, (announcement) => placement.#receive(announcement));
    return placement;
  }

  /** The address at which other instances forward calls to this one. */
  get address(): string {
    return this.#options.address;
  }

  async demo(): Promise<Meta | undefined> {
    const { database, sealer } = this.#options;
    const store = await peekPostgresStore({ database, place: '', schema: workspaceSchema, sealer });
    return store?.get('meta', 'workspace');
  }

  async unenrolled(): Promise<readonly string[]> {
    const rows = await this.#rows(
      `select place from stores where head > 0 and place like 'workspaces/%'
        and not exists (select 1 from workspaces w where w.place = stores.place)`,
    );
    return rows.map(({ place }) => idAt(String(place)));
  }

  /** Returns the id of the workspace whose secret has this digest, or undefined. */
  findByDigest(digest: string): Promise<string | undefined> {
    return this.#ids.resolve(digest, async () => {
      const [row] = await this.#rows('select id from credentials where digest = $1', [digest]);
      return row && String(row.id);
    });
  }

  /** Returns the record of a workspace, or undefined if there is none or the workspace is being deleted. */
  async find(id: string): Promise<WorkspaceRecord | undefined> {
    const [row] = await this.#rows(`select ${columns} from workspaces where id = $1 and not removed`, [id]);
    if (row !== undefined) return toRecord(row);
    // Delete the id first, so that the newest ids are at the end.
    this.#unknown.delete(id);
    addBounded(this.#unknown, id, this.#options.now() + unknownMilliseconds, mostUnknown);
    return undefined;
  }

  /** Returns whether a recent lookup found no workspace with this id. */
  wasUnknown(id: string): boolean {
    return this.#options.now() < (this.#unknown.get(id) ?? Number.NEGATIVE_INFINITY);
  }

  ownerOf(id: string): Promise<string | undefined> {
    return this.#owners.resolve(id, async () => {
      const [row] = await this.#rows(
        `select i.internal from workspaces w join stores s on s.place = w.place join instances i on i.id = s.owner
          where w.id = $1 and not w.removed and i.internal is not null and i.lease_until > now()`,
        [id],
      );
      return row && String(row.internal);
    });
  }

  /** Drops a cached owner that a caller found to be wrong. */
  forget(id: string): void {
    this.#owners.delete(id);
  }

  /** Returns whether an instance with this address has a valid lease. */
  isLive(address: string): Promise<boolean> {
    const now = this.#options.now();
    const cached = this.#live.get(address);
    if (cached !== undefined && now < cached.until) return cached.is;
    const live = this.#rows('select 1 from instances where internal = $1 and lease_until > now()', [address]);
    // If PostgreSQL does not respond, assume that the instance is alive. It stops serving when its lease ends.
    const is = live.then(
      (rows) => rows.length > 0,
      () => true,
    );
    this.#live.set(address, { until: now + liveMilliseconds, is });
    if (this.#live.size > mostInstances) this.#live.clear();
    return is;
  }

  async enrol({ id, life, dueAt, digests, figures }: DormantWorkspace): Promise<void> {
    await this.#rows(
      `with made as (insert into workspaces (id, place, life, due_at, figures) values ($1, $2, $3, $4, $6)
          on conflict (id) do update set life = $3, due_at = $4, figures = $6)
        insert into credentials select digest, $1 from unnest($5::text[]) as digest
          on conflict (digest) do update set id = $1`,
      [id, placeOf(id), JSON.stringify(life), dueAt, digests.secrets, jsonOf(figures)],
    );
  }

  async note({ id, life, dueAt, figures }: WorkspaceRecord): Promise<void> {
    await this.#rows(
      `update workspaces w set due_at = $3, fence = s.fence, head = s.head, figures = coalesce($4::jsonb, w.figures),
          life = case when ${changed('$2::jsonb')} >= ${changed('w.life')} then $2::jsonb
            else w.life || jsonb_build_object('used', $2::jsonb->'used') end
        from stores s where w.id = $1 and s.place = w.place`,
      [id, JSON.stringify(life), dueAt, jsonOf(figures)],
    );
  }

  async list({ after, search, limit }: ListQuery): Promise<readonly WorkspaceRecord[]> {
    const rows = await this.#rows(
      `select ${columns} from workspaces where not removed
          and ($1::double precision is null or (${made}, id collate "C") > ($1, $2))
          and ($3::text is null or position(lower($3) in lower(id)) > 0 or position(lower($3) in lower(life->>'name')) > 0)
        order by ${made}, id collate "C" limit $4`,
      [after?.made ?? null, after?.id ?? null, search ?? null, limit],
    );
    return rows.map(toRecord);
  }

  async count(createdBy?: string): Promise<number> {
    const [row] = await this.#rows(
      `select count(*) as count from workspaces where not removed and ($1::text is null or life->>'createdBy' = $1)`,
      [createdBy ?? null],
    );
    return Number(row?.count);
  }

  /**
   * Returns some of the workspaces that need an owner and have none alive. Their work is due, their owner died, or they
   * must be deleted.
   */
  unattended(now: number): Promise<readonly UnattendedWorkspace[]> {
    return this.#withoutOwner(['w.due_at <= $1', 's.owner is not null', 'w.removed'], now);
  }

  /**
   * Like `unattended`, for workspaces that have expired, or whose record is older than their store. Such a record
   * remains after a process used the workspace without sharing it. Scans all records.
   */
  neglected(now: number): Promise<readonly UnattendedWorkspace[]> {
    const end = "(w.life->>'used')::double precision + (w.life->>'expiresIn')::double precision * 1000";
    return this.#withoutOwner([`(${end} <= $1 or (w.fence, w.head) is distinct from (s.fence, s.head))`], now);
  }

  async changeLife(id: string, change: (life: Life) => Life): Promise<WorkspaceSummary | undefined> {
    for (;;) {
      const record = await this.find(id);
      if (record === undefined) return undefined;
      const life = change(record.life);
      const rows = await this.#rows(
        `update workspaces set life = $3 where id = $1 and not removed and ${changed('life')} = $2 returning id`,
        [id, record.life.changed ?? 0, JSON.stringify(life)],
      );
      // If no row matched, another instance changed it meanwhile.
      if (rows.length > 0) return { id, life };
    }
  }

  async remove(id: string): Promise<void> {
    await this.#rows(
      'with deleted as (delete from credentials where id = $1) update workspaces set removed = true where id = $1',
      [id],
    );
  }

  /** Returns whether a workspace has a record. A workspace that is being deleted has one until its store is gone. */
  async isThere(id: string): Promise<boolean> {
    return (await this.#rows('select 1 from workspaces where id = $1', [id])).length > 0;
  }

  /** Sets the listener for workspaces that are to be removed, or whose name or expiry has changed. */
  onAnnouncement(listener: AnnouncementListener): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    return this.#endListening();
  }

  #rows(text: string, values?: Values): Promise<readonly Row[]> {
    return this.#options.database.rows(text, values);
  }

  /**
   * Returns workspaces without a live owner that meet a condition, except those that other instances are examining.
   * Each condition must have a separate index.
   */
  async #withoutOwner(conditions: readonly string[], now: number): Promise<readonly UnattendedWorkspace[]> {
    const found = conditions.map(
      (condition) => `select w.id from workspaces w join stores s on s.place = w.place where ${condition}
        and not exists (select 1 from instances i where i.id = s.owner and i.lease_until > now())`,
    );
    const rows = await this.#rows(
      `select ${columns}, removed from workspaces
        where id in (select id from (${found.join(' union ')}) as found limit $2) for update skip locked`,
      [now, mostUnattended],
    );
    return rows.map((row) => ({ ...toRecord(row), isRemoved: row.removed === true }));
  }

  #receive(announcement: Announcement): void {
    switch (announcement.kind) {
      case 'owner':
        return this.#owners.delete(idAt(announcement.place));
      case 'created':
        // A credential without a workspace may now have one.
        this.#unknown.clear();
        return this.#ids.clear();
      case 'removed':
        this.#ids.clear();
        this.#owners.delete(announcement.id);
        return this.#listener(announcement);
      case 'changed':
        return this.#listener(announcement);
      case 'lost':
        this.#unknown.clear();
        this.#ids.clear();
        this.#owners.clear();
    }
  }
}

const columns = 'id, life, due_at, figures';
const made = `(life->>'made')::double precision`;
/** Returns the SQL for the time of the last change to a `life` value. The later of two values takes precedence. */
const changed = (life: string) => `coalesce((${life}->>'changed')::double precision, 0)`;

/** Returns the `place` of a workspace's store. */
function placeOf(id: string): string {
  return id === 'demo' ? '' : `workspaces/${id}`;
}

function idAt(place: string): string {
  return place === '' ? 'demo' : place.slice('workspaces/'.length);
}

function jsonOf(figures: WorkspaceRecord['figures']): string | null {
  return figures === undefined ? null : JSON.stringify(figures);
}

function toRecord({ id, life, due_at, figures }: Row): WorkspaceRecord {
  return {
    id: String(id),
    life: life as Life,
    dueAt: due_at === null ? null : Number(due_at),
    ...(figures !== null && { figures: figures as NonNullable<WorkspaceRecord['figures']> }),
  };
}
