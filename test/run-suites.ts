/**
 * Implements `npm run test:all` and `npm run test:nightly`. It runs suites one after another and ends with one line of total counts. Other
 * arguments, such as a file, are passed to vitest, and suites without that file are skipped. The exit code is 1 if a test failed or was
 * skipped, or if no test ran.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Counts } from './harness/counts-reporter.ts';

const configs = {
  gate: 'vitest.config.ts',
  nightly: 'vitest.nightly.config.ts',
  alone: 'vitest.alone.config.ts',
  instances: 'vitest.instances.config.ts',
};
const commandArguments = process.argv.slice(2);
const suites = commandArguments.filter((name): name is keyof typeof configs => Object.hasOwn(configs, name));
const filters = commandArguments.filter((name) => !Object.hasOwn(configs, name));
if (suites.length === 0) {
  process.stderr.write(
    `Usage: node test/run-suites.ts ${Object.keys(configs).join('|')}... [file or flag of vitest]...\n`,
  );
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'suites-'));
if (suites.includes('nightly')) installNightlyPackages();
const total = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
for (const suite of suites) {
  const started = performance.now();
  const file = join(folder, `${suite}.json`);
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(root, 'test', configs[suite])];
  args.push(...filters, ...(filters.length > 0 ? ['--passWithNoTests'] : []));
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_COUNTS_FILE: file },
  });
  const counts = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Counts) : undefined;
  const ran = (counts?.passed ?? 0) > 0;
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts?.[key] ?? 0;
  failures.push(...(counts?.failures ?? []).map((name) => `${suite}: ${name}`));
  if ((!ran && filters.length === 0) || (status !== 0 && counts?.failed === 0))
    failures.push(`${suite}: vitest ended with ${status}`);
  process.stdout.write(`${suite}: ${Math.round((performance.now() - started) / 1000)} s\n`);
}
rmSync(folder, { recursive: true });
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = failures.length === 0 && total.skipped === 0 && total.passed > 0 ? 0 : 1;

/** Installs the packages that only nightly tests use, unless the installed packages are newer than the lock file. */
function installNightlyPackages(): void {
  const packages = join(root, 'test/nightly-packages');
  const installed = join(packages, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(join(packages, 'package-lock.json')).mtimeMs)
    return;
  const { status } = spawnSync('npm', ['ci', '--no-progress', '--ignore-scripts'], { cwd: packages, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm could not install the packages of ${packages}.`);
}
