import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes in the durable store: order of writes, syncs, seals, recovery. */
export const store: readonly Mutant[] = [
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
    killedBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  {
    id: 'folder-not-synced',
    title: 'A new journal has no name after a power cut, and all that was acknowledged into it is gone',
    file: 'sandbox/store/journal.ts',
    find: '      await files.syncDir(dir);\n',
    replace: '',
    tests: ['test/store/power-cut.test.ts'],
    killedBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
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
    killedBy: 'what a process shows and acknowledges after another was killed at any step survives a power cut',
  },
  {
    id: 'half-write-left',
    title: 'An order that was refused for want of space stands after a restart',
    file: 'sandbox/store/journal.ts',
    find: '      await this.#file.truncate(this.#end.length);\n',
    replace: '',
    tests: ['test/store/failing-disk.test.ts', 'test/store/power-cut.test.ts'],
    killedBy: 'a write that stops half way is taken back: a kill right after it leaves no trace of it',
  },
  {
    id: 'sync-tried-again',
    title: 'After a failed sync the store goes on, and loses what the system dropped',
    file: 'sandbox/store/journal.ts',
    find: `      this.#broken = true;
      throw new StoreError('gave_up', \`The disk failed to keep a write (\${systemCode(cause) ?? cause}): restart\`, {
        cause,
      });
`,
    replace: '      if (cause) await this.#file.sync();\n',
    tests: ['test/store/failing-disk.test.ts', 'test/store/power-cut.test.ts'],
    killedBy: 'nothing more is ever acknowledged: `gave_up`, also for what only reads',
  },
  {
    id: 'acknowledged-before-sync',
    title: 'A caller is told that an order stands while its journal line is not yet on the disk',
    file: 'sandbox/store/transactor.ts',
    find: `        await this.#log.sync();
        flushed?.();`,
    replace: `        void this.#log.sync();
        flushed?.();`,
    tests: ['test/store/durability.test.ts'],
    only: 'nothing is readable or|a path that cannot be a folder',
    killedBy: 'nothing is readable or acknowledged while its sync is under way',
  },
  {
    id: 'memory-before-commit',
    title: 'An order is shown that the disk may still refuse',
    file: 'sandbox/store/transactor.ts',
    find: '    const bytes = transactions.length === 0 ? 0 : this.#log.write(transactions, answered.length > 0);\n',
    replace: `    for (const { changes } of outcomes) this.#working.apply(changes);
    const bytes = transactions.length === 0 ? 0 : this.#log.write(transactions, answered.length > 0);
`,
    tests: ['test/store/failing-disk.test.ts'],
    only: 'ENOSPC: `refused`|a write that stops half way',
    killedBy: 'ENOSPC: `refused` for the whole batch, memory equals disk, and the service goes on when there is room',
  },
  {
    id: 'half-a-change-stays',
    title: 'A change that throws half way leaves the first half of its writes behind',
    file: 'sandbox/store/running.ts',
    find: `    tx.undo();
    const waits = allWait || !tx.touchedOnly('written');
    return { changes: [], replaced: [], settle: () => reject(error), reject, threw: true, waits };`,
    replace: `    const waits = allWait || !tx.touchedOnly('written');
    return { changes: tx.changes, replaced: [], settle: () => reject(error), reject, threw: true, waits };`,
    tests: ['test/store/contract.test.ts'],
    killedBy: 'a change that throws writes nothing, rejects with what it threw and does not touch its neighbours',
  },
  {
    id: 'half-a-change-is-staged',
    title:
      'A change that throws half way is written by nobody, and yet the next one is decided on top of its first half',
    file: 'sandbox/store/running.ts',
    find: '    tx.undo();\n',
    replace: '',
    tests: ['test/store/contract.test.ts'],
    killedBy: 'a change that throws writes nothing, rejects with what it threw and does not touch its neighbours',
  },
  {
    id: 'journals-removed-too-soon',
    title: 'A power cut while the document is being written loses everything, since the journals went first',
    file: 'sandbox/store/folding.ts',
    find: `      await this.#write(archiving);
      this.#folded = seq;`,
    replace: `      await this.#removeOld();
      await this.#write(archiving);
      this.#folded = seq;`,
    tests: ['test/store/power-cut.test.ts', 'test/store/contract.test.ts'],
    killedBy: 'a power cut before any step of opening, appending, folding and closing loses nothing acknowledged',
  },
  {
    id: 'seal-without-place',
    title: 'Lines of an encrypted journal can change places, and nobody notices',
    file: 'sandbox/store/journal.ts',
    find: `return \`journal \${seq}\`;`,
    replace: "return seq < 0 ? '' : 'journal';",
    tests: ['test/store/encryption.test.ts'],
    killedBy: 'two lines of journal-2.log that changed places, each with the number of the other, are `damaged`',
  },
  {
    id: 'nonce-reused',
    title: 'All lines of a file are encrypted with the same nonce, which gives the key stream away',
    file: 'sandbox/store/seal.ts',
    find: `    return {
      close: (text, place) => encrypt(fileKey, this.#nonce(), Buffer.from(text), place).toString('base64'),`,
    replace: `    const nonce = this.#nonce();
    return {
      close: (text, place) => encrypt(fileKey, nonce, Buffer.from(text), place).toString('base64'),`,
    tests: ['test/store/encryption.test.ts'],
    killedBy: 'the same text is sealed differently each time, and under another key in each file',
  },
  {
    id: 'damage-taken-for-torn',
    title: 'A flipped bit in the last line is taken for a torn write, and an acknowledged order is cut off',
    file: 'sandbox/store/journal.ts',
    find: '      if (!piece.torn) return false;\n',
    replace: '',
    tests: ['test/store/damage.test.ts'],
    killedBy: 'a flipped bit anywhere in the last line, its end included, is `damaged`: it was acknowledged',
  },
  {
    id: 'synced-line-cut-off',
    title: 'A damaged line that was synced is taken for one that a power cut tore, and is cut off with all after it',
    file: 'sandbox/store/journal.ts',
    find: 'if (!isTorn || later <= next || decode(text, 2).synced >= number) return false;',
    replace: 'if (!isTorn || later <= next) return false;',
    tests: ['test/store/journal-forms.test.ts'],
    killedBy: 'OP-74: a line that a later one says was synced is `damaged` where it is lost, torn or flipped',
  },
  {
    id: 'later-lines-vouched-for',
    title: 'A sync counts for what was written after it began, so that a folder does not open after a power cut',
    file: 'sandbox/store/journal.ts',
    find: '    this.#synced = end;\n  }\n\n  /** What',
    replace: '    this.#synced = this.#end;\n  }\n\n  /** What',
    tests: ['test/store/journal-forms.test.ts'],
    killedBy: 'OP-74: a line that a later one says was synced is `damaged` where it is lost, torn or flipped',
  },
  {
    id: 'history-is-read-to-change-it',
    title: 'What is durable is refused where a row that it replaces cannot be read again',
    file: 'sandbox/store/transactor.ts',
    find: '      for (const { replaced } of outcomes) this.#working.hold(replaced);\n',
    replace: '',
    tests: ['test/store/unread.test.ts', 'test/store/view.test.ts'],
    killedBy: 'OP-94: a row of history is changed while others read so much that what was read of it is forgotten',
  },
  {
    id: 'fold-takes-a-row-that-changes',
    title: 'A fold lets a row go from memory that a change waits for',
    file: 'sandbox/store/layered.ts',
    find: 'if (known !== undefined && !isMoving) return;',
    replace: 'if (known !== undefined) return;',
    tests: ['test/store/unread.test.ts'],
    killedBy: 'OP-94: a row of history is changed while a fold that moved it ends before the change is synced',
  },
  {
    id: 'written-waits',
    title: 'A listing waits for the disk while an order is being synced',
    file: 'sandbox/store/running.ts',
    find: "const waits = allWait || !tx.touchedOnly('written');\n    const { changes, replaced } = tx;",
    replace: 'const waits = tx !== undefined;\n    const { changes, replaced } = tx;',
    tests: ['test/store/two-durabilities.test.ts'],
    only: 'what is written is acknowledged while|batches are written while',
    killedBy: 'OP-74: what is written is acknowledged while a sync is under way, and is with the system then',
  },
  {
    id: 'told-before-sync',
    title: 'A caller is told of an order that a failing sync then takes back',
    file: 'sandbox/store/working-set.ts',
    find: "return durability === 'written' ? written && !synced : synced && !written;",
    replace:
      "return this.changes.length === 0 || (durability === 'written' ? written && !synced : synced && !written);",
    tests: ['test/store/two-durabilities.test.ts'],
    only: 'waits for a sync only where|a change of both kinds',
    killedBy: 'OP-74: one that changes nothing waits for a sync only where it touched what is being synced, or nothing',
  },
  {
    id: 'written-after-takeover',
    title: 'A process that lost its folder accepts a call that nobody will know of',
    file: 'sandbox/store/folding.ts',
    find: '    if (acknowledged) this.#parts.lock.checkNow();\n',
    replace: '',
    tests: ['test/store/two-durabilities.test.ts'],
    killedBy: 'OP-74: who lost its folder acknowledges nothing that it writes',
  },
  {
    id: 'pruned-too-early',
    title: 'The newest of what still counts is dropped one below the bound',
    file: 'sandbox/store/pruning.ts',
    find: 'tx.count(collection) <= most)) return;',
    replace: 'tx.count(collection) < most)) return;',
    tests: ['test/store/pruning.test.ts'],
    killedBy: 'OP-57: as many as the bound says stay, and one more drops the one that ends first',
  },
  {
    id: 'pruned-never',
    title: 'What no longer counts is kept for ever, and the data folder grows without end',
    file: 'sandbox/store/pruning.ts',
    find: 'if (first === undefined || (first.until >= now && ',
    replace: 'if (first === undefined || (first.until >= 0 && ',
    tests: ['test/store/pruning.test.ts', 'test/store/contract.test.ts'],
    killedBy: 'OP-57: two go for each that comes, so that what a burst left is gone soon',
  },
];
