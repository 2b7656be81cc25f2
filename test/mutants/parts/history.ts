import type { Mutants } from '../mutant.ts';

/** Mistakes in what leaves memory: segments, folds that write them, merges. */
export const history: Mutants = {
  'segment-not-synced': {
    title: 'Delivered orders are gone after a power cut, since their segment was never synced',
    target: 'sandbox/store/segment-writer.ts:SegmentWriter.finish',
    find: 'await this.#file.sync();',
    tests: ['test/store/power-cut.nightly.test.ts', 'test/store/segments.test.ts'],
    killedBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  'hidden-not-noted': {
    title: 'A voucher that was taken back is in the wallet again after a restart',
    target: 'sandbox/store/history.ts:noteOf',
    find: '.filter(([, held]) => held.hidden.count > 0)',
    replace: '.filter(([, held]) => held.hidden.count < 0)',
    killedBy: 'a record of history that changes comes back to memory in its place, and leaves it again',
  },
  'changed-row-left': {
    title: 'An order that changed while it was written to a segment is shown as it was before',
    target: 'sandbox/store/layered.ts:LayeredCollection.leave',
    find: 'if (this.memory.row(row.id) !== row) return;',
    replace: 'if (this.memory.row(row.id) === undefined) return;',
    tests: ['test/store/history-model.nightly.test.ts', 'test/store/contract.test.ts'],
    killedBy: 'any changes, folds, merges, views, replacements and restarts leave both with the same',
  },
  'merge-forgets-removal': {
    title: 'A message that was dropped while segments were merged is in the outbox again',
    target: 'sandbox/store/archiving.ts:Archiving.#mergedNow',
    find: 'if (hidden.has(number) && !before.hidden.has(number))',
    replace: 'if (hidden.has(number) && before.hidden.has(number))',
    killedBy: 'what is removed or changed while segments are merged stays so',
  },
  'unread-is-missing': {
    title: 'A wallet leaves out vouchers that the disk fails to give',
    target: 'sandbox/store/segment.ts:Segment.block',
    find: 'throw unreadable(this.path, cause);',
    replace: 'if (unreadable(this.path, cause)) return [{ id: key, ordinal: 0, record: {} }];',
    killedBy: 'a record that the disk does not give is an error, never a record that is missing',
  },
  'filter-of-another-width': {
    title: 'An order that is stored cannot be found, since its filter says that it is not there',
    target: 'sandbox/store/entries.ts:Filter.mayHave',
    find: 'const bit = hash >>> this.#shift;',
    replace: 'const bit = (hash >>> this.#shift) ^ 1;',
    killedBy: 'rows are found under each key, with none left out, by any seed and by none',
  },
  'hash-without-seed': {
    title: 'A caller who chooses references makes each look-up read thousands of records',
    target: 'sandbox/store/row-hash.ts:hashOf',
    find: 'seed === undefined ? unseeded(key)',
    replace: 'seed === undefined || seed.length > 0 ? unseeded(key)',
    killedBy: 'a hash depends on each character, on the length and on the seed',
  },
};
