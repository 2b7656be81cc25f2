/** Rules for cursors of the rewards listing: they come from an earlier page and lead to a later one. */
import { callerTraceRule, hostTraceRule, observe, observeOrder, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

const listings = ['listRewards'] as const;

/** Yields each listing request with a cursor, and the pages that returned that cursor. */
function* withIssuers(trace: Trace): Generator<{ at: TraceEvent; issuers: readonly TraceEvent[] }> {
  const offered = trace.by('nextCursor', ...listings);
  for (const at of trace.of(...listings)) {
    if (at.facts.cursor !== undefined) yield { at, issuers: offered.get(at.facts.cursor) ?? [] };
  }
}

const pointer = '/query/cursor';

export const cursorRules: readonly TraceRule[] = [
  callerTraceRule('cursor-issued-first', 'stated A8', function* (trace) {
    for (const { at, issuers } of withIssuers(trace))
      yield* observeOrder(trace, at, issuers, pointer, 'the next_cursor of an earlier page', 'a cursor returned later');
  }),
  callerTraceRule('cursor-issued', 'stated A8', function* (trace) {
    if (!trace.complete) return;
    for (const { at, issuers } of withIssuers(trace)) {
      // A refused cursor did no harm.
      if (!at.succeeded) continue;
      const texts = ['the next_cursor of a page', 'a cursor that no page returned'] as const;
      yield observe(at, [], issuers.length > 0, pointer, ...texts, listings);
    }
  }),
  callerTraceRule('cursor-of-the-same-filter', 'OP-12', function* (trace) {
    for (const { at, issuers } of withIssuers(trace)) {
      const [issuer] = issuers;
      if (issuer === undefined || trace.isCut(issuers) || !at.succeeded) continue;
      const filterOf = (event: TraceEvent) => event.facts.filter ?? 'no type';
      const isSame = issuers.some((one) => filterOf(one) === filterOf(at));
      const expected = `${filterOf(issuer)}, as for the page that returned the cursor`;
      yield observe(at, [issuer], isSame, '/query/type', expected, filterOf(at));
    }
  }),
  hostTraceRule('pages-share-no-item', 'OP-12', function* (trace) {
    for (const { at, issuers } of withIssuers(trace)) {
      const [before] = issuers;
      const items = at.facts.items ?? [];
      if (issuers.length !== 1 || before === undefined || items.length === 0) continue;
      const repeated = items.findIndex((sku) => before.facts.items?.includes(sku));
      const place = `/body/items/${repeated}/sku_code`;
      yield observe(at, [before], repeated < 0, place, 'no item of the previous page', items[repeated]);
    }
  }),
  hostTraceRule('cursor-leads-on', 'stated R6', function* (trace) {
    const pages = trace
      .of(...listings)
      .filter(({ facts }) => facts.cursor !== undefined && facts.nextCursor !== undefined);
    const next = Map.groupBy(pages, ({ facts }) => facts.cursor ?? '');
    for (const at of pages) {
      const { cursor = '', nextCursor = '' } = at.facts;
      const texts = ['the cursor of a later page', 'a cursor that leads back to this page'] as const;
      yield observe(at, [], !leadsTo(next, nextCursor, cursor), '/body/next_cursor', ...texts);
    }
  }),
];

/** Maximum number of pages followed from one page. */
const mostSteps = 1000;

function leadsTo(next: ReadonlyMap<string, readonly TraceEvent[]>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const ahead = [from];
  for (let cursor = ahead.pop(); cursor !== undefined && seen.size < mostSteps; cursor = ahead.pop()) {
    if (cursor === to) return true;
    if (seen.has(cursor)) continue;
    seen.add(cursor);
    ahead.push(...(next.get(cursor) ?? []).flatMap(({ facts }) => facts.nextCursor ?? []));
  }
  return false;
}
