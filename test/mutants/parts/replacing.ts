import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes where all that is stored is read, replaced or taken over while calls go on. */
export const replacing: readonly Mutant[] = [
  {
    id: 'view-loses-removed',
    title: 'A snapshot lacks what was removed while it was being written',
    file: 'sandbox/store/collection.ts',
    find: '    if (this.#views) for (const view of this.#views) view.removed(row);\n',
    replace: '',
    tests: ['test/store/view.test.ts', 'test/store/reading-contract.test.ts'],
    killedBy: 'any view equals what was stored when it was opened, order included, whatever changes between its rows',
  },
  {
    id: 'view-shows-newer',
    title: 'A snapshot holds some records as they were and others as they became while it was being written',
    file: 'sandbox/store/collection.ts',
    find: '    if (before && !wasLate && this.#views) for (const view of this.#views) view.replaced(before);\n',
    replace: '',
    tests: ['test/store/view.test.ts', 'test/store/replacing-contract.test.ts'],
    killedBy: 'a view holds what is stored when it is asked for, whatever is committed while it is read',
  },
  {
    id: 'failed-view-stays-open',
    title: 'A snapshot that fails makes every later change dearer, since its view is told of changes for ever',
    file: 'sandbox/store/transactor.ts',
    find: `    try {
      return await use(view.slices());
    } finally {
      await view.close();
    }`,
    replace: `    const used = await use(view.slices());
    await view.close();
    return used;`,
    tests: ['test/store/replacing-contract.test.ts'],
    killedBy: 'a view ends with the one who reads it, also where that fails: changes then cost nothing more',
  },
  {
    id: 'replacement-without-mark',
    title: 'After a power cut in the middle of a reset the data folder does not open',
    file: 'sandbox/store/replacing.ts',
    find: "await Journal.create(this.#place, this.seq, { after: 'document' });",
    replace: 'await Journal.create(this.#place, this.seq);',
    tests: ['test/store/replacing.test.ts'],
    killedBy: 'a power cut before any step of a replacement leaves all of the old content or all of the new',
  },
  {
    id: 'lock-not-checked',
    title: 'A process that was stopped for a while acknowledges an order after another took its folder over',
    file: 'sandbox/store/folding.ts',
    find: `and after it has.
    await this.#parts.lock.check();`,
    replace: 'and after it has.',
    tests: ['test/store/takeover.test.ts'],
    only: 'a process that is stopped before|a store that was overtaken',
    killedBy:
      'a process that is stopped before any step and wakes up after a takeover acknowledges nothing, and nothing is lost',
  },
  {
    id: 'takeover-same-generation',
    title: 'Two processes write to the same files, since one that takes a folder over goes on in those of the other',
    file: 'sandbox/store/lowdb.ts',
    find: 'const place = lock.doubtful ? { ...found, generation: lock.term } : found;',
    replace: 'const place = found;',
    tests: ['test/store/takeover.test.ts', 'test/store/durability.test.ts'],
    killedBy: 'it loses nothing either where it wakes up before any step of the takeover',
  },
  {
    id: 'newer-names-removed',
    title: 'A process that was overtaken removes what the one that overtook it has written',
    file: 'sandbox/store/generation.ts',
    find: 'own < generation || (own === generation',
    replace: 'own !== generation || (own === generation',
    tests: ['test/store/takeover.test.ts', 'test/store/durability.test.ts'],
    killedBy: 'it loses nothing either where it wakes up before any step of the takeover',
  },
];
