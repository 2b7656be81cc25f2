import type { Mutants } from '../mutant.ts';

/** Mistakes under overload: more calls, or larger replies, than the sandbox can serve. */
export const overload: Mutants = {
  'own-calls-counted': {
    title: 'Accepted orders fail, since their calls to the client find no free slot',
    target: 'sandbox/http/concurrency-limit.ts:ConcurrencyLimit.admit',
    find: "if (kind === 'begun') return uncounted;",
    killedBy:
      'OP-83: of a burst, admitted calls succeed, all others get a complete 503 with Retry-After, and the next order is served',
  },
  'one-takes-all-places': {
    title: 'One workspace under load takes all slots, and calls of every other are refused',
    target: 'sandbox/http/concurrency-limit.ts:Slots.isFree',
    find: 'return (this.#byTenant.get(tenant) ?? 0) < this.#most - this.#inService;',
    replace: 'return this.#inService < this.#most;',
    killedBy: 'OP-83: a single tenant gets half of the slots, and each further tenant half of the free ones',
  },
  'newest-reader-cut': {
    title: 'Active readers are disconnected, while stalled readers keep the memory',
    target: 'sandbox/http/slow-readers.ts:SlowReaders.#evict',
    find: 'for (const reply of this.#waiting) { if (reply.bytes === 0) break;',
    replace:
      'for (const reply of [...this.#waiting].filter(({ bytes }) => bytes > 0).toReversed()) { if (reply.bytes === 0) break;',
    killedBy: 'OP-82: the caller that has waited longest is disconnected first',
  },
  'page-of-any-size': {
    title: 'A page of a list has no limit in bytes',
    target: 'sandbox/control/page.ts:within',
    find: 'bytes += Buffer.byteLength(JSON.stringify(item));',
    replace: 'bytes = Buffer.byteLength(JSON.stringify(item));',
    killedBy: 'OP-82: a page has at most 1 MiB, and the next one continues after it',
  },
};
