/**
 * Tests the Testcontainers modules. They must compile, and the tests that need no container engine must pass. All tests
 * run if the machine has an engine with the image.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { execute, withoutTestRunner } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

const source = join(root, 'examples/testing/testcontainers');
const long = 300_000;

interface Module {
  /** Downloads the module's dependencies. Fails if the registry or the language is not available. */
  readonly prepare: readonly [string, ...string[]];
  readonly compile: readonly [string, ...string[]];
  /** Runs the tests with or without a container engine. */
  readonly run: Readonly<Record<'without an engine' | 'with an engine', readonly [string, ...string[]]>>;
  readonly passed: (count: number) => RegExp;
}

const tsc = join(root, 'node_modules/typescript7/bin/tsc');
const compilerOptions =
  '--ignoreConfig --noEmit --allowJs --checkJs --strict --skipLibCheck --module nodenext --target es2024 --types node';
const node = (...args: string[]) => [process.execPath, '--test', ...args] as const;
const maven = (...args: string[]) => ['mvn', '-B', '-ntp', ...args] as const;

const modules: Readonly<Record<'javascript' | 'java', Module>> = {
  javascript: {
    prepare: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'],
    compile: [
      process.execPath,
      tsc,
      ...compilerOptions.split(' '),
      '--typeRoots',
      join(root, 'node_modules/@types'),
      'rewards-sandbox-container.js',
      'redemption.test.js',
      'rewards-sandbox-container.test.js',
    ],
    run: {
      'without an engine': node('rewards-sandbox-container.test.js'),
      'with an engine': node('redemption.test.js'),
    },
    passed: (count) => new RegExp(`pass ${count}$`, 'm'),
  },
  java: {
    prepare: maven('-q', 'dependency:resolve'),
    compile: maven('-q', 'test-compile'),
    run: {
      'without an engine': maven('test', '-Dtest=RewardsSandboxContainerTest'),
      'with an engine': maven('test', '-Dtest=RedemptionTest'),
    },
    passed: (count) => new RegExp(`Tests run: ${count}, Failures: 0, Errors: 0, Skipped: 0`),
  },
};

/** Runs a command in a module's folder. */
async function executeIn(folder: string, [tool, ...args]: readonly [string, ...string[]]) {
  const { code, stdout, stderr } = await execute(tool, args, { cwd: folder, env: withoutTestRunner() });
  return { code, output: stdout + stderr };
}

const place = await mkdtemp(join(tmpdir(), 'testcontainers-'));
afterAll(() => rm(place, { recursive: true, force: true }));

const folders = new Map<string, string>();
for (const name of Object.keys(modules) as (keyof typeof modules)[]) {
  const folder = join(place, name);
  await cp(join(source, name), folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|target)$/.test(path),
  });
  if ((await executeIn(folder, modules[name].prepare)).code === 0) folders.set(name, folder);
}
const here = [...folders.keys()] as (keyof typeof modules)[];
const hasEngine = spawnSync('docker', ['image', 'inspect', 'rewards-sandbox']).status === 0;

it(`this machine has the tools for: ${here.join(', ') || 'none'}; an engine with the image: ${hasEngine ? 'yes' : 'no'}`, () => {
  expect(here.every((name) => name in modules)).toBe(true);
});

it.each(here)('the module for %s compiles', { timeout: long }, async (name) => {
  expect(await executeIn(folders.get(name) ?? '', modules[name].compile)).toMatchObject({ code: 0 });
});

it.each(here)('the tests of the module for %s that need no engine pass', { timeout: long }, async (name) => {
  const { code, output } = await executeIn(folders.get(name) ?? '', modules[name].run['without an engine']);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(modules[name].passed(2)) });
});

it.each(hasEngine ? here : [])(
  'all tests of the module for %s pass with an engine',
  { timeout: long },
  async (name) => {
    const { code, output } = await executeIn(folders.get(name) ?? '', modules[name].run['with an engine']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(modules[name].passed(3)) });
  },
);
