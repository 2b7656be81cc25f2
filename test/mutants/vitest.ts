import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { TestRun } from './verdict.ts';

/** What is read of the report of vitest's JSON reporter. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** How long a run may take, each of its tests, and what ends it early. */
export interface Bounds {
  readonly limitSeconds: number;
  /** Left out, it is the project's. */
  readonly testSeconds?: number;
  readonly workers: number;
  /** A pattern of the titles of the tests to run; left out, all are. */
  readonly only?: string | undefined;
  readonly signal: AbortSignal;
}

/** Runs test files of a project's folder, all of one suite, with the project's configuration of that. */
export async function runTests(folder: string, files: readonly string[], bounds: Bounds): Promise<TestRun> {
  const report = (output: string) => [
    ...['run', '--reporter=json', `--outputFile=${output}`, '--no-cache', `--maxWorkers=${bounds.workers}`],
    // What vitest keeps of modules goes by their content. It is kept in the copy, and goes with it.
    `--fsModuleCachePath=${join(folder, '.modules')}`,
    ...(bounds.testSeconds === undefined ? [] : timeouts(bounds.testSeconds)),
    ...(bounds.only === undefined ? [] : ['-t', bounds.only]),
    ...files,
  ];
  const end = await vitest(folder, report, isNightly(files), bounds);
  if ('timedOut' in end) return { ended: 'timed out' };
  if ('complaint' in end) return { ended: 'by itself', tests: [], broken: [end.complaint] };
  return testRun(end.written as Report);
}

/** Whether test files are of the nightly suite. All of one run are of the same one. */
export function isNightly(files: readonly string[]): boolean {
  return files.some((file) => file.endsWith('.nightly.test.ts'));
}

/** The titles of all tests in test files of one suite, of which none is run. Throws where they cannot be told. */
export async function titlesIn(
  folder: string,
  files: readonly string[],
  bounds: Pick<Bounds, 'limitSeconds' | 'signal'>,
): Promise<string[]> {
  // Read as text, titles that a table gives would not be known.
  const list = (output: string) => ['list', `--json=${output}`, '--no-static-parse', ...files];
  const end = await vitest(folder, list, isNightly(files), bounds);
  if ('timedOut' in end) throw new Error(`the titles of the tests were not told in ${bounds.limitSeconds} s`);
  if ('complaint' in end) throw new Error(`the titles of the tests were not told: ${end.complaint}`);
  return (end.written as { readonly name: string }[]).map(({ name }) => name.replaceAll(' > ', ' '));
}

type End = { readonly written: unknown } | { readonly complaint: string } | { readonly timedOut: true };

/** Runs the project's vitest in a process group that ends with the run. Resolves with the JSON that it wrote. */
async function vitest(
  folder: string,
  command: (output: string) => readonly string[],
  long: boolean,
  bounds: Pick<Bounds, 'limitSeconds' | 'signal'>,
): Promise<End> {
  const output = join(folder, 'mutants-report.json');
  const [name = '', ...more] = command(output);
  const config = `test/vitest.${long ? 'nightly.' : ''}config.ts`;
  const child = spawn(
    process.execPath,
    [join(folder, 'node_modules/vitest/vitest.mjs'), name, '--config', config, ...more],
    { cwd: folder, env: environment(), stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const limit = AbortSignal.timeout(bounds.limitSeconds * 1000);
  const end = () => endGroup(child.pid);
  const early = AbortSignal.any([limit, bounds.signal]);
  early.addEventListener('abort', end);
  if (early.aborted) end();
  await once(child, 'close');
  early.removeEventListener('abort', end);
  end();
  bounds.signal.throwIfAborted();
  if (limit.aborted) return { timedOut: true };
  const written = await readFile(output, 'utf8').catch(() => undefined);
  await rm(output, { force: true });
  return written === undefined ? { complaint: complaints.join('').slice(0, 2000) } : { written: JSON.parse(written) };
}

function timeouts(seconds: number): string[] {
  return [`--testTimeout=${seconds * 1000}`, `--hookTimeout=${seconds * 1000}`];
}

/** What the report says. A file is broken where no test of it ran, or where it failed and none of its tests did. */
export function testRun({ testResults }: Report): TestRun {
  const files = testResults.map(({ name, message, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'passed' || test.status === 'failed');
    const broken = tests.length === 0 || (status === 'failed' && tests.every((test) => test.status === 'passed'));
    return { tests: tests.map(testResult), broken: broken ? [`${name}: ${message}`] : [] };
  });
  return {
    ended: 'by itself',
    tests: files.flatMap(({ tests }) => tests),
    broken: files.flatMap(({ broken }) => broken),
  };
}

function testResult({ fullName, status, failureMessages }: Report['testResults'][number]['assertionResults'][number]) {
  return {
    title: fullName,
    passed: status === 'passed',
    late: failureMessages.length > 0 && failureMessages.every((text) => /(Test|Hook) timed out in \d+ms/.test(text)),
  };
}

/** The environment without what this run's own vitest, if any, told its workers. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(VITEST|TEST$|NODE_ENV$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Ends what a run left behind: the processes that its tests started are in its group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Usually nothing is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
