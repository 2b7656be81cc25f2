/** Rules for cursors of the rewards listing: they come from an earlier page and lead to a later one. */
import { callerTraceRule, hostTraceRule, type TraceRule } from '../rule.ts';
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
    for (const { at, issuers } of withIssuers(trace)) {
      const before = issuers.find((issuer) => trace.isBefore(issuer, at));
      if (before !== undefined) yield { at, with: [before] };
      else if (issuers.length > 0 && issuers.every((issuer) => trace.isBefore(at, issuer))) {
        const expected = 'the next_cursor of an earlier page';
        yield { at, with: issuers.slice(0, 1), issue: { pointer, expected, actual: 'a cursor returned later' } };
      }
    }
  }),
  callerTraceRule('cursor-issued', 'stated A8', function* (trace) {
    if (!trace.complete) return;
    for (const { at, issuers } of withIssuers(trace)) {
      // A refused cursor did no harm.
      if (!at.succeeded) continue;
      const issue = { pointer, expected: 'the next_cursor of a page', actual: 'a cursor that no page returned' };
      yield issuers.length > 0 ? { at } : { at, issue, absent: listings };
    }
  }),
  callerTraceRule('cursor-of-the-same-filter', 'OP-12', function* (trace) {
    for (const { at, issuers } of withIssuers(trace)) {
      const [issuer] = issuers;
      if (issuer === undefined || trace.isCut(issuers) || !at.succeeded) continue;
      const filterOf = (event: TraceEvent) => event.facts.filter ?? 'no type';
      if (issuers.some((one) => filterOf(one) === filterOf(at))) yield { at, with: [issuer] };
      else {
        const expected = `${filterOf(issuer)}, as for the page that returned the cursor`;
        yield { at, with: [issuer], issue: { pointer: '/query/type', expected, actual: filterOf(at) } };
      }
    }
  }),
  hostTraceRule('pages-share-no-item', 'OP-12', function* (trace) {
    for (const { at, issuers } of withIssuers(trace)) {
      const [before] = issuers;
      const items = at.facts.items ?? [];
      if (issuers.length !== 1 || before === undefined || items.length === 0) continue;
      const repeated = items.findIndex((sku) => before.facts.items?.includes(sku));
      const expected = 'no item of the previous page';
      const issue = { pointer: `/body/items/${repeated}/sku_code`, expected, actual: items[repeated] };
      yield repeated < 0 ? { at, with: [before] } : { at, with: [before], issue };
    }
  }),
  hostTraceRule('cursor-leads-on', 'stated R6', function* (trace) {
    const next = new Map<string, Set<string>>();
    const pages = trace
      .of(...listings)
      .filter(({ facts }) => facts.cursor !== undefined && facts.nextCursor !== undefined);
    for (const { facts } of pages) {
      const { cursor = '', nextCursor = '' } = facts;
      next.set(cursor, (next.get(cursor) ?? new Set()).add(nextCursor));
    }
    for (const at of pages) {
      const { cursor = '', nextCursor = '' } = at.facts;
      const expected = 'the cursor of a later page';
      const issue = { pointer: '/body/next_cursor', expected, actual: 'a cursor that leads back to this page' };
      yield leadsTo(next, nextCursor, cursor) ? { at, issue } : { at };
    }
  }),
];

/** Maximum number of pages followed from one page. */
const mostSteps = 1000;

function leadsTo(next: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const ahead = [from];
  for (let cursor = ahead.pop(); cursor !== undefined && seen.size < mostSteps; cursor = ahead.pop()) {
    if (cursor === to) return true;
    if (seen.has(cursor)) continue;
    seen.add(cursor);
    ahead.push(...(next.get(cursor) ?? []));
  }
  return false;
}
