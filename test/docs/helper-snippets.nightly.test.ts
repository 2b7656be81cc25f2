/**
 * Tests the CI guide's complete test files for partners' suites. Each file runs with its own tool against a correct server, and against a
 * server that does not refund the points of a rejected order.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { blocksOf } from '../harness/blocks.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { packageName, root } from '../harness/sources.ts';
import { type Mistake, ownServer } from './own-server.ts';

const long = 300_000;
const command = `${process.execPath} ${join(root, 'sandbox/bin.js')}`;

interface Suite {
  /** The helper's folder in `examples/testing/`, or `undefined` for suites that need only the package. */
  readonly helper?: string;
  /** The example that the snippet replaces. */
  readonly example?: string;
  readonly file: string;
  readonly run: readonly [string, ...string[]];
  /** A command that succeeds if the tool is installed on this machine. */
  readonly toolCheck: readonly [string, ...string[]];
  readonly mistake: Mistake;
}

const nodeCheck = [process.execPath, '--version'] as const;
const keepsPoints = 'keeps the points of a rejected order';
const java = 'src/test/java/com/example/rewards';
const suites: Readonly<Record<string, Suite>> = {
  'JUnit 5': {
    helper: 'java',
    example: `${java}/RedemptionTest.java`,
    file: `${java}/PointsTest.java`,
    run: ['mvn', '-B', '-ntp', 'test'],
    // The dependencies come from a registry. The JDK must be installed.
    toolCheck: ['mvn', '-B', '-q', '-f', join(root, 'examples/testing/java/pom.xml'), 'dependency:resolve'],
    mistake: keepsPoints,
  },
  pytest: {
    helper: 'python',
    example: 'test_redemption.py',
    file: 'test_points.py',
    run: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    toolCheck: ['python3', '-m', 'pytest', '--version'],
    mistake: keepsPoints,
  },
  Go: {
    helper: 'go',
    example: 'sandbox_test.go',
    file: 'points_test.go',
    run: ['go', 'test', '-count=1', './...'],
    toolCheck: ['go', 'version'],
    mistake: keepsPoints,
  },
  PHPUnit: {
    helper: 'php',
    example: 'RedemptionTest.php',
    file: 'PointsTest.php',
    run: ['phpunit'],
    toolCheck: ['phpunit', '--version'],
    mistake: keepsPoints,
  },
  Node: {
    helper: 'javascript',
    example: 'redemption.test.js',
    file: 'points.test.mjs',
    run: [process.execPath, '--test'],
    toolCheck: nodeCheck,
    mistake: keepsPoints,
  },
  vitest: {
    file: 'points.test.mjs',
    run: [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run'],
    toolCheck: nodeCheck,
    mistake: keepsPoints,
  },
  'node:test': {
    file: 'points.test.mjs',
    run: [process.execPath, '--test'],
    toolCheck: nodeCheck,
    mistake: 'writes the balance as text',
  },
};

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
async function run(label: string, { helper, example, file, run: [tool, ...args] }: Suite, mistake?: Mistake) {
  const folder = join(await temporaryFolder(), 'suite');
  await mkdir(folder);
  if (helper === undefined) await linkPackage(folder);
  else await cp(join(root, 'examples/testing', helper), folder, { recursive: true });
  if (example !== undefined) await rm(join(folder, example));
  const [snippet, ...others] = blocksOf(join(root, 'docs/guides/ci.md')).filter(
    ({ marks, text }) => marks.join(' ') === `[${label}]` && text.includes('8080'),
  );
  expect([typeof snippet, others]).toEqual(['object', []]);
  const url = await ownServer(mistake);
  await writeFile(join(folder, file), snippet?.text.replaceAll('http://127.0.0.1:8080', url) ?? '');
  // Node's test runner prints nothing if it detects an outer test runner.
  const { NODE_TEST_CONTEXT: _, VITEST: __, NODE_OPTIONS: ___, ...env } = process.env;
  try {
    const options = { cwd: folder, env: { ...env, REWARDS_SANDBOX_COMMAND: command } };
    const { stdout, stderr } = await promisify(execFile)(tool, args, options);
    return { passed: true, output: stdout + stderr };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { passed: false, output: stdout + stderr };
  }
}

const runnable = Object.entries(suites).filter(
  ([
    ,
    {
      toolCheck: [tool, ...args],
    },
  ]) => spawnSync(tool, args).status === 0,
);

it(`this machine has the tools for: ${runnable.map(([label]) => label).join(', ')}`, () => {
  expect(runnable.map(([label]) => label)).toEqual(expect.arrayContaining(['Node', 'vitest', 'node:test']));
});

it.each(runnable)('the test for %s passes with a right server', { timeout: long }, async (label, suite) => {
  expect(await run(label, suite)).toEqual({ passed: true, output: expect.any(String) });
});

it.each(runnable)('the test for %s fails with a wrong server', { timeout: long }, async (label, suite) => {
  const { passed, output } = await run(label, suite, suite.mistake);
  const words = suite.mistake === keepsPoints ? /not_reversed/ : /\/body\/points\/balance/;
  expect({ passed, output }).toEqual({ passed: false, output: expect.stringMatching(words) });
});
