/** Tests setting, listing and deleting faults, the number of calls they affect, and their duration (OP-70). */
import { expect, it } from 'vitest';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { creditPoints, failing, listRewards, readReply } from '../harness/faults.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { eventsOf } from '../harness/state.ts';

const none = { times: null, share: null, ms: null, status: null, left: null };

/** Makes calls one after another. Returns whether each call encountered a fault. */
async function recordHits(sandbox: TestSandbox, calls: number): Promise<boolean[]> {
  const hits: boolean[] = [];
  for (let call = 0; call < calls; call += 1) hits.push((await listRewards(sandbox)).headers.has('x-fault'));
  return hits;
}

it('a new fault is returned as it was set, and listed with the remaining number of calls', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const first = await control.POST('/faults', { body: { target: 'listRewards', fault: 'latency', ms: 1, times: 2 } });
  const latency = { ...none, id: 'FLT-000001', target: 'listRewards', fault: 'latency', ms: 1, times: 2, left: 2 };
  expect([first.response.status, first.data]).toEqual([201, latency]);
  const status = { ...none, id: 'FLT-000002', target: 'creditPoints', fault: 'status', status: 500, share: 0.5 };
  expect(
    ok(await control.POST('/faults', { body: { target: 'creditPoints', fault: 'status', status: 500, share: 0.5 } })),
  ).toEqual(status);
  await listRewards(sandbox);
  expect(ok(await control.GET('/faults'))).toEqual({ items: [{ ...latency, left: 1 }, status], next: null });
  expect(await eventsOf(sandbox)).toEqual({ 'fault.set': 2 });
});

it.each([
  [{ target: 'nothing', fault: 'reset' }, '/target must be one of '],
  [{ target: 'createFault', fault: 'reset' }, '/target must be one of '],
  [{ target: 'listRewards', fault: 'latency' }, '/ms is required with latency'],
  [{ target: 'listRewards', fault: 'drip' }, '/ms is required with drip'],
  [{ target: 'listRewards', fault: 'reset', ms: 1 }, '/ms does not apply to reset'],
  [{ target: 'listRewards', fault: 'status', status: 500, ms: 1 }, '/ms does not apply to status'],
  [{ target: 'listRewards', fault: 'status' }, '/status is required with status'],
  [{ target: 'listRewards', fault: 'duplicate', status: 500 }, '/status does not apply to duplicate'],
  [{ target: 'listRewards', fault: 'reset', times: 1, share: 0.5 }, '/share cannot be combined with times'],
  [{ target: 'listRewards', fault: 'reset', times: 0 }, '/times must be at least 1'],
  [{ target: 'listRewards', fault: 'reset', share: 1.1 }, '/share must be at most 1'],
  [{ target: 'listRewards', fault: 'status', status: 200 }, '/status must be at least 400'],
] as const)('code 53: %j, because %s', async (body, problem) => {
  const { control } = await testSandbox();
  const refused = refusal(await control.POST('/faults', { body }));
  expect(refused).toEqual(flat(400, 53, expect.stringContaining(`Invalid request: ${problem}`)));
  expect(ok(await control.GET('/faults'))).toEqual({ items: [], next: null });
});

it('a fault is deleted by its id once; afterwards the id is unknown', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const id = await failing(sandbox, { target: 'listRewards', fault: 'reset' });
  const remainingId = await failing(sandbox, { target: 'listRewards', fault: 'status', status: 500 });
  const path = { params: { path: { id } } };
  expect((await control.DELETE('/faults/{id}', path)).response.status).toBe(204);
  expect(refusal(await control.DELETE('/faults/{id}', path))).toEqual(notFound(`Fault ${id}`));
  expect(await readReply(listRewards(sandbox))).toMatchObject({ status: 500, fault: remainingId });
});

it('all faults are deleted together, and deleting none is fine', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'listRewards', fault: 'reset' });
  await failing(sandbox, { target: 'creditPoints', fault: 'reset' });
  for (const _ of ['two', 'none']) expect((await sandbox.control.DELETE('/faults')).response.status).toBe(204);
  expect(ok(await sandbox.control.GET('/faults'))).toEqual({ items: [], next: null });
  expect(await readReply(listRewards(sandbox))).toMatchObject({ status: 200, fault: null });
});

it('the oldest fault of an operation applies first, and a call meets only one', async () => {
  const sandbox = await testSandbox();
  for (const status of [500, 501]) await failing(sandbox, { target: 'listRewards', fault: 'status', status, times: 1 });
  const statuses: number[] = [];
  for (const _ of 'abc') statuses.push((await listRewards(sandbox)).status);
  expect(statuses).toEqual([500, 501, 200]);
});

it('times is exact among concurrent calls', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'listRewards', fault: 'status', status: 500, times: 7 });
  const replies = await Promise.all(Array.from({ length: 20 }, () => listRewards(sandbox)));
  expect(replies.filter(({ status }) => status === 500)).toHaveLength(7);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(13);
  expect(ok(await sandbox.control.GET('/faults'))).toEqual({ items: [], next: null });
});

it('share: the same seed hits the same calls, another seed hits others', async () => {
  const hits: boolean[][] = [];
  for (const seed of ['one', 'one', 'two']) {
    const sandbox = await testSandbox({ seed });
    await failing(sandbox, { target: 'listRewards', fault: 'status', status: 500, share: 0.5 });
    hits.push(await recordHits(sandbox, 40));
  }
  const [first = [], again, other] = hits;
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  const share = first.filter(Boolean).length;
  expect(share).toBeGreaterThan(10);
  expect(share).toBeLessThan(30);
});

it.each([
  [{ share: 0 }, false],
  [{ share: 1 }, true],
  [{}, true],
])('with %o, every call meets the fault: %s', async (share, hit) => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'listRewards', fault: 'status', status: 500, ...share });
  expect(await recordHits(sandbox, 5)).toEqual([hit, hit, hit, hit, hit]);
});

it('OP-70: faults survive a restart with their remaining calls, and a share continues its sequence', async () => {
  const dataDir = await temporaryFolder();
  const key = new Uint8Array(32).fill(7);
  const before = await testSandbox({ dataDir, key });
  await failing(before, { target: 'creditPoints', fault: 'reset', times: 3 });
  await failing(before, { target: 'listRewards', fault: 'status', status: 500, share: 0.5 });
  expect(await readReply(creditPoints(before))).toBe('no reply');
  const hits = await recordHits(before, 10);
  const listed = ok(await before.control.GET('/faults'));
  expect(listed.items[0]).toMatchObject({ times: 3, left: 2 });
  await before.close();

  const after = await testSandbox({ dataDir, key });
  expect(ok(await after.control.GET('/faults'))).toEqual(listed);
  hits.push(...(await recordHits(after, 10)));
  const unbroken = await testSandbox();
  await failing(unbroken, { target: 'creditPoints', fault: 'reset' });
  await failing(unbroken, { target: 'listRewards', fault: 'status', status: 500, share: 0.5 });
  expect(await recordHits(unbroken, 20)).toEqual(hits);
});

it('OP-70: a reset clears all faults', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'listRewards', fault: 'reset' });
  ok(await sandbox.control.POST('/reset'));
  expect(ok(await sandbox.control.GET('/faults'))).toEqual({ items: [], next: null });
  expect(await readReply(listRewards(sandbox))).toMatchObject({ status: 200, fault: null });
});
