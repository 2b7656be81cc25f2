/** Tests how the log describes invalid replies to the developer of a client server (OP-62). */
import { expect, it } from 'vitest';
import { type Reaction, stubClient } from '../harness/client-stub.ts';
import { order } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { summaryOf } from './replies-of-the-client.ts';

const stated = 'stated B3 R8 R10';

/** Returns the expected finding in the body of a reply. */
function wrong(rule: string, pointer: string, expected: string, actual: string, basis = stated) {
  return { code: `reply.body.${rule}`, severity: 'error', basis, pointer, expected, actual };
}

/** Places an order with this client reaction. Returns the log entry of the first call to the client. */
async function entryOf(sandbox: TestSandbox, reaction: Reaction) {
  await stubClient(sandbox, () => reaction);
  expect((await order(sandbox)).response.status).toBe(502);
  const { items } = ok(await sandbox.control.GET('/activity'));
  const [entry] = items.filter((item) => 'notices' in item).filter(({ kind }) => kind === 'call_out');
  if (entry === undefined) throw new Error('nothing was called');
  return { ...entry, findings: entry.findings?.map(summaryOf) };
}

it('OP-62: the log lists each finding in a reply with its place, the expected and the actual value', async () => {
  const sandbox = await testSandbox();
  const { profile: good, points } = ok(
    await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }),
  );
  const { email, ...rest } = good;
  const body = { profile: { ...rest, mobileNo: 9876543210, more: 1 }, points: { ...points, balance: '25000' } };
  const entry = await entryOf(sandbox, { status: 200, body });
  expect(entry.status).toBe(200);
  expect(entry.findings).toHaveLength(3);
  expect(entry.findings).toEqual(
    expect.arrayContaining([
      wrong('required', '/body/profile/email', 'is required', 'nothing', 'stated R8'),
      wrong('type', '/body/profile/mobileNo', 'must be a string', 'number (masked)', 'stated R8'),
      wrong('type', '/body/points/balance', 'must be an integer', '"25000"', 'stated R10'),
    ]),
  );
  expect(entry.notices).toHaveLength(1);
});

it('OP-62: OP-108: a reply that breaks only assumptions is accepted, and the log lists warnings', async () => {
  const sandbox = await testSandbox();
  const body = ok(await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }));
  const headers = { 'content-type': 'text/plain' };
  await stubClient(sandbox, ({ operation }) =>
    operation === 'getProfileAndPoints' ? { status: 200, body: JSON.stringify(body), headers } : 'pass',
  );
  ok(await order(sandbox));
  const { items } = ok(await sandbox.control.GET('/activity'));
  const [entry] = items.filter((item) => item.kind === 'call_out');
  expect(entry).toMatchObject({
    findings: [
      {
        code: 'reply.media-type.undocumented',
        severity: 'warning',
        basis: 'OP-108',
        pointer: '/headers/content-type',
        expected: 'application/json',
        actual: '"text/plain"',
      },
    ],
  });
});

it('the log hides secrets, truncates long values, and lists at most twenty findings', async () => {
  const sandbox = await testSandbox();
  const { profile } = ok(
    await sandbox.client().POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } }),
  );
  const wrong = { password: 'canary', words: 'x'.repeat(1000) };
  const body = { profile: Object.fromEntries(Object.keys(profile).map((name) => [name, wrong])), points: {} };
  const { findings = [], ...entry } = await entryOf(sandbox, { status: 200, body });
  expect(findings).toHaveLength(20);
  expect(JSON.stringify([entry, findings])).not.toContain('canary');
  for (const { actual } of findings) expect(actual.length).toBeLessThanOrEqual(203);
});
