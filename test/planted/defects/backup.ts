import type { Defect } from '../defect.ts';

/** Mistakes in the file that holds all data of a sandbox. */
export const backup: readonly Defect[] = [
  {
    id: 'cut-backup-imported',
    title: 'A backup that was cut short is taken for a whole one, and workspaces are missing after it was imported',
    file: 'sandbox/store/backup-file.ts',
    find: "        if (this.#opened(line, seal, 'end') === String(count)) return;\n        break;\n",
    replace: '        return;\n',
    tests: ['test/workspaces/backup.test.ts'],
    seenBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
  {
    id: 'backup-lines-move',
    title: 'Lines of a backup open in any order, so that one can be moved or repeated',
    file: 'sandbox/store/backup-file.ts',
    find: `  return \`backup \${line}\`;`,
    replace: "  return line === 'end' ? 'backup end' : 'backup';",
    tests: ['test/workspaces/backup.test.ts'],
    seenBy: 'a file that was changed or cut anywhere is refused before anything is written',
  },
];
