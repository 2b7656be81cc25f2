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
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** How long a run may take, and what ends it early. */
export interface Bounds {
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
}

/** Runs test files of a project's folder with the project's configuration, in a process group that ends with the run. */
export async function runTests(folder: string, files: readonly string[], bounds: Bounds): Promise<TestRun> {
  const output = join(folder, 'planted-report.json');
  const child = spawn(
    process.execPath,
    [
      join(folder, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${output}`, '--maxWorkers=1'],
      // A test that waits for what no longer comes is not to use up the time of the run.
      ...['--testTimeout=15000', '--hookTimeout=15000', '--no-cache', '--no-fsModuleCache'],
      ...files,
    ],
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
  if (limit.aborted) return { ended: 'timed out' };
  const report = await readFile(output, 'utf8').catch(() => undefined);
  await rm(output, { force: true });
  if (report === undefined) return { ended: 'by itself', tests: [], broken: [complaints.join('').slice(0, 2000)] };
  return testRun(JSON.parse(report) as Report);
}

/** What the report says. A file of which no test ran is broken; a test that was not reached has not passed. */
export function testRun({ testResults }: Report): TestRun {
  const broken = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
  const tests = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ title: fullName, passed: status === 'passed' })),
  );
  return { ended: 'by itself', tests, broken: broken.map(({ name, message }) => `${name}: ${message}`) };
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
