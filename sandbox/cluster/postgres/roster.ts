import type { Database } from './database.ts';

/** A workspace as the instances know it: `life` is whatever they keep of it. */
export interface Enrolled {
  readonly id: string;
  readonly place: string;
  readonly life: unknown;
  readonly dueAt: number | null;
}

/** The id of the workspace that a digest of a secret leads to. */
export async function idOf(database: Database, digest: string): Promise<string | undefined> {
  const [row] = await database.rows('select id from credentials where digest = $1', [digest]);
  return row && String(row.id);
}

/** Registers a workspace, or registers it again. */
export async function enrol(database: Database, record: Enrolled, digests: readonly string[]): Promise<void> {
  await database.rows(
    `with made as (insert into workspaces (id, place, life, due_at) values ($1, $2, $3, $4)
        on conflict (id) do update set life = $3, due_at = $4)
      insert into credentials select digest, $1 from unnest($5::text[]) as digest
        on conflict (digest) do update set id = $1`,
    [record.id, record.place, JSON.stringify(record.life), record.dueAt, digests],
  );
}

/** Stores a record, and the state of the store that it describes. */
export async function note(database: Database, { id, life, dueAt }: Omit<Enrolled, 'place'>): Promise<void> {
  await database.rows(
    `update workspaces w set due_at = $3, fence = s.fence, head = s.head,
        life = case when ${changed('$2::jsonb')} >= ${changed('w.life')} then $2::jsonb
          else w.life || jsonb_build_object('used', $2::jsonb->'used') end
      from stores s where w.id = $1 and s.place = w.place`,
    [id, JSON.stringify(life), dueAt],
  );
}

export async function readEnrolled(database: Database, id: string): Promise<Enrolled | undefined> {
  const [row] = await database.rows(`select ${columns} from workspaces where id = $1 and not removed`, [id]);
  return row && enrolledOf(row);
}

/** Replaces the life of a workspace, unless it was changed after `last`. Resolves with whether it did. */
export async function replaceLife(database: Database, id: string, last: number, life: unknown): Promise<boolean> {
  const rows = await database.rows(
    `update workspaces set life = $3 where id = $1 and not removed and ${changed('life')} = $2 returning id`,
    [id, last, JSON.stringify(life)],
  );
  return rows.length > 0;
}

/** Those made after another one, whose id or name contains a text: the oldest first, those of one instant by their ids. */
export async function listEnrolled(
  database: Database,
  after: { readonly made: number; readonly id: string } | undefined,
  search: string | undefined,
  limit: number,
): Promise<readonly Enrolled[]> {
  const rows = await database.rows(
    `select ${columns} from workspaces where not removed
        and ($1::double precision is null or (${made}, id collate "C") > ($1, $2))
        and ($3::text is null or position(lower($3) in lower(id)) > 0 or position(lower($3) in lower(life->>'name')) > 0)
      order by ${made}, id collate "C" limit $4`,
    [after?.made ?? null, after?.id ?? null, search ?? null, limit],
  );
  return rows.map(enrolledOf);
}

export async function countEnrolled(database: Database): Promise<number> {
  const [row] = await database.rows('select count(*) as count from workspaces where not removed');
  return Number(row?.count);
}

/** How many were created by one. */
export async function countCreatedBy(database: Database, id: string): Promise<number> {
  const [row] = await database.rows(
    "select count(*) as count from workspaces where not removed and life->>'createdBy' = $1",
    [id],
  );
  return Number(row?.count);
}

/** Stored workspaces without a record, such as those of a version without this table. */
export async function listUnenrolled(database: Database): Promise<readonly string[]> {
  const rows = await database.rows(
    `select place from stores where head > 0 and place like 'workspaces/%'
      and not exists (select 1 from workspaces w where w.place = stores.place)`,
  );
  return rows.map(({ place }) => String(place));
}

/** Where the live owner of collections takes calls; undefined where there is none. */
export async function ownerOf(database: Database, id: string): Promise<string | undefined> {
  const [row] = await database.rows(
    `select i.internal from workspaces w join stores s on s.place = w.place join instances i on i.id = s.owner
      where w.id = $1 and not w.removed and i.lease_until > now()`,
    [id],
  );
  return row?.internal === undefined || row.internal === null ? undefined : String(row.internal);
}

/** Whether an instance that takes calls there holds its lease. */
export async function isLive(database: Database, internal: string): Promise<boolean> {
  const rows = await database.rows('select 1 from instances where internal = $1 and lease_until > now()', [internal]);
  return rows.length > 0;
}

/** Collections that need an owner. */
export type UnattendedRow = Enrolled & { readonly isRemoved: boolean };

/** No live instance owns them. */
const unowned = 'not exists (select 1 from instances i where i.id = s.owner and i.lease_until > now())';

/** Workspaces without a live owner whose work is due, that must be deleted, or whose owner died. */
export function listUnattended(database: Database, now: number, most: number): Promise<readonly UnattendedRow[]> {
  return waitingBy(
    database,
    `select w.id from workspaces w join stores s on s.place = w.place where w.due_at <= $1 and ${unowned}
      union select w.id from workspaces w join stores s on s.place = w.place where s.owner is not null and ${unowned}
      union select w.id from workspaces w join stores s on s.place = w.place where w.removed and ${unowned}`,
    now,
    most,
  );
}

/** The same for workspaces that have expired, or were written to after their record. Scans all records. */
export function listNeglected(database: Database, now: number, most: number): Promise<readonly UnattendedRow[]> {
  return waitingBy(
    database,
    `select w.id from workspaces w join stores s on s.place = w.place
      where ((w.life->>'used')::double precision + (w.life->>'expiresIn')::double precision * 1000 <= $1
          or (w.fence, w.head) is distinct from (s.fence, s.head)) and ${unowned}`,
    now,
    most,
  );
}

/** Those that others look at this moment are left out. */
async function waitingBy(
  database: Database,
  which: string,
  now: number,
  most: number,
): Promise<readonly UnattendedRow[]> {
  const rows = await database.rows(
    `select w.id, w.place, w.life, w.due_at, w.removed from workspaces w
      where w.id in (select id from (${which}) as found limit $2) for update skip locked`,
    [now, most],
  );
  return rows.map((row) => ({ ...enrolledOf(row), isRemoved: row.removed === true }));
}

/** Removes the last reference to it, and notifies its owner to release it. */
export async function strike(database: Database, id: string): Promise<void> {
  await database.rows(
    'with deleted as (delete from credentials where id = $1) update workspaces set removed = true where id = $1',
    [id],
  );
}

/** Whether it has a record. */
export async function isThere(database: Database, id: string): Promise<boolean> {
  return (await database.rows('select 1 from workspaces where id = $1', [id])).length > 0;
}

const columns = 'id, place, life, due_at';
const made = `(life->>'made')::double precision`;
/** When a life was changed last, so that the later one of two holds. */
const changed = (life: string) => `coalesce((${life}->>'changed')::double precision, 0)`;

function enrolledOf({ id, place, life, due_at }: Readonly<Record<string, unknown>>): Enrolled {
  return { id: String(id), place: String(place), life, dueAt: due_at === null ? null : Number(due_at) };
}
