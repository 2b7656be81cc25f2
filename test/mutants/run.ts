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

/** Time limits of a test and of a run, in seconds. Tests of the nightly suite may take three times as long. */
const limits = { test: 60, hangingTest: 15, run: 300, nightlyFactor: 3 } as const;

/** Paths that are not copied because they are large or belong to the checkout. */
const excluded = ['node_modules', '.git', '.sandbox-data', 'coverage', 'dist', 'docs/site', 'docs/.build'];

export interface Tested extends Verdict {
  readonly mutant: Mutant;
  readonly seconds: number;
}

/** Options for testing mutants. */
export interface Options {
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** Called with each result when the mutant's tests end. */
  readonly report?: (tested: Tested) => void;
}

/**
 * Tests mutants and returns the results in the order of the list. Each worker tests one mutant at a time in its own
 * copy of the project. Throws an error that names all mutants that do not match the project.
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
        // On a busy machine, tests can crash or time out for reasons unrelated to the mutant.
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

/** Copies the project into a folder, and links its dependencies. */
async function copyProject(folder: string): Promise<void> {
  // PostgreSQL runs as another user, so it needs access to this folder.
  await chmod(folder, 0o755);
  await cp(root, join(folder, 'project'), {
    recursive: true,
    filter: (source) => !excluded.includes(relative(root, source)),
  });
  await symlink(join(root, 'node_modules'), join(folder, 'project/node_modules'));
}

/** Runs a mutant's tests in a copy of the project. Afterwards, ends the processes of their group and deletes their temporary files. */
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

/** The parts of a vitest report that this module reads. */
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

/** Ends all processes started by the tests of a run. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Usually, no process is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns the environment without the variables that an outer vitest set for its workers. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(VITEST|TEST$|NODE_ENV$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Formats one mutant as a line. For a mutant that was not killed, further lines list the failures instead. */
export function lineOf({ mutant, outcome, seconds, failed }: Tested): string {
  const line = `${outcome.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.id}`;
  if (outcome === 'killed') return line;
  const instead = failed.map((title) => `\n      failed: ${title}`).join('');
  return `${line}\n      ${mutant.title}\n      must fail: "${mutant.killedBy}"${instead}`;
}
