import { damagedError, type Entry, orDamaged, slicesIn, textsOf } from '../../store/encoding.ts';
import type { Sealer, SealLabel } from '../../store/seal.ts';
import { StoreError } from '../../store/store.ts';
import type { Slice, Slices } from '../../store/view.ts';
import type { Database } from './database.ts';
import { partPlace } from './log-statements.ts';

/** Keeps content at a place, in place of what was there. Rejects with `refused` where PostgreSQL does not take it. */
export async function writeCopy(
  database: Database,
  sealer: Sealer,
  place: string,
  version: string,
  content: Slices,
): Promise<void> {
  await removeCopies(database, place);
  const { seal, label } = sealer.fresh();
  let parts = 0;
  try {
    for await (const text of textsOf(content)) {
      parts += 1;
      const body = seal.closeBytes(Buffer.from(text), partPlace(place, version, parts));
      await database.rows('insert into copy_parts values ($1, $2, $3, $4)', [place, version, parts, body]);
    }
    await database.rows('insert into copies values ($1, $2, $3, $4)', [place, version, parts, JSON.stringify(label)]);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('refused', `Cannot write the copy ${place}: ${String(cause)}`, { cause });
  }
}

/** What a copy holds. Rejects with `damaged` where it is not there as it was written. */
export async function* readCopy(database: Database, sealer: Sealer, place: string): AsyncGenerator<Slice, void, void> {
  const [row] = await database.rows('select version, parts, label from copies where place = $1', [place]);
  if (row === undefined) throw damagedError(place, 'it is missing');
  const { version, parts, label } = row as { version: string; parts: number; label: SealLabel };
  const seal = sealer.existing(label, place);
  for (let part = 1; part <= parts; part += 1) {
    const [found] = await database.rows('select body from copy_parts where place = $1 and version = $2 and part = $3', [
      place,
      version,
      part,
    ]);
    const name = partPlace(place, version, part);
    if (found === undefined) throw damagedError(place, name);
    yield* slicesIn(
      orDamaged(place, name, () => JSON.parse(seal.openBytes(found.body as Buffer, name).toString()) as Entry[]),
    );
  }
}

/** Removes the copies at a place and below it. */
export async function removeCopies(database: Database, place: string): Promise<void> {
  for (const table of ['copies', 'copy_parts']) {
    await database.rows(`delete from ${table} where place = $1 or starts_with(place, $1 || '/')`, [place]);
  }
}

/** Whether there are collections at a place, whole or damaged. */
export async function hasContent(database: Database, place: string): Promise<boolean> {
  return (await database.rows('select 1 from stores where place = $1 and head > 0', [place])).length > 0;
}

/** The names of what is right below a place, '' for the outermost: collections, copies, or what leads to some. */
export async function namesBelow(database: Database, place: string): Promise<readonly string[]> {
  const prefix = place === '' ? '' : `${place}/`;
  const rows = await database.rows(
    `select distinct split_part(substr(place, length($1) + 1), '/', 1) as name
      from (select place from stores union all select place from copies) as stored
      where starts_with(place, $1) and length(place) > length($1)`,
    [prefix],
  );
  return rows.map(({ name }) => String(name));
}

/** Removes collections that are closed, with all below them, and what instances know of them. */
export async function removeContent(database: Database, place: string): Promise<void> {
  const removal = `delete from workspaces where place = $1 or starts_with(place, $1 || '/') returning id`;
  await database.rows(`with gone as (${removal}) delete from credentials where id in (select id from gone)`, [place]);
  for (const table of ['commit_log', 'documents', 'stores']) {
    await database.rows(`delete from ${table} where place = $1 or starts_with(place, $1 || '/')`, [place]);
  }
}
