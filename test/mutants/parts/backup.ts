import type { Mutants } from '../mutant.ts';

/** Mistakes in the file that holds all data of a sandbox. */
export const backup: Mutants = {
  'cut-backup-imported': {
    title: 'A truncated backup passes for a complete one, and workspaces are missing after the import',
    target: 'sandbox/workspaces/backup-file.ts:BackupFile.#texts',
    find: "if (this.#opened(line, seal, 'end') === String(count)) return; break;",
    replace: 'return;',
    onDisk: true,
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
  'backup-lines-move': {
    title: 'Lines of a backup decrypt in any order, so that somebody can move or repeat one',
    target: 'sandbox/workspaces/backup-file.ts:lineNumber',
    find: `return \`backup \${line}\`;`,
    replace: "return line === 'end' ? 'backup end' : 'backup';",
    onDisk: true,
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
};
