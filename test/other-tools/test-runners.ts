/** Runs the examples in `examples/testing/package/` in jest and Playwright, with the package as npm packs it. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../harness/installed-package.ts';
import { command, Fault, has, root, type Tool } from './tool.ts';

/** A program that runs tests. */
interface Runner {
  readonly name: string;
  readonly modules: readonly string[];
  /** The path of the script inside the installation folder. */
  readonly script: string;
  readonly version: string;
  /** Arguments for Node. */
  readonly options: readonly string[];
  /** Arguments for the script. The last one is the example. */
  readonly args: readonly [...string[], example: string];
  readonly settings?: Readonly<Record<string, string>>;
  /** A pattern for the output if the example's only test passes. */
  readonly passed: RegExp;
}

/** Names of installed browsers. By default, Playwright uses only browsers that it downloaded itself. */
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

/** Returns Playwright settings that use the installed browser and allow it to run as root in a container. */
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
    // The folder must be outside any node_modules, because jest ignores files inside one.
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
