import type { Mutants } from '../mutant.ts';

/** Mistakes in the file that holds all data of a sandbox. */
export const backup: Mutants = {
  'cut-backup-imported': {
    title: 'A backup that was cut short is taken for a whole one, and workspaces are missing after it was imported',
    target: 'sandbox/workspaces/backup-file.ts:BackupFile.#texts',
    find: "if (this.#opened(line, seal, 'end') === String(count)) return; break;",
    replace: 'return;',
    onDisk: true,
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
  'backup-lines-move': {
    title: 'Lines of a backup open in any order, so that one can be moved or repeated',
    target: 'sandbox/workspaces/backup-file.ts:lineNumber',
    find: `return \`backup \${line}\`;`,
    replace: "return line === 'end' ? 'backup end' : 'backup';",
    onDisk: true,
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
};
