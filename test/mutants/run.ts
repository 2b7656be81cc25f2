import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import type { Mutant } from './mutant.ts';
import { type Planned, plan, root } from './plan.ts';

/** Time limits of a test and of a run, in seconds. Tests of the nightly suite may take three times as long. */
const limits = { test: 60, hangingTest: 15, run: 300, nightlyFactor: 3 } as const;

/** Paths that are not copied because they are large or belong to the checkout. */
const excluded = ['node_modules', '.git', '.sandbox-data', 'coverage', 'dist', 'docs/site', 'docs/.build'];

/**
 * The result for a mutant. `killed`: the named test failed. `survived`: all tests passed. `killed by another test`: only other tests failed.
 * `crashed`: the code does not load or every test fails, which proves nothing about the named test. `timed out`: the run or the named test
 * did not end, although the mutant does not declare a hang.
 */
interface Verdict {
  readonly outcome: 'killed' | 'survived' | 'killed by another test' | 'crashed' | 'timed out';
  /** The titles of the failed tests, or the reasons why files failed. */
  readonly failed: readonly string[];
}

export interface Tested extends Verdict {
  readonly mutant: Mutant;
  readonly seconds: number;
}

/**
 * Tests mutants, reports each result when its tests end, and returns the results by id. Each worker tests one mutant at a time in its own copy
 * of the project. Throws an error that names all mutants that do not match the project.
 */
export async function testMutants(
  mutants: readonly Mutant[],
  report: (tested: Tested) => void,
  workers = 2,
): Promise<ReadonlyMap<string, Tested>> {
  const { planned, complaints } = plan(mutants);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const results = new Map<string, Tested>();
  const queue = planned.values();
  const work = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    process.once('exit', remove);
    await copyProject(folder);
    for (const each of queue) {
      const start = performance.now();
      const first = await runTests(each, folder);
      // On a busy machine, tests can crash or time out for reasons unrelated to the mutant.
      const verdict = ['crashed', 'timed out'].includes(first.outcome) ? await runTests(each, folder) : first;
      const tested = { ...verdict, mutant: each.mutant, seconds: (performance.now() - start) / 1000 };
      results.set(each.mutant.id, tested);
      report(tested);
    }
    remove();
    process.off('exit', remove);
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
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
async function runTests({ mutant, changed, tests }: Planned, folder: string): Promise<Verdict> {
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
  const end = () => endGroup(child.pid);
  process.once('exit', end);
  let hasExpired = false;
  const expire = () => {
    hasExpired = true;
    end();
  };
  const timer = setTimeout(expire, factor * limits.run * 1000);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2000);
  });
  await once(child, 'exit');
  clearTimeout(timer);
  process.off('exit', end);
  end();
  await writeFile(place, original);
  await rm(temporary, { recursive: true, force: true });
  if (hasExpired) return judge(mutant, 'time limit expired');
  if (!existsSync(report)) return { outcome: 'crashed', failed: [complaints] };
  return judge(mutant, JSON.parse(await readFile(report, 'utf8')));
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

/** Determines from a test run whether the tests detected the mutant. */
export function judge(
  { killedBy, hangs }: Pick<Mutant, 'killedBy' | 'hangs'>,
  run: Report | 'time limit expired',
): Verdict {
  if (run === 'time limit expired') return { outcome: hangs ? 'killed' : 'timed out', failed: [] };
  const { testResults } = run;
  const hasFailed = ({ status }: { readonly status: string }) => status === 'failed';
  const broken = testResults.filter((file) => hasFailed(file) && !file.assertionResults.some(hasFailed));
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const tests = all.filter((test) => hasFailed(test) || test.status === 'passed');
  const failed = [...broken.map(({ message }) => message), ...tests.filter(hasFailed).map(({ fullName }) => fullName)];
  if (broken.length > 0 || failed.length === tests.length) return { outcome: 'crashed', failed };
  const named = tests.filter(({ fullName }) => fullName.includes(killedBy));
  if (named.length === 0) return { outcome: 'crashed', failed: [`no test that ran is called "${killedBy}"`] };
  const killers = named.filter(hasFailed);
  if (killers.length === 0) return { outcome: failed.length === 0 ? 'survived' : 'killed by another test', failed };
  // On a busy machine, a test can also time out without a mistake.
  const isLate = (text: string) => /^(\w*Error: )?(Test|Hook) timed out in \d+ms/.test(text);
  const isReal = hangs || killers.some(({ failureMessages: texts }) => texts.length === 0 || !texts.every(isLate));
  return { outcome: isReal ? 'killed' : 'timed out', failed };
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
