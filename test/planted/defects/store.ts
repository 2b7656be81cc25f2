import type { Defect } from '../defect.ts';

/** Mistakes in the durable store: order of writes, syncs, seals, recovery. */
export const store: readonly Defect[] = [
  {
    id: 'journal-not-synced',
    title: 'An order that was acknowledged is gone after a power cut, since its journal line was never synced',
    file: 'sandbox/store/journal.ts',
    find: `    try {
      await this.#file.sync();
    } catch (cause) {
      // After`,
    replace: `    try {
    } catch (cause) {
      // After`,
    tests: ['test/store/power-cut.test.ts', 'test/store/contract.test.ts'],
    seenBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  {
    id: 'folder-not-synced',
    title: 'A new journal has no name after a power cut, and all that was acknowledged into it is gone',
    file: 'sandbox/store/journal.ts',
    find: '      await files.syncDir(dir);\n',
    replace: '',
    tests: ['test/store/power-cut.test.ts'],
    seenBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  {
    id: 'killed-writes-not-synced',
    title: 'What a killed process wrote is shown after the restart, and gone after a power cut',
    file: 'sandbox/store/journal.ts',
    find: `    try {
      // What was read may have been written but not synced by a process that was killed: readers must not see it go.
      await file.sync();
`,
    replace: '    try {\n',
    tests: ['test/store/power-cut.test.ts'],
    seenBy: 'what a process shows and acknowledges after another was killed at any step survives a power cut',
  },
  {
    id: 'half-write-left',
    title: 'An order that was refused for want of space stands after a restart',
    file: 'sandbox/store/journal.ts',
    find: '      await this.#file.truncate(this.#length);\n',
    replace: '',
    tests: ['test/store/failing-disk.test.ts', 'test/store/power-cut.test.ts'],
    seenBy: 'a write that stops half way is taken back: a kill right after it leaves no trace of it',
  },
  {
    id: 'sync-tried-again',
    title: 'After a failed sync the store goes on, and loses what the system dropped',
    file: 'sandbox/store/journal.ts',
    find: `      this.#broken = true;
      await this.#cutBack(cause);
      throw new StoreError('gave_up', \`The disk failed to keep`,
    replace: `      await this.#cutBack(cause);
      throw new StoreError('refused', \`The disk failed to keep`,
    tests: ['test/store/failing-disk.test.ts', 'test/store/power-cut.test.ts'],
    seenBy: 'nothing more is ever acknowledged: `gave_up`, also for what only reads',
  },
  {
    id: 'acknowledged-before-sync',
    title: 'A caller is told that an order stands while its journal line is not yet on the disk',
    file: 'sandbox/store/transactor.ts',
    find: 'if (transactions.length > 0) await this.#log.persist(transactions);',
    replace: 'if (transactions.length > 0) void this.#log.persist(transactions);',
    tests: ['test/store/durability.test.ts'],
    seenBy: 'nothing is readable or acknowledged while its sync is under way',
  },
  {
    id: 'memory-before-commit',
    title: 'An order is shown that the disk may still refuse',
    file: 'sandbox/store/transactor.ts',
    find: `    try {
      if (this.gaveUp) throw this.gaveUp;`,
    replace: `    try {
      for (const { changes } of outcomes) this.#working.apply(changes);
      if (this.gaveUp) throw this.gaveUp;`,
    tests: ['test/store/durability.test.ts', 'test/store/failing-disk.test.ts'],
    seenBy: 'ENOSPC: `refused` for the whole batch, memory equals disk, and the service goes on when there is room',
  },
  {
    id: 'half-a-change-stays',
    title: 'A change that throws half way leaves the first half of its writes behind',
    file: 'sandbox/store/transactor.ts',
    find: `    } catch (error) {
      return { changes: [], settle: () => reject(error), threw: true };`,
    replace: `    } catch (error) {
      staged.absorb(tx.changes);
      return { changes: tx.changes, settle: () => reject(error), threw: true };`,
    tests: ['test/store/contract.test.ts'],
    seenBy: 'a change that throws writes nothing, rejects with what it threw and does not touch its neighbours',
  },
  {
    id: 'journals-removed-too-soon',
    title: 'A power cut while the document is being written loses everything, since the journals went first',
    file: 'sandbox/store/folding.ts',
    find: `      await low.write();
      this.#folded = seq;
      this.#retryAt = 0;
      await this.#removeOldJournals();`,
    replace: `      await this.#removeOldJournals();
      await low.write();
      this.#folded = seq;
      this.#retryAt = 0;`,
    tests: ['test/store/power-cut.test.ts', 'test/store/contract.test.ts'],
    seenBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  {
    id: 'seal-without-place',
    title: 'Lines of an encrypted journal can change places, and nobody notices',
    file: 'sandbox/store/journal.ts',
    find: `return \`journal \${seq}\`;`,
    replace: "return seq < 0 ? '' : 'journal';",
    tests: ['test/store/encryption.test.ts'],
    seenBy: 'two lines of journal-2.log that changed places are `damaged`',
  },
  {
    id: 'nonce-reused',
    title: 'All lines of a file are encrypted with the same nonce, which gives the key stream away',
    file: 'sandbox/store/seal.ts',
    find: `    return {
      close: (text, place) => encrypt(fileKey, this.#random(NONCE_BYTES), text, place),`,
    replace: `    const nonce = this.#random(NONCE_BYTES);
    return {
      close: (text, place) => encrypt(fileKey, nonce, text, place),`,
    tests: ['test/store/encryption.test.ts'],
    seenBy: 'the same text is sealed differently each time, and under another key in each file',
  },
  {
    id: 'damage-taken-for-torn',
    title: 'A flipped bit in the last line is taken for a torn write, and an acknowledged order is cut off',
    file: 'sandbox/store/journal.ts',
    find: 'if (line.isLast && line.torn) {',
    replace: 'if (line.isLast) {',
    tests: ['test/store/damage.test.ts'],
    seenBy: 'a flipped bit anywhere in the last line, its end included, is `damaged`: it was acknowledged',
  },
  {
    id: 'pruned-too-early',
    title: 'The newest of what still counts is dropped one below the bound',
    file: 'sandbox/store/pruning.ts',
    find: 'tx.count(collection) <= most)) return;',
    replace: 'tx.count(collection) < most)) return;',
    tests: ['test/store/pruning.test.ts'],
    seenBy: 'OP-57: as many as the bound says stay, and one more drops the one that ends first',
  },
  {
    id: 'pruned-never',
    title: 'What no longer counts is kept for ever, and the data folder grows without end',
    file: 'sandbox/store/pruning.ts',
    find: 'if (first === undefined || (first.until >= now && ',
    replace: 'if (first === undefined || (first.until >= 0 && ',
    tests: ['test/store/pruning.test.ts', 'test/store/contract.test.ts'],
    seenBy: 'OP-57: two go for each that comes, so that what a burst left is gone soon',
  },
];
