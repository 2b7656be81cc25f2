/** Tests the helpers for partners' test suites. Each runs with its own tool, as its README describes. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { execute, withoutTestRunner } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';
import { installedSuiteTools, type SuiteTool, suiteCommand } from '../harness/suite-tools.ts';

/** Patterns for a tool's output if all tests pass. */
const passed: Readonly<Record<SuiteTool, RegExp>> = {
  python: /^3 passed/m,
  go: /^ok\s/m,
  java: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
  php: /^OK \(3 tests/m,
  javascript: /pass 2$/m,
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

/** Runs a suite in a copy of its folder, optionally with an additional test file. */
async function run(name: SuiteTool, more?: string) {
  const folder = join(await temporaryFolder(), name);
  await cp(join(root, 'examples/testing', name), folder, { recursive: true });
  if (more !== undefined) await writeFile(join(folder, 'failing.test.js'), more);
  const [tool, ...args] = suiteCommand(name);
  const REWARDS_SANDBOX_COMMAND = `${process.execPath} ${join(root, 'sandbox/bin.js')}`;
  const { code, stdout, stderr } = await execute(tool, args, {
    cwd: folder,
    env: { ...withoutTestRunner(), REWARDS_SANDBOX_COMMAND },
  });
  return { code, output: stdout + stderr };
}

it(`this machine has the tools for: ${installedSuiteTools.join(', ')}; JavaScript is always among them`, () => {
  expect(installedSuiteTools).toContain('javascript');
});

it.each(installedSuiteTools)('the tests next to the helper for %s pass', async (name) => {
  const { code, output } = await run(name);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(passed[name]) });
});

it('with the helper for JavaScript, a test with a ledger mismatch fails, and so does one with an undefined call', async () => {
  const { code, output } = await run('javascript', failing);
  expect({ failed: code !== 0, output }).toEqual({
    failed: true,
    output: expect.stringMatching(/the ledgers differ.*missing_reversal/s),
  });
  expect(output).toMatch(/calls violate the interface.*saveRedeemDetails/s);
});
