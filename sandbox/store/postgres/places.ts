import type { Database } from './database.ts';

/** Whether there are collections at a place, whole or damaged. */
export async function hasContent(database: Database, place: string): Promise<boolean> {
  return (await database.rows('select 1 from books where place = $1 and head > 0', [place])).length > 0;
}

/** The names of what is right below a place, '' for the outermost: collections, copies, or what leads to some. */
export async function namesBelow(database: Database, place: string): Promise<readonly string[]> {
  const prefix = place === '' ? '' : `${place}/`;
  const rows = await database.rows(
    `select distinct split_part(substr(place, length($1) + 1), '/', 1) as name
      from (select place from books union all select place from copies) as stored
      where starts_with(place, $1) and length(place) > length($1)`,
    [prefix],
  );
  return rows.map(({ name }) => String(name));
}

/** Removes collections that are closed, with all below them, and what instances know of them. */
export async function removeContent(database: Database, place: string): Promise<void> {
  const removal = `delete from workspaces where place = $1 or starts_with(place, $1 || '/') returning id`;
  await database.rows(`with gone as (${removal}) delete from credentials where id in (select id from gone)`, [place]);
  for (const table of ['commit_log', 'documents', 'books']) {
    await database.rows(`delete from ${table} where place = $1 or starts_with(place, $1 || '/')`, [place]);
  }
}
