import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Defect, spoil } from './defect.ts';

/** The top of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is not copied: it is large, made anew by tests, or belongs to the checkout. */
const left = ['node_modules', '.git', '.sandbox-data', 'coverage', 'dist', 'docs/site', 'docs/.build'];

/**
 * A copy of the project in a folder of its own, which defects are planted in. Dependencies are those of the project.
 */
export class Copy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Copy> {
    const folder = await mkdtemp(join(tmpdir(), 'planted-'));
    const filter = (source: string) => !left.includes(relative(root, source));
    await cp(root, folder, { recursive: true, filter });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new Copy(folder);
  }

  /** Does something while the defect is in the copy. */
  async with<T>(defect: Defect, action: () => Promise<T>): Promise<T> {
    const path = join(this.folder, defect.file);
    const text = await readFile(path, 'utf8');
    const spoilt = spoil(text, defect);
    if (spoilt === undefined) throw new Error(`${defect.id}: its text is not in ${defect.file} exactly once`);
    await writeFile(path, spoilt);
    try {
      return await action();
    } finally {
      await writeFile(path, text);
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
