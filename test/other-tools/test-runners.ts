/** jest and Playwright: the examples of `examples/testing/package/` run in them, with the package as npm packs it. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../harness/installed-package.ts';
import { command, Fault, has, root, type Tool } from './tool.ts';

/** A program that runs tests. */
interface Runner {
  readonly name: string;
  readonly modules: readonly string[];
  /** The script for node, in the folder of the installation. */
  readonly script: string;
  readonly version: string;
  /** Arguments of node. */
  readonly options: readonly string[];
  /** Arguments of the script: the last is the example. */
  readonly args: readonly [...string[], example: string];
  readonly settings?: Readonly<Record<string, string>>;
  /** The output when its one test passes. */
  readonly passed: RegExp;
}

/** Names of installed browsers: Playwright would look for one that it downloaded. */
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const runners: readonly Runner[] = [
  {
    name: 'jest',
    modules: ['jest@30.5.2'],
    script: 'jest/bin/jest.js',
    version: '30.5.2',
    options: ['--experimental-vm-modules'],
    args: ['jest.test.js'],
    passed: /^Tests: +1 passed, 1 total$/m,
  },
  {
    name: 'playwright',
    modules: ['@playwright/test@1.65.1'],
    script: '@playwright/test/cli.js',
    version: '1.65.1',
    options: [],
    args: ['test', 'playwright.spec.js'],
    settings: { 'playwright.config.js': playwrightSettings() },
    passed: /^ +1 passed/m,
  },
];

/** The browser of the machine, with options to run as root in a container. */
function playwrightSettings(): string {
  const name = browsers.find(has) ?? 'chromium';
  const launchOptions = { executablePath: `/usr/bin/${name}`, args: ['--no-sandbox', '--disable-gpu'] };
  return `export default ${JSON.stringify({ use: { launchOptions } })};\n`;
}

export const testRunners: readonly Tool[] = runners.map((runner) => ({
  name: runner.name,
  version: runner.version,
  needs: ['npm', 'tar', ...(runner.name === 'playwright' ? ['chromium'] : [])],
  file: `${runner.name}/node_modules/${runner.script}`,
  async install(tools) {
    const options = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--prefix', join(tools, runner.name)];
    await command('npm', [...options, ...runner.modules], { cwd: tools });
  },
  async run(tools) {
    // Outside any node_modules: jest ignores files in one.
    const folder = mkdtempSync(join(tmpdir(), `${runner.name}-`));
    const suite = join(folder, 'suite');
    await installPackage(folder);
    cpSync(join(root, 'examples/testing/package'), suite, { recursive: true });
    symlinkSync(join(tools, runner.name, 'node_modules'), join(suite, 'node_modules'), 'dir');
    for (const [name, text] of Object.entries(runner.settings ?? {})) writeFileSync(join(suite, name), text);
    const script = join(tools, runner.name, 'node_modules', runner.script);
    const args = [...runner.options, script, ...runner.args];
    const printed = await command(process.execPath, args, { cwd: suite, env: { CI: 'true' } });
    rmSync(folder, { recursive: true });
    if (!runner.passed.test(printed)) throw new Fault(`The example did not run:\n${printed}`);
    return `${runner.args.at(-1)} of examples/testing, with the package`;
  },
}));
