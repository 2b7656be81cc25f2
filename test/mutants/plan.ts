import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFiles } from '../harness/sources.ts';
import type { Mutant } from './mutant.ts';

/** The project root. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A mutant with the changed text of its file and the test files to run. */
export interface Planned {
  readonly mutant: Mutant;
  readonly changed: string;
  readonly tests: readonly string[];
}

/** Locates the code and the tests of each mutant. A complaint explains why a mutant does not match the project. */
export function plan(mutants: readonly Mutant[]): { planned: Planned[]; complaints: string[] } {
  const complaints: string[] = [];
  const planned = mutants.map((mutant, index) => {
    const complain = (reason: string) => complaints.push(`${mutant.id}: ${reason}`);
    if (mutants.findIndex(({ id }) => id === mutant.id) < index) complain('the id is used twice');
    const { file, find, replace = '' } = mutant;
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    const pattern = new RegExp(find.split(/\s+/).map(RegExp.escape).join(String.raw`\s+`), 'g');
    const places = [...text.matchAll(pattern)].length;
    if (places !== 1) complain(`${file} has "${find}" ${places} times`);
    const tests = mutant.tests ?? filesWith(mutant.killedBy);
    const missing = tests.filter((path) => !existsSync(join(root, path)));
    if (missing.length > 0) complain(`there is no ${missing.join(', ')}`);
    if (mutant.tests === undefined && tests.length !== 1)
      complain(`${tests.length} test files have the title "${mutant.killedBy}"; name one in \`tests\``);
    return { mutant, changed: text.replace(pattern, () => replace), tests };
  });
  return { planned, complaints };
}

/** Each test file as a single line, because titles are searched in it. */
const testFiles = projectFiles('test/**/*.test.ts').map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'").replace(/\s+/g, ' '),
}));

/** Returns the files that contain a title. Prefers files of the gate if there are any. */
function filesWith(title: string): string[] {
  const found = testFiles.filter(({ text }) => text.includes(title)).map(({ path }) => path);
  const gate = found.filter((path) => !path.endsWith('.nightly.test.ts'));
  return gate.length > 0 ? gate : found;
}
