/** Statements of the commit log, and the places that its batches and parts have as sealed data. */

/** One row, unless the fence no longer holds or a batch before it is missing. */
export const insertBatch = `with moved as
    (update stores set head = $3::bigint where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)
  insert into commit_log (place, number, fence, body) select place, $3::bigint, $2::bigint, $4::bytea from moved`;

/** The documents of a number count from now on, and nothing of before. */
export const checkpointTo = `with moved as (update stores set checkpoint = $3 where place = $1 and fence = $2 returning place),
  batches as (delete from commit_log where place in (select place from moved) and number <= $3),
  parts as (delete from documents where place in (select place from moved) and number <> $3)
  select place from moved`;

/** The same for other content, with one batch behind it. */
export const replaceBy = `with moved as
    (update stores set checkpoint = $3, head = $3::bigint + 1 where place = $1 and fence = $2 and head < $3 returning place),
  batches as (delete from commit_log where place in (select place from moved)),
  parts as (delete from documents where place in (select place from moved) and number <> $3)
  insert into commit_log (place, number, fence, body)
    select place, $3::bigint + 1, $2::bigint, $4::bytea from moved returning place`;

/** Where a batch or a part belongs: sealed, it opens nowhere else. */
export function batchPlace(place: string, number: number): string {
  return `commit ${place} ${number}`;
}

export function partPlace(place: string, number: number | string, part: number): string {
  return `document ${place} ${number} ${part}`;
}
