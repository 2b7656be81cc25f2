import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import type { Mutant } from './mutant.ts';
import { type Planned, plan, root } from './plan.ts';
import { judge, type TestRun, type Verdict } from './verdict.ts';

/** Seconds that a test may take, and one run. Those of the nightly suite may take three times as long. */
const limits = { test: 60, hangingTest: 15, run: 300, nightlyFactor: 3 } as const;

/** Not copied: large, or part of the checkout. */
const excluded = ['node_modules', '.git', '.sandbox-data', 'coverage', 'dist', 'docs/site', 'docs/.build'];

export interface Tested extends Verdict {
  readonly mutant: Mutant;
  readonly seconds: number;
}

/** How mutants are tested. */
export interface Options {
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** Receives each result when its tests end. */
  readonly report?: (tested: Tested) => void;
}

/**
 * Tests mutants, one at a time in each worker's copy of the project, and returns the results in the order of the list.
 * Throws an error that names the mutants that do not fit the project.
 */
export async function testMutants(mutants: readonly Mutant[], options: Options = {}): Promise<Tested[]> {
  const { planned, complaints } = plan(mutants);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const results = new Map<Mutant, Tested>();
  const queue = planned.values();
  const work = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
    try {
      await copyProject(folder);
      for (const each of queue) {
        const start = performance.now();
        const run = async () => judge(each.mutant, await runTests(each, folder, options.signal));
        const first = await run();
        // On a busy machine tests fail and run out of time by themselves.
        const verdict = ['crashed', 'timed out'].includes(first.outcome) ? await run() : first;
        const tested = { ...verdict, mutant: each.mutant, seconds: (performance.now() - start) / 1000 };
        results.set(each.mutant, tested);
        options.report?.(tested);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: options.workers ?? 2 }, work));
  return mutants.flatMap((mutant) => results.get(mutant) ?? []);
}

/** Copies the project into a folder, with a link to its dependencies. */
async function copyProject(folder: string): Promise<void> {
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  await cp(root, join(folder, 'project'), {
    recursive: true,
    filter: (source) => !excluded.includes(relative(root, source)),
  });
  await symlink(join(root, 'node_modules'), join(folder, 'project/node_modules'));
}

/** Runs the tests of a mutant in a copy. What they leave behind ends with them: processes of their group, temporary files. */
async function runTests({ mutant, changed, tests }: Planned, folder: string, stop?: AbortSignal): Promise<TestRun> {
  stop?.throwIfAborted();
  const project = join(folder, 'project');
  const temporary = join(folder, 'tmp');
  const report = join(folder, 'report.json');
  await mkdir(temporary);
  await rm(report, { force: true });
  const factor = tests.some((path) => path.endsWith('.nightly.test.ts')) ? limits.nightlyFactor : 1;
  const seconds = mutant.hangs && mutant.only !== undefined ? limits.hangingTest : limits.test;
  const place = join(project, mutant.file);
  const original = await readFile(place);
  await writeFile(place, changed);
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.mutants.config.ts'];
  const only = mutant.only === undefined ? [] : ['--testNamePattern', mutant.only];
  const child = spawn(process.execPath, [...vitest, '--outputFile', report, ...only, ...tests], {
    cwd: project,
    env: { ...environment(), TMPDIR: temporary, MUTANT_TEST_MILLISECONDS: String(factor * seconds * 1000) },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2000);
  });
  const limit = AbortSignal.timeout(factor * limits.run * 1000);
  try {
    await once(child, 'exit', { signal: stop === undefined ? limit : AbortSignal.any([limit, stop]) });
    if (!existsSync(report)) return { ended: 'by itself', tests: [], broken: [complaints] };
    return resultOf(JSON.parse(await readFile(report, 'utf8')));
  } catch (error) {
    stop?.throwIfAborted();
    if (!limit.aborted) throw error;
    return { ended: 'timed out' };
  } finally {
    endGroup(child.pid);
    await writeFile(place, original);
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The part that is read of a report of vitest. */
interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function resultOf({ testResults }: Report): TestRun {
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, status, failureMessages }) => ({
      title: fullName.trim(),
      passed: status === 'passed',
      late:
        failureMessages.length > 0 &&
        failureMessages.every((text) => /^(\w*Error: )?(Test|Hook) timed out in \d+ms/.test(text)),
    }));
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  return { ended: 'by itself', tests, broken: broken.map(({ message }) => message) };
}

/** Ends the processes that the tests of a run started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Usually nothing is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The environment without what the vitest of this process, if any, set for its workers. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(VITEST|TEST$|NODE_ENV$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** One mutant in a line. For one that was not killed, the lines after it say what failed instead. */
export function lineOf({ mutant, outcome, seconds, failed }: Tested): string {
  const line = `${outcome.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.id}`;
  if (outcome === 'killed') return line;
  const instead = failed.map((title) => `\n      failed: ${title}`).join('');
  return `${line}\n      ${mutant.title}\n      must fail: "${mutant.killedBy}"${instead}`;
}
