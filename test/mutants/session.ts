/**
 * Runs test files with a mutant in the code, for the process that forked this one. Vitest is started once; the changed
 * file exists in memory only. Arguments: the folder of the project and its configuration of vitest.
 */
import { join } from 'node:path';
import process from 'node:process';
import { createVitest, type TestModule, type TestSuite, type Vite } from 'vitest/node';
import { root } from './project-copy.ts';
import type { TestResult, TestRun } from './verdict.ts';

/** What to run. Without a changed file the code is unchanged. */
export interface TestRequest {
  readonly changed?: { readonly file: string; readonly text: string };
  readonly tests: readonly string[];
  readonly only?: string | undefined;
  readonly testSeconds: number;
}

const [folder = '', config = ''] = process.argv.slice(2);
let changed: TestRequest['changed'];
const changedPath = () => changed && join(folder, changed.file);

const plugin: Vite.Plugin = {
  name: 'mutant',
  enforce: 'pre',
  // Vitest keeps transformed modules by the text on the disk. A mutant must never get in there.
  api: { vitest: { ignoreFsModuleCache: true } },
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (id === changedPath() ? false : undefined)),
  load: (id) => (id === changedPath() ? changed?.text : undefined),
};

const options = { root: folder, config, watch: false, maxWorkers: 1, reporters: [{}] };
const vitest = await createVitest('test', { ...options, fsModuleCache: folder === root }, { plugins: [plugin] });

process.on('message', async (request: TestRequest) => process.send?.(await run(request)));
// The parent process is gone: end every process that the tests started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

async function run(request: TestRequest): Promise<TestRun> {
  change(request.changed);
  vitest.setGlobalTestNamePattern(request.only ?? '');
  const specifications = request.tests.map((file) => {
    const path = join(folder, file);
    const project = vitest.projects.find((each) => each.matchesTestGlob(path)) ?? vitest.getRootProject();
    // A worker that is used again would still have the last mutant.
    const testTimeout = request.testSeconds * 1000;
    // A test that waits in vain must fail before its time is over: running out of it says nothing about the mutant.
    const expect = { ...project.config.expect, poll: { timeout: testTimeout / 3 } };
    Object.assign(project.config, { isolate: true, testTimeout, hookTimeout: testTimeout, expect });
    return project.createSpecification(path);
  });
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  change(undefined);
  const modules = testModules.filter(({ moduleId }) => specifications.some((each) => each.moduleId === moduleId));
  const stray = unhandledErrors.map((error) => `unhandled error: ${(error as Error).message}`);
  return {
    ended: 'by itself',
    tests: [...modules.flatMap(resultsOf), ...stray.map((title) => ({ title, passed: false, late: false }))],
    broken: modules.filter(isBroken).map((each) => `${each.relativeModuleId}: ${errorsOf(each).join('; ')}`),
  };
}

/** Puts a mutant into the code, or takes the present one out. */
function change(next: TestRequest['changed']): void {
  const before = changedPath();
  changed = next;
  for (const path of [before, changedPath()]) if (path !== undefined) vitest.invalidateFile(path);
}

function resultsOf(module: TestModule): TestResult[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { state, errors = [] } = test.result();
    if (state !== 'passed' && state !== 'failed') return [];
    const late = errors.length > 0 && errors.every(({ message }) => /^(Test|Hook) timed out in \d+ms/.test(message));
    return [{ title: test.fullName.replaceAll(' > ', ' '), passed: state === 'passed', late }];
  });
}

/** Whether no test of a file ran, or the file failed although none of its tests did. */
function isBroken(module: TestModule): boolean {
  const results = resultsOf(module);
  return results.length === 0 || (module.state() === 'failed' && results.every(({ passed }) => passed));
}

function errorsOf(module: TestModule): string[] {
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return suites.flatMap((each) => each.errors().map(({ message }) => message));
}
