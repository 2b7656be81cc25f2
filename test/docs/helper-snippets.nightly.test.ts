/**
 * Tests the CI guide's complete test files for partners' suites. Each file runs with its own tool against a correct server, and against a
 * server that does not refund the points of a rejected order.
 */
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../harness/blocks.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { execute, withoutTestRunner } from '../harness/shell.ts';
import { packageName, root } from '../harness/sources.ts';
import { installedSuiteTools, type SuiteTool, suiteCommand } from '../harness/suite-tools.ts';
import { type Mistake, ownServer } from './own-server.ts';

const long = 300_000;
const command = `${process.execPath} ${join(root, 'sandbox/bin.js')}`;

interface Suite {
  readonly tool: SuiteTool | 'vitest';
  /** The example in the tool's helper folder that the snippet replaces. Suites without one need only the package. */
  readonly example?: string;
  readonly file: string;
  readonly mistake: Mistake;
}

const mistake = 'keeps the points of a rejected order';
const java = 'src/test/java/com/example/rewards';
const suites: Readonly<Record<string, Suite>> = {
  'JUnit 5': { tool: 'java', example: `${java}/RedemptionTest.java`, file: `${java}/PointsTest.java`, mistake },
  pytest: { tool: 'python', example: 'test_redemption.py', file: 'test_points.py', mistake },
  Go: { tool: 'go', example: 'sandbox_test.go', file: 'points_test.go', mistake },
  PHPUnit: { tool: 'php', example: 'RedemptionTest.php', file: 'PointsTest.php', mistake },
  Node: { tool: 'javascript', example: 'redemption.test.js', file: 'points.test.mjs', mistake },
  vitest: { tool: 'vitest', file: 'points.test.mjs', mistake },
  'node:test': { tool: 'javascript', file: 'points.test.mjs', mistake: 'writes the balance as text' },
};
const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run'] as const;

/** Links the modules that snippets import from the package to this checkout. */
async function linkPackage(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, packageName), { recursive: true });
  await symlink(join(root, 'node_modules/vitest'), join(modules, 'vitest'));
  const exports = { './testing': './testing.js' };
  await writeFile(join(modules, packageName, 'package.json'), JSON.stringify({ type: 'module', exports }));
  const testing = join(root, 'sandbox/testing/testing.ts');
  await writeFile(join(modules, packageName, 'testing.js'), `export * from ${JSON.stringify(testing)};\n`);
}

/** Runs the guide's snippet against a server. */
async function run(label: string, { tool: name, example, file }: Suite, mistake?: Mistake) {
  const folder = join(await temporaryFolder(), 'suite');
  await mkdir(folder);
  if (example === undefined) await linkPackage(folder);
  else {
    await cp(join(root, 'examples/testing', name), folder, { recursive: true });
    await rm(join(folder, example));
  }
  const [snippet, ...others] = blocksOf(join(root, 'docs/guides/ci.md')).filter(
    ({ marks, text }) => marks.join(' ') === `[${label}]` && text.includes('8080'),
  );
  expect([typeof snippet, others]).toEqual(['object', []]);
  const url = await ownServer(mistake);
  await writeFile(join(folder, file), snippet?.text.replaceAll('http://127.0.0.1:8080', url) ?? '');
  const [tool, ...args] = name === 'vitest' ? vitest : suiteCommand(name);
  const env = { ...withoutTestRunner(), REWARDS_SANDBOX_COMMAND: command };
  const { code, stdout, stderr } = await execute(tool, args, { cwd: folder, env });
  return { passed: code === 0, output: stdout + stderr };
}

const runnable = Object.entries(suites).filter(
  ([, { tool }]) => tool === 'vitest' || installedSuiteTools.includes(tool),
);

it(`this machine has the tools for: ${runnable.map(([label]) => label).join(', ')}`, () => {
  expect(runnable.map(([label]) => label)).toEqual(expect.arrayContaining(['Node', 'vitest', 'node:test']));
});

it.each(runnable)('the test for %s passes with a right server', { timeout: long }, async (label, suite) => {
  expect(await run(label, suite)).toEqual({ passed: true, output: expect.any(String) });
});

it.each(runnable)('the test for %s fails with a wrong server', { timeout: long }, async (label, suite) => {
  const { passed, output } = await run(label, suite, suite.mistake);
  const words = suite.mistake === mistake ? /not_reversed/ : /\/body\/points\/balance/;
  expect({ passed, output }).toEqual({ passed: false, output: expect.stringMatching(words) });
});
