/** Tests `rewards-sandbox verdict`, which summarizes a CI job's traffic in one exit code. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort } from '../harness/http-server.ts';
import { advance, order, pay } from '../harness/orders.ts';
import { PartnerServer, type Wrong } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { orderIn, workspaceOf } from '../harness/workspaces.ts';

/** Runs the command with a configuration file. */
async function verdict(
  lines: readonly string[],
  files: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
) {
  const folder = await temporaryFolder();
  const config = join(folder, 'ci.yaml');
  for (const [name, text] of Object.entries({ ...files, 'ci.yaml': `${lines.join('\n')}\n` }))
    await writeFile(join(folder, name), text);
  const { code, stdout, stderr } = await inProcess(['verdict', '--config', config, ...flags]).ended;
  return { code, stdout, stderr: stderr.replaceAll(config, 'ci.yaml') };
}

const required = 'required: [createRedemptionOrder, saveRedeemDetails, creditPoints]';

/** Starts a sandbox with a partner's own server, places an order, and sends a payment whose first reply is lost. */
async function job(wrong?: Wrong): Promise<TestSandbox> {
  const sandbox = await testSandbox();
  const server = await new PartnerServer(wrong).standIn(sandbox);
  server.plan.push({ operation: 'creditPoints', reaction: 'lose' });
  ok(await order(sandbox));
  ok(await pay(sandbox));
  await advance(sandbox, 10);
  return sandbox;
}

it('fails without traffic: nothing was seen, so nothing was proven', async () => {
  const { origin } = await testSandbox();
  expect(await verdict([`sandbox: ${origin}`])).toEqual({
    code: 1,
    stdout: [
      'Calls: 0 in 0 workspaces.',
      '  Fewer than 1 (min_calls): run your tests against this sandbox.',
      'Messages: 0 findings.',
      'Points: 0 mismatches.',
      'Verdict: failed (calls).',
      '',
    ].join('\n'),
    stderr: '',
  });
});

it('needs no configuration: --sandbox names the sandbox, before a file does', async () => {
  const { origin } = await job();
  const passed = expect.stringMatching(/^Calls: \d+ in 1 workspace\.\n.*\n.*\nVerdict: passed\.\n$/);
  expect(await inProcess(['verdict', '--sandbox', origin]).ended).toMatchObject({
    code: 0,
    stdout: passed,
    stderr: '',
  });
  const elsewhere = [`sandbox: ${await closedPort()}`];
  expect(await verdict(elsewhere, {}, '--sandbox', origin)).toMatchObject({ code: 0, stdout: passed });
});

it('passes with a right server, and again when it is repeated', async () => {
  const { origin } = await job();
  const config = [`sandbox: ${origin}`, 'min_calls: 5', required];
  const passed = {
    code: 0,
    stdout: expect.stringMatching(/^Calls: \d+ in 1 workspace\.\n.*\n.*\nVerdict: passed\.\n$/),
  };
  expect(await verdict(config)).toMatchObject(passed);
  expect(await verdict(config)).toMatchObject(passed);
});

it('fails with a server that credits twice', async () => {
  const { origin } = await job('credits twice on a repeat');
  const { code, stdout } = await verdict([`sandbox: ${origin}`, required]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Points: 1 mismatch\.\n {2}demo: \{"uid":"CUST0001",.*"mistake":"credited_twice"/m);
  expect(stdout).toMatch(/\nVerdict: failed \(points\)\.\n$/);
});

it('judges every workspace: a finding in another than the demo workspace fails the job', async () => {
  const sandbox = await testSandbox();
  const other = await workspaceOf(sandbox);
  await orderIn(other);
  const config = [`sandbox: ${sandbox.origin}`];
  expect((await verdict(config)).code).toBe(0);
  await fetch(`${other.details.urls.rewards}/v1/company/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"secret":1}',
  });
  const { code, stdout } = await verdict(config);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    new RegExp(`^Messages: 1 finding\\.\\n {2}${other.details.id}, entry \\d+: error request\\.body`, 'm'),
  );
});

it('fails if a required operation was not answered with success', async () => {
  const sandbox = await testSandbox();
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  const { code, stdout } = await verdict([`sandbox: ${sandbox.origin}`, 'required: [listRewards, companyAuth]']);
  expect(code).toBe(1);
  expect(stdout).toContain('  Never succeeded (required): listRewards, companyAuth.\n');
});

it.each([
  ['min_call: 1', 'ci.yaml:2:1: min_call is unknown, did you mean `min_calls`?\n'],
  ['min_calls: some', 'ci.yaml:2:1: min_calls must be an integer\n'],
  ['required: [creditPoint]', 'ci.yaml: required: unknown operation creditPoint, did you mean creditPoints?\n'],
])('2: %s', async (line, stderr) => {
  const { origin } = await testSandbox();
  expect(await verdict([`sandbox: ${origin}`, line])).toEqual({ code: 2, stdout: '', stderr });
});

it('ends with the code of the certification if everything else holds', async () => {
  const { origin } = await job();
  const certify = `client_url: ${await closedPort()}\ncustomers: [CUST0001]\n`;
  const ran = await verdict([`sandbox: ${origin}`, 'certify: certify.yaml'], { 'certify.yaml': certify });
  expect(ran.code).toBe(3);
  expect(ran.stdout).toMatch(/The run could not start\. .*\nVerdict: failed \(certification\)\.\n$/);
});
