/** Runs the Model Context Protocol conformance suite against `POST /sandbox/v1/mcp` (OP-221). */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { nightlyFile } from '../harness/nightly-package.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { checks as checkExceptions, scenarios as scenarioExceptions } from './conformance-exceptions.ts';

const suite = nightlyFile('@modelcontextprotocol/conformance/dist/index.js');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

/** Returns the checks of each scenario that a protocol revision requires. */
async function resultsFor(url: string, revision: string): Promise<Results> {
  const folder = await temporaryFolder();
  const args = [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', folder];
  await promisify(execFile)(process.execPath, args).catch((error: { readonly code?: unknown }) => {
    // Exit code 1 means that a check failed. The test decides whether that failure is expected.
    if (error.code !== 1) throw error;
  });
  const names = await readdir(folder);
  const results = names.sort().map(async (name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    return [scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[]] as const;
  });
  return new Map(await Promise.all(results));
}

type Results = ReadonlyMap<string, readonly Check[]>;

const failuresIn = (checks: readonly Check[]) => checks.filter(({ status }) => status === 'FAILURE');

/** Returns one line for each applicable scenario, with its number of passed checks. Skipped scenarios are omitted. */
function figures(results: Results): string[] {
  return [...results]
    .filter(([scenario]) => scenarioExceptions[scenario] === undefined)
    .map(([scenario, checks]) => {
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      const excepted = failuresIn(checks).filter(({ id }) => checkExceptions[id] !== undefined).length;
      return `${scenario}: ${passed} passed${excepted > 0 ? `, ${excepted} not applicable` : ''}`;
    })
    .filter((line) => !line.endsWith(': 0 passed'));
}

/** Returns the failed checks that no exception explains. */
function unexplained(results: Results): string[] {
  return [...results].flatMap(([scenario, checks]) =>
    failuresIn(checks)
      .filter(({ id }) => scenarioExceptions[scenario] === undefined && checkExceptions[id] === undefined)
      .map(({ id }) => `${scenario}: ${id}`),
  );
}

it('OP-221: the server conforms to the revisions that the suite covers, except for features that it does not offer', async () => {
  const sandbox = await testSandbox();
  const url = `${sandbox.origin}/sandbox/v1/mcp`;
  const older = await resultsFor(url, '2025-11-25');
  const newest = await resultsFor(url, '2026-07-28');
  expect([older, newest].flatMap(unexplained)).toEqual([]);
  expect(figures(older)).toEqual([
    'dns-rebinding-protection: 2 passed',
    'ping: 2 passed',
    'server-initialize: 2 passed',
    'tools-list: 3 passed',
  ]);
  expect(figures(newest)).toEqual([
    'caching: 4 passed, 3 not applicable',
    'dns-rebinding-protection: 2 passed',
    'http-header-validation: 14 passed',
    // All of these except `unsupported-methods` call a fixture tool. They accept the server's "unknown tool" refusal.
    'input-required-result-ignore-extra-params: 1 passed',
    'input-required-result-missing-input-response: 1 passed',
    'input-required-result-unsupported-methods: 2 passed',
    'input-required-result-validate-input: 3 passed',
    'sep-2164-resource-not-found: 2 passed',
    'server-sse-multiple-streams: 1 passed',
    'server-stateless: 22 passed, 6 not applicable',
    'tools-list: 4 passed',
  ]);
  const all = [older, newest];
  const failed = new Set(
    all.flatMap((of) => [...of].flatMap(([name, of]) => (failuresIn(of).length > 0 ? [name] : []))),
  );
  expect(Object.keys(scenarioExceptions).filter((scenario) => !failed.has(scenario))).toEqual([]);
  const failedChecks = new Set(all.flatMap((of) => [...of.values()].flatMap(failuresIn).map(({ id }) => id)));
  expect(Object.keys(checkExceptions).filter((id) => !failedChecks.has(id))).toEqual([]);
});
