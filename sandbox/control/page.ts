import { yieldToEventLoop } from '../store/view.ts';

/** Most bytes that the items of a page take as JSON (OP-82). */
const mostBytes = 1024 * 1024;
/** Items of a page where the caller asks for no number. */
export const usualLimit = 1_000;
/** The same for orders and tries of webhooks, which are larger. */
export const usualLargeLimit = 100;

/** A part of a list, and what to give as `after` for what follows it. */
export interface Page<T, Place> {
  readonly items: T[];
  readonly next: Place | null;
}

/**
 * The first of what follows in a list. Pages of calls that came together are made one by one, each in a turn of its own:
 * where nobody reads them, only so many are held as may wait (OP-82).
 *
 * @param found one more than `limit` where there are more
 */
export async function pageAfter<T, Place>(
  found: readonly T[],
  limit: number,
  cursorOf: (item: T) => Place,
): Promise<Page<T, Place>> {
  await yieldToEventLoop();
  const items = within(found.slice(0, limit));
  const last = items.at(-1);
  return { items, next: last === undefined || items.length === found.length ? null : cursorOf(last) };
}

/**
 * The newest page that was made of a log, of any workspace: many who ask for the same get the same page, whose text is
 * made once (OP-82). Only one is held, since a page may be large, and it is known by its entries, which never change.
 */
let newest: { readonly found: readonly object[]; readonly page: object } | undefined;

/** A page of what happened one after the other: the newest, or with `after` the first of what follows. */
export async function pageOfLog<T extends { readonly seq: number }>(
  found: readonly T[],
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<Page<T, number>> {
  if (after !== undefined) return pageAfter(found, limit, ({ seq }) => seq);
  await yieldToEventLoop();
  const asked = found.slice(-limit);
  if (newest?.found.length === asked.length && newest.found.every((entry, at) => entry === asked[at]))
    return newest.page as Page<T, number>;
  const page = { items: within(asked.toReversed()).toReversed(), next: null };
  newest = { found: asked, page };
  return page;
}

/** The first items that have room in a page; one at least. */
function within<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const most = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > mostBytes && index > 0;
  });
  return most === -1 ? [...items] : items.slice(0, most);
}
