import type { Mutants } from '../mutant.ts';

/** Mistakes under overload, with more calls or larger replies than the sandbox can serve. */
export const overload: Mutants = {
  'own-calls-counted': {
    title: 'Accepted orders fail, since their calls to the client find no free slot',
    file: 'sandbox/http/arrival.ts',
    find: 'if (path === healthPath || workspaces.isOwnCall(req)) return next();',
    killedBy: 'OP-83: the calls of an order to the sandbox itself need no slot',
  },
  'one-takes-all-places': {
    title: 'One workspace under load takes all slots, and calls of every other are refused',
    file: 'sandbox/http/fair-queue.ts',
    find: 'if (inService >= (this.#options.most ?? mostInService) - this.#inService) return false;',
    replace: 'if (this.#inService >= (this.#options.most ?? mostInService)) return false;',
    killedBy: 'OP-83: a single tenant gets half of the slots, and each further tenant half of the free ones',
  },
  'one-has-the-processor': {
    title: 'A workspace with many connections leaves others hardly any of the processor',
    file: 'sandbox/http/fair-queue.ts',
    find: 'tenant.rest += tenant.inWork.size * price - passed;',
    replace: 'tenant.rest = 0;',
    killedBy: 'OP-83: a tenant rests until others have had as much of the event loop, which idles or works for them',
  },
  'waits-without-end': {
    title: 'Under overload, calls wait until their callers give up',
    file: 'sandbox/http/fair-queue.ts',
    find: 'while (isOver()) waiting.shift()?.settle(undefined);',
    killedBy: 'OP-83: a wait ends after a second, and what was refused does not begin later',
  },
  'oldest-tenant-first': {
    title: 'Of workspaces that wait, the one that came first gets every turn',
    file: 'sandbox/http/fair-queue.ts',
    find: 'tenant.waiting.shift(); this.#tenants.delete(name);',
    replace: 'tenant.waiting.shift();',
    killedBy: 'OP-83: tenants that wait get one turn each, whatever the number of their calls',
  },
  'newest-reader-cut': {
    title: 'Active readers are disconnected, while stalled readers keep the memory',
    file: 'sandbox/http/connections.ts',
    find: 'for (const reply of this.#waiting) { if (reply.bytes === 0) break;',
    replace:
      'for (const reply of [...this.#waiting].filter(({ bytes }) => bytes > 0).toReversed()) { if (reply.bytes === 0) break;',
    killedBy: 'OP-82: the caller that has waited longest is disconnected first',
  },
  'page-of-any-size': {
    title: 'A page of a list has no limit in bytes',
    file: 'sandbox/control/control.ts',
    find: 'bytes += Buffer.byteLength(JSON.stringify(item));',
    replace: 'bytes = Buffer.byteLength(JSON.stringify(item));',
    killedBy: 'OP-82: a page has at most 1 MiB, and the next one continues after it',
  },
};
