import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, root } from './copy.ts';
import { type Mutant, spoil } from './mutant.ts';
import { judge, type Verdict } from './verdict.ts';
import { type Bounds, isNightly, runTests, titlesIn } from './vitest.ts';

/** How many mutants are tried at a time. */
const workers = 2;
/** Longest that each test and all tests of one mutant may take, and all named test files without any, in seconds. */
export const limits = { test: 30, hangingTest: 15, mutant: 90, sound: 600 } as const;
/** How much longer tests of the nightly suite may take. */
const nightlyFactor = 3;

export interface Tried extends Verdict {
  readonly mutant: Mutant;
  readonly seconds: number;
}

/** The list of mutants does not fit the project any more, or the tests fail without a mutant. */
export class ListError extends Error {}

/** What is wrong with the list itself, before anything runs: a line for each mutant that does not fit the project. */
export function stale(mutants: readonly Mutant[]): string[] {
  return mutants.flatMap((mutant, index) => {
    const { id, file, tests } = mutant;
    const gone = [file, ...tests].filter((path) => !existsSync(join(root, path)));
    const twice = mutants.findIndex((other) => other.id === id) < index;
    const lost = !gone.includes(file) && spoil(readFileSync(join(root, file), 'utf8'), mutant) === undefined;
    return [
      ...gone.map((path) => `${id}: there is no file ${path}`),
      ...(twice ? [`${id}: the id is used twice`] : []),
      ...(lost ? [`${id}: the text to replace is not in ${file} exactly once`] : []),
    ];
  });
}

/**
 * How a run of the list goes. `tell` is told of each mutant as soon as it has been tried; `limitSeconds` is for each.
 */
export interface Running extends Partial<Pick<Bounds, 'limitSeconds' | 'signal'>> {
  readonly tell?: (tried: Tried) => void;
  /** Whether it is known that all tests pass without a mutant, as after the short suite. Left out, they are run first. */
  readonly isSound?: boolean;
}

/**
 * Tries mutants, some at a time, each in a copy of the project. First all their test files run without a mutant, and have
 * to pass. Throws a ListError where the list does not fit the project, as where a test that is named is not there.
 */
export async function tryMutants(mutants: readonly Mutant[], running: Running = {}): Promise<Tried[]> {
  const {
    tell = () => {},
    limitSeconds = limits.mutant,
    isSound = false,
    signal = new AbortController().signal,
  } = running;
  const complaints = stale(mutants);
  if (complaints.length > 0) throw new ListError(complaints.join('\n'));
  const [first, ...others] = await Promise.all([
    Copy.make(),
    ...Array.from({ length: workers - 1 }, () => Copy.make()),
  ]);
  const copies = [first, ...others];
  try {
    const missing = await withoutTest(first.folder, mutants, signal);
    if (missing.length > 0) throw new ListError(missing.join('\n'));
    if (!isSound) await expectSound(first, mutants, signal);
    const waiting = [...mutants];
    const tried: Tried[] = [];
    const work = async (copy: Copy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        // What is to hang is not waited for as long as what is only to fail.
        const testSeconds = mutant.hangs ? limits.hangingTest : limits.test;
        const factor = isNightly(mutant.tests) ? nightlyFactor : 1;
        const each = { limitSeconds: limitSeconds * factor, testSeconds: testSeconds * factor };
        const one = await tryOne(copy, mutant, { ...each, workers: 1, signal });
        tried.push(one);
        tell(one);
      }
    };
    await Promise.all(copies.map(work));
    return mutants.flatMap((mutant) => tried.filter((one) => one.mutant === mutant));
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
}

async function tryOne(copy: Copy, mutant: Mutant, bounds: Bounds): Promise<Tried> {
  const start = performance.now();
  const run = () => runTests(copy.folder, mutant.tests, { ...bounds, only: mutant.only });
  const verdict = await copy.with(mutant, async () => {
    const first = judge(mutant, await run());
    // Where all tests fail, or run out of their time, that tells nothing; on a busy machine it happens by itself.
    return ['crashed', 'timed out'].includes(first.outcome) ? judge(mutant, await run()) : first;
  });
  return { ...verdict, mutant, seconds: (performance.now() - start) / 1000 };
}

/** Which mutants name a test that is not there, told for each. The files are read, and no test is run. */
export async function withoutTest(
  folder: string,
  mutants: readonly Mutant[],
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const titles: string[] = [];
  for (const files of suitesOf(mutants)) {
    titles.push(...(await titlesIn(folder, files, { limitSeconds: limits.sound, signal })));
  }
  const missing = mutants.filter(({ killedBy }) => !titles.some((title) => title.includes(killedBy)));
  return missing.map(({ id, killedBy }) => `${id}: no test is called "${killedBy}"`);
}

/** Throws unless all tests of these mutants pass without any. */
async function expectSound({ folder }: Copy, mutants: readonly Mutant[], signal: AbortSignal): Promise<void> {
  for (const files of suitesOf(mutants)) {
    const run = await runTests(folder, files, { limitSeconds: limits.sound, workers, signal });
    if (run.ended === 'timed out') throw new ListError(`the tests take over ${limits.sound} s without any mutant`);
    const failed = [...run.broken, ...run.tests.filter(({ passed }) => !passed).map(({ title }) => title)];
    if (failed.length > 0) throw new ListError(`the tests fail without any mutant:\n${failed.join('\n')}`);
  }
}

/** The test files that mutants name, those of the short suite and those of the long one, where there are any. */
function suitesOf(mutants: readonly Mutant[]): string[][] {
  const files = [...new Set(mutants.flatMap(({ tests }) => tests))];
  const suites = [files.filter((file) => !isNightly([file])), files.filter((file) => isNightly([file]))];
  return suites.filter((suite) => suite.length > 0);
}
