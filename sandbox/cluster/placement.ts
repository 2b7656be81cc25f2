import { type Meta, workspaceSchema } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import type { Sealer } from '../store/seal.ts';
import type { SharedRecords } from '../workspaces/cluster.ts';
import type { DormantWorkspace, ListQuery, WorkspaceRecord, WorkspaceSummary } from '../workspaces/workspace-record.ts';
import { type Announcement, AnswerCache, listenTo } from './announcements.ts';
import type { Database, Row, Values } from './postgres/database.ts';
import { peekPostgresStore } from './postgres/open.ts';

/** Most workspaces that one scan loads. */
const mostUnattended = 16;

/** For how long it is believed that there is no workspace of an id, in milliseconds, and of how many ids. */
const unknownMilliseconds = 5_000;
const mostUnknown = 10_000;

/** For how long it is believed that an instance lives, in milliseconds, and of how many instances. */
const liveMilliseconds = 1_000;
const mostInstances = 1_000;

/** A workspace that needs an owner. */
export type UnattendedWorkspace = WorkspaceRecord & { readonly isRemoved: boolean };

interface PlacementOptions {
  readonly database: Database;
  readonly sealer: Sealer;
  /** Where others forward calls to this instance: `host:port`. */
  readonly address: string;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Receives that a workspace is to go, or has another life. */
type AnnouncementListener = (what: { readonly kind: 'removed' | 'changed'; readonly id: string }) => void;

/**
 * Where workspaces are that several instances share, and whose credentials are (OP-207). One instance has a workspace in
 * memory at a time; the owner can be outdated when it is read, so the store rejects writes of an instance that is not the
 * owner. Owners and secrets are cached until PostgreSQL announces that they changed.
 */
export class Placement implements SharedRecords {
  readonly #options: PlacementOptions;
  readonly #owners = new AnswerCache<string>(false);
  readonly #ids = new AnswerCache<string>(true);
  /** Ids of no workspace, and until when that is believed. */
  readonly #unknown = new Map<string, number>();
  readonly #live = new Map<string, { readonly until: number; readonly is: Promise<boolean> }>();
  #listener: AnnouncementListener = () => {};
  #endListening = () => Promise.resolve();

  private constructor(options: PlacementOptions) {
    this.#options = options;
  }

  /** Resolves once it receives announcements. Close it before the database. */
  static async open(options: PlacementOptions): Promise<Placement> {
    const placement = new Placement(options);
    placement.#endListening = await listenTo(options.database, (announcement) => placement.#receive(announcement));
    return placement;
  }

  /** Where others forward calls to this instance. */
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

  /** The id of the workspace that a secret belongs to, by its digest; undefined if there is none. */
  findByDigest(digest: string): Promise<string | undefined> {
    return this.#ids.resolve(digest, async () => {
      const [row] = await this.#rows('select id from credentials where digest = $1', [digest]);
      return row && String(row.id);
    });
  }

  /** The record of a workspace; undefined if there is none, or it is being deleted. */
  async find(id: string): Promise<WorkspaceRecord | undefined> {
    const [row] = await this.#rows(`select ${columns} from workspaces where id = $1 and not removed`, [id]);
    if (row === undefined) this.#noteUnknown(id);
    return row && toRecord(row);
  }

  /** Whether there was no workspace of this id a moment ago. */
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

  /** Drops the cached owner after a caller found that it is wrong. */
  forget(id: string): void {
    this.#owners.delete(id);
  }

  /** Whether an instance with this address holds its lease. */
  isLive(address: string): Promise<boolean> {
    const now = this.#options.now();
    const cached = this.#live.get(address);
    if (cached !== undefined && now < cached.until) return cached.is;
    const live = this.#rows('select 1 from instances where internal = $1 and lease_until > now()', [address]);
    // If PostgreSQL does not respond, assume that the instance is alive; its lease ends soon, and then it says so itself.
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

  /** Some of the workspaces without a live owner whose work is due, that must be deleted, or whose owner died. */
  unattended(now: number): Promise<readonly UnattendedWorkspace[]> {
    return this.#withoutOwner(['w.due_at <= $1', 's.owner is not null', 'w.removed'], now);
  }

  /**
   * The same for workspaces that have expired, or whose record is older than their store, as after an instance that does
   * not share them used them. Scans all records.
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
      // Otherwise another instance changed it in the meantime.
      if (rows.length > 0) return { id, life };
    }
  }

  async remove(id: string): Promise<void> {
    await this.#rows(
      'with deleted as (delete from credentials where id = $1) update workspaces set removed = true where id = $1',
      [id],
    );
  }

  /** Whether a workspace has a record. One that is being deleted has it until its store is gone. */
  async isThere(id: string): Promise<boolean> {
    return (await this.#rows('select 1 from workspaces where id = $1', [id])).length > 0;
  }

  /** Calls `listener` for each workspace that is to go, or that has another life. */
  onAnnouncement(listener: AnnouncementListener): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    return this.#endListening();
  }

  #rows(text: string, values?: Values): Promise<readonly Row[]> {
    return this.#options.database.rows(text, values);
  }

  /** Those that other instances look at this moment are left out. Each condition has an index of its own. */
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
        // A credential that belonged to no workspace may belong to one now.
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

  #noteUnknown(id: string): void {
    // The newest are at the end.
    this.#unknown.delete(id);
    this.#unknown.set(id, this.#options.now() + unknownMilliseconds);
    const [oldest = ''] = this.#unknown.keys();
    if (this.#unknown.size > mostUnknown) this.#unknown.delete(oldest);
  }
}

const columns = 'id, life, due_at, figures';
const made = `(life->>'made')::double precision`;
/** When a life was changed last, so that the later one of two holds. */
const changed = (life: string) => `coalesce((${life}->>'changed')::double precision, 0)`;

/** Where the collections of a workspace are, as the store names places. */
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
    ...{ id: String(id), life: life as Life, dueAt: due_at === null ? null : Number(due_at) },
    ...(figures !== null && { figures: figures as NonNullable<WorkspaceRecord['figures']> }),
  };
}
