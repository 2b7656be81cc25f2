/** Tests a workspace that has reached its size limit, and one whose data cannot be loaded (OP-229). */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flat, refusal, wrapped } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

const limit = { maxWorkspaceBytes: 256 * 1024 };
const full = flat(409, 67, 'The workspace has reached its limit of 256 KiB: delete data, or reset the workspace');

/** A profile of about 2 KB. */
const profile = { name: '€'.repeat(200), address1: '€'.repeat(200), address2: '€'.repeat(200) };

/** Creates customers concurrently, each with about 2 KB. Returns the refusals. */
async function addCustomers({ control }: Clients, from: number, count: number) {
  const bodies = Array.from({ length: count }, (_, at) => ({ uid: `FILL${from + at}`, profile }));
  const answers = await Promise.all(bodies.map((body) => control.POST('/customers', { body })));
  return answers.flatMap((answer) => (answer.data === undefined ? [refusal(answer)] : []));
}

/** Creates customers and then small items until neither fits. Returns the last refusal. */
async function fill(clients: Clients) {
  for (let number = 0; (await addCustomers(clients, number, 10)).length === 0; number += 10);
  for (let number = 0; ; number += 1) {
    const body = { sku_code: `I${number}`, product_type: 'EGV', skus: 'I', denomination_value: '1', stock: 1 } as const;
    const answer = await clients.control.POST('/catalogue', { body });
    if (answer.data === undefined) return refusal(answer);
  }
}

/** Returns functions that create and delete catalogue items of about 400 bytes each. */
function roomIn({ control }: Clients, items: number) {
  const codes = Array.from({ length: items }, (_, at) => `EGV-ROOM-${at}`);
  return {
    async take() {
      for (const sku_code of codes) {
        const body = {
          sku_code,
          product_type: 'EGV',
          skus: 'R'.repeat(200),
          denomination_value: '100',
          stock: 5,
        } as const;
        ok(await control.POST('/catalogue', { body }));
      }
    },
    async free() {
      for (const sku_code of codes) {
        const { response } = await control.DELETE('/catalogue/{sku_code}', { params: { path: { sku_code } } });
        expect(response.status).toBe(204);
      }
    },
  };
}

it('OP-229: a write that a full workspace refuses is 409 in the envelope of its API; reads, a reset and other workspaces still work', async () => {
  const sandbox = await testSandbox(limit);
  const tenant = await workspaceOf(sandbox);
  const token = await companyTokenOf(tenant);
  expect(await fill(tenant)).toEqual(full);

  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const order = await tenant.rewards(token).POST('/v1/partner/redeemptiononskus', { body });
  const otp = await tenant.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } });
  const message = 'The workspace is full: delete data, or reset it.';
  expect([refusal(order), refusal(otp)]).toEqual([full, wrapped(409, message)]);
  expect(ok(await tenant.control.GET('/reconciliation')).items).toEqual([]);
  // The log still grows, because it has its own limit.
  const { items } = ok(await tenant.control.GET('/activity', { params: { query: { limit: 50 } } }));
  const calls = items.flatMap((entry) => (entry.kind === 'call_in' ? [[entry.operation, entry.status]] : []));
  expect(calls).toContainEqual(['generateOtp', 409]);

  await orderIn(sandbox);
  ok(await tenant.control.POST('/reset'));
  await orderIn(tenant);
});

it('OP-229: due work that finds no room waits without a warning, and completes after data is deleted', async () => {
  const sandbox = await testSandbox(limit);
  const { control } = sandbox;
  const room = roomIn(sandbox, 20);
  await room.take();
  const { order_id } = await orderIn(sandbox);
  const params = { path: { order_id } };
  const statusOf = async () => ok(await control.GET('/orders/{order_id}', { params })).order.status;
  expect(await fill(sandbox)).toEqual(full);
  const advanced = ok(await control.POST('/clock/advance', { body: { seconds: 3600 } }));
  expect([advanced.ran, await statusOf(), sandbox.warnings]).toEqual([0, 'Pending', []]);

  await room.free();
  ok(await control.POST('/clock/advance', { body: { seconds: 60 } }));
  expect(await statusOf()).toBe('Delivered');
  expect(ok(await control.GET('/reconciliation')).items).toEqual([]);
});

/** Changes a byte of the stored data. */
async function damage(folder: string): Promise<void> {
  const file = join(folder, 'db.json');
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5);
  await writeFile(file, bytes);
}

it.each([
  ['is damaged', damage, 'db.json is damaged'],
  ['exceeds its limit', async () => {}, 'The store has reached its limit of 262144 bytes'],
] as const)(
  'OP-229: a workspace whose data %s answers 503 and can be deleted; the start and other workspaces are not affected',
  async (_what, harm, why) => {
    const dataDir = await temporaryFolder();
    const before = await testSandbox({ dataDir });
    const [tenant, other] = [(await workspaceOf(before)).details, (await workspaceOf(before)).details];
    for (let number = 0; number < 150; number += 10) expect(await addCustomers(opened(tenant), number, 10)).toEqual([]);
    const token = await companyTokenOf(opened(tenant));
    await before.close();
    const folder = join(dataDir, 'workspaces', tenant.id);
    await harm(folder);
    // Empty the note that the last stop wrote about the data, so that the next start reads the data itself.
    await writeFile(join(folder, 'note'), '');

    const sandbox = await testSandbox({ dataDir, ...limit, operations: { port: 0 } });
    const [warning, ...others] = sandbox.warnings.splice(0);
    expect([warning, others]).toEqual([expect.stringContaining(`Cannot use workspace ${tenant.id}: `), []]);
    expect(warning).toContain(why);
    const { urls } = sandbox.workspace;
    const answer = await opened({ ...tenant, urls }).control.GET('/workspace');
    expect([answer.response.status, answer.response.headers.get('x-problem')]).toEqual([
      503,
      'cannot load the data of the workspace; the terminal of the sandbox shows the reason',
    ]);
    const signed = await opened({ ...tenant, urls })
      .rewards(token)
      .GET('/v1/partner/rewards');
    expect(signed.response.status).toBe(503);
    await orderIn(opened({ ...other, urls }));
    const metrics = await (await fetch(`${sandbox.operations}/metrics`)).text();
    expect(metrics).toContain('rewards_sandbox_workspaces_unusable{why="load_failed"} 1');

    const { control } = sandbox;
    const listed = async () => ok(await control.GET('/workspaces')).items.map(({ id }) => id);
    expect(await listed()).toEqual(['demo', tenant.id, other.id]);
    const deleted = await control.DELETE('/workspaces/{id}', { params: { path: { id: tenant.id } } });
    expect(deleted.response.status).toBe(204);
    expect([await listed(), await readdir(join(dataDir, 'workspaces'))]).toEqual([['demo', other.id], [other.id]]);
  },
);
