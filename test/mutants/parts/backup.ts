import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes in the file that holds all data of a sandbox. */
export const backup: readonly Mutant[] = [
  {
    id: 'cut-backup-imported',
    title: 'A backup that was cut short is taken for a whole one, and workspaces are missing after it was imported',
    file: 'sandbox/store/backup-file.ts',
    find: "        if (this.#opened(line, seal, 'end') === String(count)) return;\n        break;\n",
    replace: '        return;\n',
    tests: ['test/workspaces/backup.test.ts'],
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
  {
    id: 'backup-lines-move',
    title: 'Lines of a backup open in any order, so that one can be moved or repeated',
    file: 'sandbox/store/backup-file.ts',
    find: `  return \`backup \${line}\`;`,
    replace: "  return line === 'end' ? 'backup end' : 'backup';",
    tests: ['test/workspaces/backup.test.ts'],
    killedBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
];
