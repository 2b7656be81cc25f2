import type { Mutants } from '../mutant.ts';

/** Mistakes where all that is stored is read, replaced or taken over while calls go on. */
export const replacing: Mutants = {
  'view-loses-removed': {
    title: 'A snapshot lacks what was removed while it was being written',
    target: 'sandbox/store/collection.ts:Collection.take',
    find: 'if (this.#views) for (const view of this.#views) view.removed(row);',
    tests: ['test/store/view.test.ts', 'test/store/reading-contract.test.ts'],
    killedBy: 'any view equals what was stored when it was opened, order included, whatever changes between its rows',
  },
  'view-shows-newer': {
    title: 'A snapshot holds some records as they were and others as they became while it was being written',
    target: 'sandbox/store/collection.ts:Collection.putOver',
    find: 'if (before && !wasLate && this.#views) for (const view of this.#views) view.replaced(before);',
    tests: ['test/store/view.test.ts', 'test/store/replacing-contract.test.ts'],
    killedBy: 'a view holds what is stored when it is asked for, whatever is committed while it is read',
  },
  'failed-view-stays-open': {
    title: 'A snapshot that fails makes every later change dearer, since its view is told of changes for ever',
    target: 'sandbox/store/transactor.ts:Transactor.view',
    find: 'try { return await use(view.slices()); } finally { await view.close(); }',
    replace: 'const used = await use(view.slices()); await view.close(); return used;',
    killedBy: 'a view ends with the one who reads it, also where that fails: changes then cost nothing more',
  },
  'replacement-without-mark': {
    title: 'After a power cut in the middle of a reset the data folder does not open',
    target: 'sandbox/store/replacing.ts:StagedContent.#begin',
    find: "await Journal.create(this.#place, this.seq, { after: 'document' });",
    replace: 'await Journal.create(this.#place, this.seq);',
    tests: ['test/store/replacing.nightly.test.ts'],
    killedBy: 'a power cut before any step of a replacement leaves all of the old content or all of the new',
  },
  'lock-not-checked': {
    title: 'A process that was stopped for a while acknowledges an order after another took its folder over',
    target: 'sandbox/store/folding.ts:FoldingLog.sync',
    find: 'await this.#parts.lock.check();',
    tests: ['test/store/takeover.nightly.test.ts'],
    only: 'a process that is stopped before|a store that was overtaken',
    killedBy: 'a process that is stopped before any step and wakes up after a takeover acknowledges nothing, and',
  },
  'takeover-same-generation': {
    title: 'Two processes write to the same files, since one that takes a folder over goes on in those of the other',
    target: 'sandbox/store/lowdb.ts:openLocked',
    find: 'const place = lock.doubtful ? { ...found, generation: lock.term } : found;',
    replace: 'const place = found;',
    tests: ['test/store/takeover.nightly.test.ts', 'test/store/durability.test.ts'],
    killedBy: 'it loses nothing either where it wakes up before any step of the takeover',
  },
  'newer-names-removed': {
    title: 'A process that was overtaken removes what the one that overtook it has written',
    target: 'sandbox/store/generation.ts:isLeftover',
    find: 'own < generation || (own === generation',
    replace: 'own !== generation || (own === generation',
    tests: ['test/store/takeover.nightly.test.ts', 'test/store/durability.test.ts'],
    killedBy: 'it loses nothing either where it wakes up before any step of the takeover',
  },
};
