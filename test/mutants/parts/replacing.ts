import type { Mutants } from '../mutant.ts';

/** Mistakes in copying or replacing a store's whole content during calls. */
export const replacing: Mutants = {
  'view-misses-the-newest': {
    title: 'A snapshot is missing the record that was added last',
    file: 'sandbox/store/row.ts',
    find: 'at < rows.length;',
    replace: 'at < rows.length - 1;',
    tests: ['test/store/slices.test.ts', 'test/store/sorted.test.ts'],
    killedBy: 'a view equals the content at its creation, order included, whatever changes before it is read',
  },
  'replacement-without-its-change': {
    title: 'After a restart, a reset workspace is missing the records that the reset added',
    file: 'sandbox/store/checkpointing-log.ts',
    find: 'await draft.change(changes);',
    tests: ['test/store/replacing.test.ts'],
    killedBy: 'a replacement takes effect even if the log cannot be trimmed after it, and changes continue',
  },
  'replacement-before-the-log': {
    title: 'After a power cut, a reset workspace has changes from before the reset again',
    file: 'sandbox/store/checkpointing-log.ts',
    find: 'await draft.finish(until.sequence);',
    replace: 'await draft.finish(this.#documented);',
    tests: ['test/store/replacing.nightly.test.ts', 'test/store/replacing.test.ts'],
    killedBy: 'a power cut before any step of a replacement leaves all of the old content or all of the new',
  },
  'doubt-ignored': {
    title: 'A store continues although it cannot know whether a reset took effect',
    file: 'sandbox/store/checkpointing-log.ts',
    find: "this.lost = gaveUp('while everything was replaced', cause); throw this.lost;",
    replace: 'throw cause;',
    killedBy: 'if the rename fails with an unknown outcome, the store accepts and writes nothing more',
  },
};
