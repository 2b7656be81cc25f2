import type { Mutants } from '../mutant.ts';

/** Mistakes in the backup file, which contains all data of a sandbox. */
export const backup: Mutants = {
  'cut-backup-imported': {
    title: 'A truncated backup passes for a complete one, and workspaces are missing after the import',
    file: 'sandbox/workspaces/backup-file.ts',
    find: "if (this.#opened(line, seal, 'end') === String(count)) return; break;",
    replace: 'return;',
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
  'backup-lines-move': {
    title: 'Lines of a backup decrypt in any order, so that somebody can move or repeat one',
    file: 'sandbox/workspaces/backup-file.ts',
    find: `return \`backup \${line}\`;`,
    replace: "return line === 'end' ? 'backup end' : 'backup';",
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
};
