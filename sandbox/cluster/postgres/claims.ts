import type { SealLabel } from '../../store/seal.ts';
import type { Database } from './database.ts';
import type { Instance } from './instance.ts';

/** Collections that are this instance's own, as PostgreSQL has them. */
export interface Claim {
  readonly fence: bigint;
  /** The last batch of the log. */
  readonly head: number;
  /** The batch as of which the documents have everything; 0 if there are none. */
  readonly checkpoint: number;
  readonly label: SealLabel;
}

/** Who owns collections that cannot be had. */
export interface CurrentOwner {
  readonly address: string;
}

const claimColumns = 'fence, head, checkpoint, label';

/**
 * The owner of collections, and its lease, with the row locked: a renewal that is being made is waited for, and none is made until
 * this statement has ended. The lease is compared with the time at which the statement began, before anything was read.
 */
const ownerOf = `with current as (select owner from stores where place = $1),
  lease as (select lease_until from instances where id = (select owner from current) for share)`;

/**
 * Claims collections without another owner, and creates missing ones. The fence grows by one, so that every later commit of an
 * earlier owner is refused; the claim waits for one in progress.
 */
export async function claim(
  database: Database,
  { id }: Instance,
  place: string,
  label: SealLabel,
): Promise<Claim | CurrentOwner> {
  const [row] = await database.rows(
    `${ownerOf} insert into stores as s (place, fence, owner, label) values ($1, 1, $2, $3)
      on conflict (place) do update set fence = s.fence + 1, owner = $2
        where s.owner is null or s.owner = $2 or s.owner = (select owner from current) and not exists (select 1 from lease where lease_until > now())
      returning ${claimColumns}`,
    [place, id, JSON.stringify(label)],
  );
  if (row) return claimOf(row);
  const [owner] = await database.rows(
    'select coalesce(i.internal, i.address) as address from stores s join instances i on i.id = s.owner where s.place = $1',
    [place],
  );
  return { address: String(owner?.address ?? 'an unknown address') };
}

/**
 * Claims collections again that this instance owned, under a new fence. No earlier commit can succeed after it, so `head`
 * says which ones did. Undefined if another instance owns them. Rejects without a response in time.
 *
 * @param isRepeat an earlier attempt under this fence got no response: it may have set a new fence
 */
export async function reclaim(
  database: Database,
  { id }: Instance,
  place: string,
  fence: bigint,
  isRepeat: boolean,
): Promise<Claim | undefined> {
  const [row] = await database.rows(
    `update stores s set fence = s.fence + 1, owner = $3
      where place = $1 and (fence = $2 or $4::boolean and fence > $2 and owner = $3) returning ${claimColumns}`,
    [place, fence, id, isRepeat],
    database.deadlines.commit,
  );
  return row && claimOf(row);
}

/** Releases collections, so that any instance can claim them immediately. */
export async function releaseClaim(database: Database, place: string, fence: bigint): Promise<void> {
  await database.rows('update stores set owner = null where place = $1 and fence = $2', [place, fence]);
}

function claimOf({ fence, head, checkpoint, label }: Readonly<Record<string, unknown>>): Claim {
  return {
    fence: BigInt(String(fence)),
    head: Number(head),
    checkpoint: Number(checkpoint),
    label: label as SealLabel,
  };
}
