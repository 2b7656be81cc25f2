import type { SealLabel } from '../../store/seal.ts';
import type { Database, Row } from './database.ts';
import type { Instance } from './instance.ts';

/** The claim of this instance on collections, as stored in PostgreSQL. */
export interface Claim {
  readonly fence: bigint;
  /** The number of the last batch in the log. */
  readonly head: number;
  /** The number of the last batch that the documents include; 0 if there are no documents. */
  readonly checkpoint: number;
  readonly label: SealLabel;
}

/** The columns of `stores` that `claimOf` reads. */
export const claimColumns = 'fence, head, checkpoint, label';

/**
 * A query for the owner of collections and for its lease, with the lease row locked. The lock waits for a renewal in
 * progress, and prevents new ones until the statement has ended. The lease is compared with the time at which the
 * statement began.
 */
const ownerOf = `with current as (select owner from stores where place = $1),
  lease as (select lease_until from instances where id = (select owner from current) for share)`;

/**
 * Claims collections, and creates missing ones. If another instance owns them, returns its address. The claim increments
 * the fence, so that every later commit of an earlier owner is refused. It waits for a commit in progress.
 */
export async function claim(
  database: Database,
  { id }: Instance,
  place: string,
  label: SealLabel,
): Promise<Claim | { readonly address: string }> {
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
 * Reclaims collections of this instance, under a new fence. No earlier commit can succeed afterwards, so `head` shows
 * which commits succeeded. Returns undefined if another instance owns the collections. Rejects if PostgreSQL does not
 * respond in time.
 *
 * @param isRepeat whether an earlier attempt under this fence received no response, and may have set a new fence
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

export function claimOf({ fence, head, checkpoint, label }: Row): Claim {
  return {
    fence: BigInt(String(fence)),
    head: Number(head),
    checkpoint: Number(checkpoint),
    label: label as SealLabel,
  };
}
