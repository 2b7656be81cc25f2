import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, root } from './copy.ts';
import { type Defect, spoil } from './defect.ts';
import { judge, type Verdict } from './verdict.ts';
import { type Bounds, isNightly, runTests, titlesIn } from './vitest.ts';

/** How many defects are tried at a time. */
const workers = 2;
/** Longest that each test and all tests of one defect may take, and all named test files without any, in seconds. */
export const limits = { test: 30, hangingTest: 15, defect: 90, sound: 600 } as const;
/** How much longer tests of the nightly suite may take. */
const nightlyFactor = 3;

export interface Tried extends Verdict {
  readonly defect: Defect;
  readonly seconds: number;
}

/** The list of defects does not fit the project any more, or the tests fail without a defect. */
export class ListError extends Error {}

/** What is wrong with the list itself, before anything runs: a line for each defect that does not fit the project. */
export function stale(defects: readonly Defect[]): string[] {
  return defects.flatMap((defect, index) => {
    const { id, file, tests } = defect;
    const gone = [file, ...tests].filter((path) => !existsSync(join(root, path)));
    const twice = defects.findIndex((other) => other.id === id) < index;
    const lost = !gone.includes(file) && spoil(readFileSync(join(root, file), 'utf8'), defect) === undefined;
    return [
      ...gone.map((path) => `${id}: there is no file ${path}`),
      ...(twice ? [`${id}: the id is used twice`] : []),
      ...(lost ? [`${id}: the text to replace is not in ${file} exactly once`] : []),
    ];
  });
}

/**
 * How a run of the list goes. `tell` is told of each defect as soon as it has been tried; `limitSeconds` is for each.
 */
export interface Running extends Partial<Pick<Bounds, 'limitSeconds' | 'signal'>> {
  readonly tell?: (tried: Tried) => void;
  /** Whether it is known that all tests pass without a defect, as after the short suite. Left out, they are run first. */
  readonly isSound?: boolean;
}

/**
 * Tries defects, some at a time, each in a copy of the project. First all their test files run without a defect, and have
 * to pass. Throws a ListError where the list does not fit the project, as where a test that is named is not there.
 */
export async function tryDefects(defects: readonly Defect[], running: Running = {}): Promise<Tried[]> {
  const {
    tell = () => {},
    limitSeconds = limits.defect,
    isSound = false,
    signal = new AbortController().signal,
  } = running;
  const complaints = stale(defects);
  if (complaints.length > 0) throw new ListError(complaints.join('\n'));
  const [first, ...others] = await Promise.all([
    Copy.make(),
    ...Array.from({ length: workers - 1 }, () => Copy.make()),
  ]);
  const copies = [first, ...others];
  try {
    const missing = await withoutTest(first.folder, defects, signal);
    if (missing.length > 0) throw new ListError(missing.join('\n'));
    if (!isSound) await expectSound(first, defects, signal);
    const waiting = [...defects];
    const tried: Tried[] = [];
    const work = async (copy: Copy) => {
      for (let defect = waiting.shift(); defect !== undefined; defect = waiting.shift()) {
        // What is to hang is not waited for as long as what is only to fail.
        const testSeconds = defect.hangs ? limits.hangingTest : limits.test;
        const factor = isNightly(defect.tests) ? nightlyFactor : 1;
        const each = { limitSeconds: limitSeconds * factor, testSeconds: testSeconds * factor };
        const one = await tryOne(copy, defect, { ...each, workers: 1, signal });
        tried.push(one);
        tell(one);
      }
    };
    await Promise.all(copies.map(work));
    return defects.flatMap((defect) => tried.filter((one) => one.defect === defect));
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
}

async function tryOne(copy: Copy, defect: Defect, bounds: Bounds): Promise<Tried> {
  const start = performance.now();
  const run = () => runTests(copy.folder, defect.tests, { ...bounds, only: defect.only });
  const verdict = await copy.with(defect, async () => {
    const first = judge(defect, await run());
    // Where all tests fail, or run out of their time, that tells nothing; on a busy machine it happens by itself.
    return ['crashed', 'timed out'].includes(first.outcome) ? judge(defect, await run()) : first;
  });
  return { ...verdict, defect, seconds: (performance.now() - start) / 1000 };
}

/** Which defects name a test that is not there, told for each. The files are read, and no test is run. */
export async function withoutTest(
  folder: string,
  defects: readonly Defect[],
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const titles: string[] = [];
  for (const files of suitesOf(defects)) {
    titles.push(...(await titlesIn(folder, files, { limitSeconds: limits.sound, signal })));
  }
  const missing = defects.filter(({ seenBy }) => !titles.some((title) => title.includes(seenBy)));
  return missing.map(({ id, seenBy }) => `${id}: no test is called "${seenBy}"`);
}

/** Throws unless all tests of these defects pass without any. */
async function expectSound({ folder }: Copy, defects: readonly Defect[], signal: AbortSignal): Promise<void> {
  for (const files of suitesOf(defects)) {
    const run = await runTests(folder, files, { limitSeconds: limits.sound, workers, signal });
    if (run.ended === 'timed out') throw new ListError(`the tests take over ${limits.sound} s without any defect`);
    const failed = [...run.broken, ...run.tests.filter(({ passed }) => !passed).map(({ title }) => title)];
    if (failed.length > 0) throw new ListError(`the tests fail without any defect:\n${failed.join('\n')}`);
  }
}

/** The test files that defects name, those of the short suite and those of the long one, where there are any. */
function suitesOf(defects: readonly Defect[]): string[][] {
  const files = [...new Set(defects.flatMap(({ tests }) => tests))];
  const suites = [files.filter((file) => !isNightly([file])), files.filter((file) => isNightly([file]))];
  return suites.filter((suite) => suite.length > 0);
}
