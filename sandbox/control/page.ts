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
 * The next items of a list. Pages of concurrent calls are made one by one, each in a turn of its own, so that unread pages
 * do not exceed the limit of waiting replies (OP-82).
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

/** A page of what happened one after the other: the newest, or with `after` the first of what follows. */
export async function pageOfLog<T extends { readonly seq: number }>(
  found: readonly T[],
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<Page<T, number>> {
  if (after !== undefined) return pageAfter(found, limit, ({ seq }) => seq);
  await yieldToEventLoop();
  return { items: within(found.slice(-limit).toReversed()).toReversed(), next: null };
}

/** The first items that fit in a page; at least one. */
function within<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const most = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > mostBytes && index > 0;
  });
  return most === -1 ? [...items] : items.slice(0, most);
}
