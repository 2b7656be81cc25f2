/** A copy of the project, which a test may change. */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Large, rebuilt by tests, or part of the checkout. */
const excluded = ['node_modules', '.git', '.sandbox-data', 'coverage', 'dist', 'docs/site', 'docs/.build'];

/** Copies a project into a temporary folder that ends with the scope. Its dependencies are a link to those of the project. */
export async function copyOf(folder: string): Promise<{ readonly folder: string } & AsyncDisposable> {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'));
  await cp(folder, copy, { recursive: true, filter: (source) => !excluded.includes(relative(folder, source)) });
  await symlink(join(folder, 'node_modules'), join(copy, 'node_modules'));
  return { folder: copy, [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }) };
}
