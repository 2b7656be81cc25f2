/** The helpers for other people's test suites, each run by its own tool as its README says. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

interface Suite {
  readonly command: readonly [string, ...string[]];
  /** Tells whether the tool is here. */
  readonly asked: readonly [string, ...string[]];
  /** What the tool says of tests that all passed. */
  readonly passed: RegExp;
  /** A test that leaves points deducted for nothing, and what the tool says of it. */
  readonly uneven: { readonly file: string; readonly text: string; readonly said: RegExp };
}

const fault = '{"target":"saveRedeemDetails","fault":"lost_reply","times":20}';

const suites: Readonly<Record<'python' | 'go' | 'java' | 'javascript', Suite>> = {
  python: {
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    asked: ['python3', '-m', 'pytest', '--version'],
    passed: /^3 passed/m,
    uneven: {
      file: 'test_uneven.py',
      text: `from test_redemption import order
def test_uneven(workspace):
    workspace.control("POST", "/faults", ${fault})
    order(workspace, "CUST0001", "EGV-SPICE-500")
`,
      said: /the books differ.*missing_reversal/s,
    },
  },
  go: {
    command: ['go', 'test', '-count=1', './...'],
    asked: ['go', 'version'],
    passed: /^ok\s/m,
    uneven: {
      file: 'uneven_test.go',
      text: `package rewardssandbox
import ("net/http"; "testing")
func TestUneven(t *testing.T) {
	w := NewWorkspace(t)
	w.Control("POST", "/faults", map[string]any${fault})
	customer := http.Header{"Authorization": {signIn(t, w, "CUST0001")}}
	body := map[string]any{"uid": "CUST0001", "line_items": []any{map[string]any{"sku": "EGV-SPICE-500", "quantity": 1}}}
	Call(t, "POST", w.URLs["rewards"]+"/v1/partner/redeemptiononskus", body, customer)
}
`,
      said: /the books differ.*missing_reversal/s,
    },
  },
  java: {
    command: ['mvn', '-B', '-ntp', 'test'],
    // What it needs beside a JDK it takes from a registry.
    asked: ['mvn', '-B', '-q', '-f', join(root, 'examples/testing/java/pom.xml'), 'dependency:resolve'],
    passed: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
    uneven: {
      file: 'src/test/java/com/example/rewards/UnevenTest.java',
      text: `package com.example.rewards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
@ExtendWith(RewardsSandbox.class)
class UnevenTest {
  @Test
  void uneven(RewardsSandbox.Workspace workspace) {
    String customer = RedemptionTest.signIn(workspace, "CUST0001");
    workspace.control("POST", "/faults", Map.of("target", "saveRedeemDetails", "fault", "lost_reply", "times", 20));
    var body = Map.of("uid", "CUST0001", "line_items", List.of(Map.of("sku", "EGV-SPICE-500", "quantity", 1)));
    RewardsSandbox.call("POST", workspace.url("rewards") + "/v1/partner/redeemptiononskus", body, "Authorization", customer);
  }
}
`,
      said: /the books differ.*missing_reversal/s,
    },
  },
  javascript: {
    command: [process.execPath, '--test'],
    asked: [process.execPath, '--version'],
    passed: /pass 2$/m,
    uneven: {
      file: 'uneven.test.js',
      text: `import { test } from 'node:test';
import { call, startSandbox } from './rewards-sandbox.js';
test('uneven', async () => {
  const sandbox = await startSandbox();
  try {
    await sandbox.withWorkspace(async (workspace) => {
      await workspace.control('POST', '/faults', ${fault});
      const Authorization = await workspace.companyToken();
      const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
      await call('POST', workspace.urls.rewards + '/v1/partner/redeemptiononskus', body, { Authorization });
    });
  } finally {
    await sandbox.stop();
  }
});
`,
      said: /the books differ.*missing_reversal/s,
    },
  },
};

const here = (Object.keys(suites) as (keyof typeof suites)[]).filter((name) => {
  const [tool, ...args] = suites[name].asked;
  return spawnSync(tool, args).status === 0;
});

/** Runs a suite in a copy of its folder. */
async function run(name: keyof typeof suites, more?: Suite['uneven']) {
  const folder = join(await temporaryFolder(), name);
  await cp(join(root, 'examples/testing', name), folder, { recursive: true });
  if (more !== undefined) await writeFile(join(folder, more.file), more.text);
  const [tool, ...args] = suites[name].command;
  const env = { ...process.env, REWARDS_SANDBOX_COMMAND: `${process.execPath} ${join(root, 'sandbox/bin.js')}` };
  // A test runner of Node within another keeps quiet where it is told of the outer one.
  const { NODE_TEST_CONTEXT: _, ...plain } = env as NodeJS.ProcessEnv;
  try {
    const { stdout, stderr } = await promisify(execFile)(tool, args, { cwd: folder, env: plain });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

it(`this machine has the tools for: ${here.join(', ')}; JavaScript is always among them`, () => {
  expect(here).toContain('javascript');
});

it.each(here)('the tests beside the helper for %s pass', async (name) => {
  const { code, said } = await run(name);
  expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(suites[name].passed) });
});

it.each(here)('a test whose books differ in the end fails, with the helper for %s', async (name) => {
  const { uneven } = suites[name];
  const { code, said } = await run(name, uneven);
  expect({ failed: code !== 0, said }).toEqual({ failed: true, said: expect.stringMatching(uneven.said) });
});
