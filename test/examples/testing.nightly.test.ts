/** Tests the helpers for partners' test suites. Each runs with its own tool, as its README describes. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

interface Suite {
  readonly command: readonly [string, ...string[]];
  /** The command that checks whether the tool is installed. */
  readonly versionCommand: readonly [string, ...string[]];
  /** A pattern for the tool's output if all tests pass. */
  readonly passed: RegExp;
}

const suites: Readonly<Record<'python' | 'go' | 'java' | 'php' | 'javascript', Suite>> = {
  python: {
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    versionCommand: ['python3', '-m', 'pytest', '--version'],
    passed: /^3 passed/m,
  },
  go: {
    command: ['go', 'test', '-count=1', './...'],
    versionCommand: ['go', 'version'],
    passed: /^ok\s/m,
  },
  java: {
    command: ['mvn', '-B', '-ntp', 'test'],
    // In addition to a JDK, Java needs packages from a registry.
    versionCommand: ['mvn', '-B', '-q', '-f', join(root, 'examples/testing/java/pom.xml'), 'dependency:resolve'],
    passed: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
  },
  php: {
    command: ['phpunit'],
    versionCommand: ['phpunit', '--version'],
    passed: /^OK \(3 tests/m,
  },
  javascript: {
    command: [process.execPath, '--test'],
    versionCommand: [process.execPath, '--version'],
    passed: /pass 2$/m,
  },
};

/** Two failing tests. One makes an unexplained deduction, and the other sends a call that the interface does not define. */
const failing = `import { test } from 'node:test';
import { call, startSandbox } from './rewards-sandbox.js';
async function inWorkspace(run) {
  const sandbox = await startSandbox();
  try {
    await sandbox.withWorkspace(run);
  } finally {
    await sandbox.stop();
  }
}
test('uneven', () =>
    inWorkspace(async (workspace) => {
      await workspace.control('POST', '/faults', {"target":"saveRedeemDetails","fault":"lost_reply","times":20});
      const Authorization = await workspace.companyToken();
      const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
      await call('POST', workspace.urls.rewards + '/v1/partner/redeemptiononskus', body, { Authorization });
    }));
test('against the contract', () =>
    inWorkspace(async (workspace) => {
      const service = { Authorization: 'Bearer ' + workspace.credentials.service_token };
      await call('POST', workspace.urls.client + '/saveRedeemDetails', {}, service);
      await workspace.assertContractsKept();
    }));
`;

const here = (Object.keys(suites) as (keyof typeof suites)[]).filter((name) => {
  const [tool, ...args] = suites[name].versionCommand;
  return spawnSync(tool, args).status === 0;
});

/** Runs a suite in a copy of its folder, optionally with an additional test file. */
async function run(name: keyof typeof suites, more?: string) {
  const folder = join(await temporaryFolder(), name);
  await cp(join(root, 'examples/testing', name), folder, { recursive: true });
  if (more !== undefined) await writeFile(join(folder, 'failing.test.js'), more);
  const [tool, ...args] = suites[name].command;
  const env = { ...process.env, REWARDS_SANDBOX_COMMAND: `${process.execPath} ${join(root, 'sandbox/bin.js')}` };
  // A Node test runner prints nothing if it detects an outer one.
  const { NODE_TEST_CONTEXT: _, ...plain } = env as NodeJS.ProcessEnv;
  try {
    const { stdout, stderr } = await promisify(execFile)(tool, args, { cwd: folder, env: plain });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

it(`this machine has the tools for: ${here.join(', ')}; JavaScript is always among them`, () => {
  expect(here).toContain('javascript');
});

it.each(here)('the tests next to the helper for %s pass', async (name) => {
  const { code, output } = await run(name);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(suites[name].passed) });
});

it('with the helper for JavaScript, a test with a ledger mismatch fails, and so does one with an undefined call', async () => {
  const { code, output } = await run('javascript', failing);
  expect({ failed: code !== 0, output }).toEqual({
    failed: true,
    output: expect.stringMatching(/the ledgers differ.*missing_reversal/s),
  });
  expect(output).toMatch(/calls violate the interface.*saveRedeemDetails/s);
});
