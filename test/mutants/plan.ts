import type { Mutant } from './mutant.ts';
import { type Place, Sources } from './place.ts';
import { root } from './project-copy.ts';
import { TestFiles } from './test-files.ts';

/** A mutant with its place in the code and the test files to run. */
export interface Planned {
  readonly mutant: Mutant;
  readonly place: Place;
  readonly tests: readonly string[];
}

/** Places each mutant and finds its tests. A line says what does not fit the project, for each mutant that does not. */
export function plan(mutants: readonly Mutant[], folder = root): { planned: Planned[]; complaints: string[] } {
  const sources = new Sources(folder);
  const testFiles = new TestFiles(folder);
  const planned: Planned[] = [];
  const complaints = mutants
    .filter(({ id }, index) => mutants.findIndex((other) => other.id === id) < index)
    .map(({ id }) => `${id}: the id is used twice`);
  for (const mutant of mutants) {
    const place = sources.place(mutant);
    const tests = testFiles.resolve(mutant);
    if ('reason' in place) complaints.push(`${mutant.id}: ${place.reason}`);
    if ('reason' in tests) complaints.push(`${mutant.id}: ${tests.reason}`);
    if (!('reason' in place || 'reason' in tests)) planned.push({ mutant, place, tests });
  }
  return { planned, complaints };
}
