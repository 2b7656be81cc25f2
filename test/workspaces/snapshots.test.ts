/** A snapshot contains a workspace's whole state, which can be restored or forked (OP-64). */
import { expect, it } from 'vitest';
import { flat, notFound } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

async function take({ control }: Clients, name?: string) {
  return ok(await control.POST('/snapshots', { body: name === undefined ? {} : { name } }));
}

function restore({ control }: Clients, id: string) {
  return control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
}

/** Advances the clock by an hour. Returns the activity, messages, clock and ledger. */
async function advanceAndRead({ control }: Clients) {
  ok(await control.POST('/clock/advance', { body: { seconds: 3600 } }));
  const uid = 'CUST0001';
  const [activity, messages, clock, ledger] = await Promise.all([
    control.GET('/activity', { params: { query: { limit: 10_000 } } }).then(ok),
    control.GET('/messages').then(ok),
    control.GET('/clock').then(ok),
    control.GET('/ledger/{uid}', { params: { path: { uid } } }).then(ok),
  ]);
  // Control API calls differ between the runs, and they also use up sequence numbers and traces.
  const others = activity.items.filter((item) => item.party !== 'sandbox');
  const items = others.map(({ seq: _, trace: __, ...item }) => item);
  return { items: withoutTraces(items), messages, clock, ledger };
}

/** Returns the entries with an empty value in every header that contains a trace. */
function withoutTraces<T>(items: readonly T[]): T[] {
  return JSON.parse(JSON.stringify(items).replaceAll(/"(traceparent|x-trace-id)":"[^"]*"/g, '"$1":""'));
}

/** Separates a result from its voucher codes. Returns the result without codes or span ids, and the codes. */
function withoutCodes(story: Awaited<ReturnType<typeof advanceAndRead>>): [unknown, string[]] {
  const codes = /[2-9A-Z]{4}(-[2-9A-Z]{4}){3}|(?<=PIN )\d{6}/g;
  const text = JSON.stringify(story);
  return [
    JSON.parse(text.replace(codes, '<code>').replace(/"(span|parent)":"[0-9a-f]{16}"/g, '"$1":""')),
    text.match(codes) ?? [],
  ];
}

it('OP-64: a snapshot has a name, an id and the sandbox time', async () => {
  const sandbox = await testSandbox();
  const [named, unnamed] = [await take(sandbox, 'before the storm'), await take(sandbox)];
  const at = '2026-01-12T04:30:00.000Z';
  expect(named).toEqual({ id: 'SNP-000001', name: 'before the storm', at });
  expect(unnamed).toEqual({ id: 'SNP-000002', name: 'SNP-000002', at });
  expect(ok(await sandbox.control.GET('/snapshots'))).toEqual({ items: [named, unnamed] });
});

it('OP-64: a restore brings back orders, outbox, due work, settings, faults and clock', async () => {
  const sandbox = await testSandbox();
  await signIn(sandbox, 'CUST0001');
  await orderIn(sandbox);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { processing_fee_egv: 3 } } }));
  ok(await sandbox.control.POST('/faults', { body: { target: 'updateRedeemStatus', fault: 'reset', times: 2 } }));
  const snapshot = await take(sandbox);
  const orders = ok(await sandbox.control.GET('/orders'));
  const first = await advanceAndRead(sandbox);
  await orderIn(sandbox);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { processing_fee_egv: 99 } } }));
  ok(await sandbox.control.DELETE('/faults', {}).then(() => sandbox.control.GET('/faults')));
  expect(ok(await restore(sandbox, snapshot.id))).toEqual(snapshot);
  expect(ok(await sandbox.control.GET('/orders'))).toEqual(orders);
  expect(ok(await sandbox.control.GET('/clock')).now).toBe(snapshot.at);
  expect(ok(await sandbox.control.GET('/workspace')).settings.processing_fee_egv).toBe(3);
  expect(ok(await sandbox.control.GET('/faults')).items).toMatchObject([{ target: 'updateRedeemStatus', left: 2 }]);
  // The codes, traces and times are equal, because the restore also rewinds the random stream.
  expect(await advanceAndRead(sandbox)).toEqual(first);
  expect(first.messages.items.some(({ kind }) => kind === 'voucher')).toBe(true);
});

