/** The helpers for partners' test suites, each run with its own tool as its README says. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

interface Suite {
  readonly command: readonly [string, ...string[]];
  /** The command that shows whether the tool is installed. */
  readonly versionCommand: readonly [string, ...string[]];
  /** The tool's output when all tests pass. */
  readonly passed: RegExp;
  /** A file with two tests: one leaves points deducted for nothing, one sends a call that the interface does not define. */
  readonly failing: { readonly file: string; readonly text: string };
}

/** The tool's output for them. */
const failures = {
  'a ledger mismatch': /the ledgers differ.*missing_reversal/s,
  'a call breaks the contracts': /calls violate the interface.*saveRedeemDetails/s,
} as const;

const fault = '{"target":"saveRedeemDetails","fault":"lost_reply","times":20}';

const suites: Readonly<Record<'python' | 'go' | 'java' | 'php' | 'javascript', Suite>> = {
  python: {
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    versionCommand: ['python3', '-m', 'pytest', '--version'],
    passed: /^3 passed/m,
    failing: {
      file: 'test_failing.py',
      text: `from rewards_sandbox import call
from test_redemption import order
def test_uneven(workspace):
    workspace.control("POST", "/faults", ${fault})
    order(workspace, "CUST0001", "EGV-SPICE-500")
def test_against_the_contract(workspace):
    service = {"Authorization": "Bearer " + workspace.credentials["service_token"]}
    call("POST", workspace.urls["client"] + "/saveRedeemDetails", {}, service)
    workspace.assert_contracts_kept()
`,
    },
  },
  go: {
    command: ['go', 'test', '-count=1', './...'],
    versionCommand: ['go', 'version'],
    passed: /^ok\s/m,
    failing: {
      file: 'failing_test.go',
      text: `package rewardssandbox
import ("net/http"; "testing")
func TestUneven(t *testing.T) {
	w := NewWorkspace(t)
	w.Control("POST", "/faults", map[string]any${fault})
	customer := http.Header{"Authorization": {signIn(t, w, "CUST0001")}}
	body := map[string]any{"uid": "CUST0001", "line_items": []any{map[string]any{"sku": "EGV-SPICE-500", "quantity": 1}}}
	Call(t, "POST", w.URLs["rewards"]+"/v1/partner/redeemptiononskus", body, customer)
}
func TestAgainstTheContract(t *testing.T) {
	w := NewWorkspace(t)
	service := http.Header{"Authorization": {"Bearer " + w.Credentials.ServiceToken}}
	Call(t, "POST", w.URLs["client"]+"/saveRedeemDetails", map[string]any{}, service)
	w.AssertContractsKept()
}
`,
    },
  },
  java: {
    command: ['mvn', '-B', '-ntp', 'test'],
    // Besides a JDK, it needs packages from a registry.
    versionCommand: ['mvn', '-B', '-q', '-f', join(root, 'examples/testing/java/pom.xml'), 'dependency:resolve'],
    passed: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
    failing: {
      file: 'src/test/java/com/example/rewards/FailingTest.java',
      text: `package com.example.rewards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
@ExtendWith(RewardsSandbox.class)
class FailingTest {
  @Test
  void uneven(RewardsSandbox.Workspace workspace) {
    String customer = RedemptionTest.signIn(workspace, "CUST0001");
    workspace.control("POST", "/faults", Map.of("target", "saveRedeemDetails", "fault", "lost_reply", "times", 20));
    var body = Map.of("uid", "CUST0001", "line_items", List.of(Map.of("sku", "EGV-SPICE-500", "quantity", 1)));
    RewardsSandbox.call("POST", workspace.url("rewards") + "/v1/partner/redeemptiononskus", body, "Authorization", customer);
  }
  @Test
  void againstTheContract(RewardsSandbox.Workspace workspace) {
    String service = "Bearer " + workspace.credential("/service_token");
    RewardsSandbox.call("POST", workspace.url("client") + "/saveRedeemDetails", Map.of(), "Authorization", service);
    workspace.assertContractsKept();
  }
}
`,
    },
  },
  php: {
    command: ['phpunit'],
    versionCommand: ['phpunit', '--version'],
    passed: /^OK \(3 tests/m,
    failing: {
      file: 'FailingTest.php',
      text: `<?php
require_once __DIR__ . '/RedemptionTest.php';
final class FailingTest extends RewardsSandbox\\SandboxTestCase
{
    public function testUneven(): void
    {
        $this->workspace->control('POST', '/faults', json_decode('${fault}', true));
        RedemptionTest::order($this->workspace, 'CUST0001', 'EGV-SPICE-500');
    }
    public function testAgainstTheContract(): void
    {
        $service = ['Authorization' => 'Bearer ' . $this->workspace->credentials['service_token']];
        RewardsSandbox\\call('POST', $this->workspace->urls['client'] . '/saveRedeemDetails', [], $service);
        $this->workspace->assertContractsKept();
    }
}
`,
    },
  },
  javascript: {
    command: [process.execPath, '--test'],
    versionCommand: [process.execPath, '--version'],
    passed: /pass 2$/m,
    failing: {
      file: 'failing.test.js',
      text: `import { test } from 'node:test';
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
      await workspace.control('POST', '/faults', ${fault});
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
`,
    },
  },
};

const here = (Object.keys(suites) as (keyof typeof suites)[]).filter((name) => {
  const [tool, ...args] = suites[name].versionCommand;
  return spawnSync(tool, args).status === 0;
});

/** Runs a suite in a copy of its folder. */
async function run(name: keyof typeof suites, more?: Suite['failing']) {
  const folder = join(await temporaryFolder(), name);
  await cp(join(root, 'examples/testing', name), folder, { recursive: true });
  if (more !== undefined) await writeFile(join(folder, more.file), more.text);
  const [tool, ...args] = suites[name].command;
  const env = { ...process.env, REWARDS_SANDBOX_COMMAND: `${process.execPath} ${join(root, 'sandbox/bin.js')}` };
  // A test runner of Node prints nothing if it detects an outer one.
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

it.each(here)(
  'with the helper for %s, a test with a ledger mismatch fails, and so does one with an undefined call',
  async (name) => {
    const { code, output } = await run(name, suites[name].failing);
    expect({ failed: code !== 0, output }).toEqual({
      failed: true,
      output: expect.stringMatching(failures['a ledger mismatch']),
    });
    expect(output).toMatch(failures['a call breaks the contracts']);
  },
);
