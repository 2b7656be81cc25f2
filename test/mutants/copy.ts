import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, spoil } from './mutant.ts';

/** The top of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is not copied: it is large, made anew by tests, or belongs to the checkout. */
const left = ['node_modules', '.git', '.sandbox-data', 'coverage', 'dist', 'docs/site', 'docs/.build'];

/**
 * A copy of the project in a folder of its own, which mutants are put into. Dependencies are those of the project.
 */
export class Copy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Copy> {
    const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
    const filter = (source: string) => !left.includes(relative(root, source));
    await cp(root, folder, { recursive: true, filter });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new Copy(folder);
  }

  /** Does something while the mutant is in the copy. */
  async with<T>(mutant: Mutant, action: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutant.file);
    const text = await readFile(path, 'utf8');
    const spoilt = spoil(text, mutant);
    if (spoilt === undefined) throw new Error(`${mutant.id}: its text is not in ${mutant.file} exactly once`);
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
