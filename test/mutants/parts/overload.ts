import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes where more comes, or is asked for, than can be served at once. */
export const overload: readonly Mutant[] = [
  {
    id: 'own-calls-counted',
    title: 'Orders that were taken in fail, since their calls to the client find no place',
    file: 'sandbox/server/gate.ts',
    find: "    if (kind === 'begun') return uncounted;\n",
    replace: '',
    tests: ['test/server/overload.test.ts'],
    killedBy: 'OP-83: of a burst what was admitted is done, the rest is a whole 503 with Retry-After',
  },
  {
    id: 'one-takes-all-places',
    title: 'A workspace under load takes all places, and every other one is refused',
    file: 'sandbox/server/admission.ts',
    find: 'if (own >= places - this.#inService) return false;',
    replace: 'if (own >= places || this.#inService >= places) return false;',
    tests: ['test/server/admission.test.ts'],
    killedBy: 'OP-83: one alone has half of the places, and each that comes next finds half of what is free',
  },
  {
    id: 'newest-reader-cut',
    title: 'Callers who read are cut off, while those who have stopped to read keep the memory',
    file: 'sandbox/server/unsent.ts',
    find: '    for (const reply of this.#waiting.values()) {\n      if (reply.bytes === 0) break;',
    replace:
      '    for (const reply of this.#waiting.values().filter(({ bytes }) => bytes > 0).toReversed()) {\n      if (reply.bytes === 0) break;',
    tests: ['test/server/unsent.test.ts'],
    killedBy: 'OP-82: who has waited the longest is cut off first',
  },
  {
    id: 'page-of-any-size',
    title: 'A page of a list takes as many bytes as its items happen to have',
    file: 'sandbox/control/page.ts',
    find: 'bytes += Buffer.byteLength(JSON.stringify(item));',
    replace: 'bytes = Buffer.byteLength(JSON.stringify(item));',
    tests: ['test/control/pages.test.ts'],
    killedBy: 'OP-82: a page takes no more than 1 MiB, and the next one goes on behind it',
  },
];
