import type { Defect } from '../defect.ts';

/** Mistakes in what leaves memory: segments, folds that write them, merges. */
export const history: readonly Defect[] = [
  {
    id: 'segment-not-synced',
    title: 'Delivered orders are gone after a power cut, since their segment was never synced',
    file: 'sandbox/store/segment-writer.ts',
    find: '    await this.#file.sync();\n',
    replace: '',
    tests: ['test/store/power-cut.test.ts', 'test/store/segments.test.ts'],
    seenBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  {
    id: 'hidden-not-noted',
    title: 'A voucher that was taken back is in the wallet again after a restart',
    file: 'sandbox/store/history.ts',
    find: '.filter(([, held]) => held.hidden.count > 0)',
    replace: '.filter(([, held]) => held.hidden.count < 0)',
    tests: ['test/store/segments.test.ts'],
    seenBy: 'a record of history that changes comes back to memory in its place, and leaves it again',
  },
  {
    id: 'changed-row-left',
    title: 'An order that changed while it was written to a segment is shown as it was before',
    file: 'sandbox/store/layered.ts',
    find: 'if (this.memory.row(row.id) !== row) return;',
    replace: 'if (this.memory.row(row.id) === undefined) return;',
    tests: ['test/store/history-model.test.ts', 'test/store/contract.test.ts'],
    seenBy: 'any changes, folds, merges, views, replacements and restarts leave both with the same',
  },
  {
    id: 'merge-forgets-removal',
    title: 'A message that was dropped while segments were merged is in the outbox again',
    file: 'sandbox/store/archiving.ts',
    find: 'if (hidden.has(number) && !before.hidden.has(number))',
    replace: 'if (hidden.has(number) && before.hidden.has(number))',
    tests: ['test/store/segments.test.ts'],
    seenBy: 'what is removed or changed while segments are merged stays so',
  },
  {
    id: 'unread-is-missing',
    title: 'A wallet leaves out vouchers that the disk fails to give',
    file: 'sandbox/store/segment.ts',
    find: '      throw unreadable(this.path, cause);\n',
    replace: '      if (unreadable(this.path, cause)) return [{ id: key, ordinal: 0, record: {} }];\n',
    tests: ['test/store/segments.test.ts'],
    seenBy: 'a record that the disk does not give is an error, never a record that is missing',
  },
];
