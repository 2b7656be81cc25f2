import { readFileSync, writeFileSync } from 'node:fs';
import { root } from '../harness/project-copy.ts';
import type { Mutant } from './mutant.ts';
import { type Place, Sources } from './place.ts';
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

/**
 * Rewrites the targets of mutants that have moved, and their test files, in the files of the list. Returns a line for
 * each change.
 */
export function relocate(mutants: readonly Mutant[], listFiles: readonly string[], folder = root): string[] {
  const sources = new Sources(folder);
  const testFiles = new TestFiles(folder);
  const rewrite = (id: string, from: string, to: string | undefined) => {
    if (to === undefined || from === to) return [];
    for (const file of listFiles) {
      const text = readFileSync(file, 'utf8');
      const entry = text.indexOf(`'${id}': {`);
      const value = entry < 0 ? -1 : text.indexOf(`'${from}'`, entry);
      if (value >= 0) writeFileSync(file, `${text.slice(0, value)}'${to}'${text.slice(value + from.length + 2)}`);
    }
    return [`${id}: ${from} is now ${to}`];
  };
  return mutants.flatMap((mutant) => {
    const place = sources.place(mutant);
    const files = testFiles.resolve(mutant);
    const named = mutant.tests ?? [];
    const target = 'reason' in place ? place.moveTo : place.target;
    const tests = 'reason' in files || files.length !== named.length ? named : files;
    return [
      ...rewrite(mutant.id, mutant.target, target),
      ...named.flatMap((file, index) => rewrite(mutant.id, file, tests[index])),
    ];
  });
}