it('OP-64: after a restore, values drawn outside the store repeat, such as token ids', async () => {
  const sandbox = await testSandbox();
  const snapshot = await take(sandbox);
  const tokens = [await sandbox.companyToken(), await sandbox.companyToken()];
  expect(tokens[1]).not.toBe(tokens[0]);
  ok(await restore(sandbox, snapshot.id));
  expect([await sandbox.companyToken(), await sandbox.companyToken()]).toEqual(tokens);
});

it('OP-64: a fork continues from the snapshot with credentials of its own, and the original does not change', async () => {
  const sandbox = await testSandbox();
  const origin = await workspaceOf(sandbox);
  const { jwt } = await signIn(origin, 'CUST0001');
  await orderIn(origin);
  const { id } = await take(origin);
  const activity = ok(await origin.control.GET('/activity'));
  const fork = opened(ok(await origin.control.POST('/snapshots/{id}/fork', { params: { path: { id } } })));
  expect(fork.details.credentials).not.toEqual(origin.details.credentials);
  expect(ok(await fork.control.GET('/clock')).now).toBe('2026-01-12T04:30:00.000Z');
  const [there, codes] = withoutCodes(await advanceAndRead(fork));
  expect(ok(await origin.control.GET('/activity')).items.slice(-1)).toMatchObject([{ operation: 'forkSnapshot' }]);
  expect(ok(await origin.control.GET('/activity')).items.slice(0, activity.items.length)).toEqual(activity.items);
  const [here, own] = withoutCodes(await advanceAndRead(origin));
  expect(here).toEqual(there);
  expect(codes).toHaveLength(2);
  expect(codes.filter((code) => own.includes(code))).toEqual([]);
  expect(ok(await fork.control.GET('/snapshots')).items).toEqual([]);
  // A customer's JWT is valid only in the workspace that issued it.
  const again = opened(ok(await origin.control.POST('/snapshots/{id}/fork', { params: { path: { id } } })));
  const rewards = again.rewards(await companyTokenOf(again));
  const refused = await rewards.POST('/v1/customer/auth', { body: { uid: 'CUST0001', token: jwt } });
  expect(refused.error).toEqual(flat(422, 56, 'Refused by the client: Token Invalid').body);
});

it('OP-64: snapshots survive a reset and a restart', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  await orderIn(first);
  const snapshot = await take(first, 'one order pending');
  ok(await first.control.POST('/reset'));
  expect(ok(await first.control.GET('/snapshots')).items).toEqual([snapshot]);
  await first.close();
  const second = await testSandbox({ dataDir });
  expect(ok(await second.control.GET('/snapshots')).items).toEqual([snapshot]);
  expect(ok(await restore(second, snapshot.id))).toEqual(snapshot);
  const { messages, ledger } = await advanceAndRead(second);
  expect(ledger.items.filter(({ kind }) => kind === 'deduct')).toMatchObject([{ points: 500, label: 'Redeemed' }]);
  expect(messages.items.filter(({ kind }) => kind === 'voucher')).toHaveLength(1);
  expect(ok(await second.control.GET('/reconciliation')).items).toEqual([]);
});

it('OP-64: a deleted snapshot is gone, an unknown one is not found', async () => {
  const sandbox = await testSandbox();
  const { id } = await take(sandbox);
  const params = { path: { id } };
  const missing = notFound(`Snapshot ${id}`).body;
  expect((await sandbox.control.DELETE('/snapshots/{id}', { params })).response.status).toBe(204);
  expect((await sandbox.control.DELETE('/snapshots/{id}', { params })).error).toEqual(missing);
  expect((await restore(sandbox, id)).error).toEqual(missing);
  expect((await sandbox.control.POST('/snapshots/{id}/fork', { params })).error).toEqual(missing);
  expect(ok(await sandbox.control.GET('/snapshots')).items).toEqual([]);
});

it('OP-64: a workspace has at most 20 snapshots', async () => {
  const sandbox = await testSandbox();
  for (let count = 0; count < 20; count += 1) await take(sandbox);
  const { error } = await sandbox.control.POST('/snapshots', { body: {} });
  expect(error).toEqual(flat(409, 67, 'No more than 20 snapshots: delete one first').body);
  expect(ok(await sandbox.control.GET('/snapshots')).items).toHaveLength(20);
});
