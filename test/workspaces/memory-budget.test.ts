/** Tests the memory limit for the data of all workspaces, with a small limit (OP-244). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';
import { opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

const mebibyte = 2 ** 20;
const memoryBytes = 6 * mebibyte;
const tenantFull = flat(
  409,
  67,
  'Your workspaces have reached their combined limit of 3 MiB: delete data, or a workspace',
);
const processFull = {
  status: 503,
  problem: 'the data of all workspaces takes the whole memory of this sandbox; delete data, or ask its operator',
};

/** A profile of about 2 KB. */
const profile = { name: '€'.repeat(200), address1: '€'.repeat(200), address2: '€'.repeat(200) };

const addCustomer = ({ control }: Pick<Clients, 'control'>, uid: string) =>
  control.POST('/customers', { body: { uid, profile } });

/** Creates customers of about 2 KB each. All of them must fit. */
async function addCustomers(clients: Pick<Clients, 'control'>, count: number) {
  for (let at = 0; at < count; at += 10) {
    const ten = Array.from({ length: 10 }, (_, one) => addCustomer(clients, `FILL${at + one}`));
    for (const answer of await Promise.all(ten)) ok(answer);
  }
}

/** Creates customers until one is refused. Returns the refusal. */
async function fill(clients: Pick<Clients, 'control'>, prefix = 'MORE') {
  for (let at = 0; ; at += 1) {
    const answer = await addCustomer(clients, `${prefix}${at}`);
    if (answer.data === undefined) return answer;
  }
}

const fork = ({ control }: Pick<Clients, 'control'>, id: string) =>
  control.POST('/snapshots/{id}/fork', { params: { path: { id } } });
const remove = ({ control }: Pick<Clients, 'control'>, id: string) =>
  control.DELETE('/workspaces/{id}', { params: { path: { id } } });
const idsOf = async ({ control }: Pick<Clients, 'control'>) =>
  ok(await control.GET('/workspaces')).items.map(({ id }) => id);

it.each(['in memory', 'in a data folder'])(
  'OP-244: the workspaces of one tenant %s share a part of the memory; the fork that does not fit is 409 and leaves nothing, a deletion makes room, and other tenants are served',
  async (where) => {
    const dataDir = where === 'in memory' ? undefined : await temporaryFolder();
    const sandbox = await testSandbox({ memoryBytes, ...(dataDir !== undefined && { dataDir }) });
    const [tenant, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    await addCustomers(tenant, 150);
    const { id } = ok(await tenant.control.POST('/snapshots', { body: {} }));
    const forks = [ok(await fork(tenant, id)), ok(await fork(tenant, id)), ok(await fork(tenant, id))];
    const before = await idsOf(sandbox);
    expect(refusal(await fork(tenant, id))).toEqual(tenantFull);
    expect(await idsOf(sandbox)).toEqual(before);
    if (dataDir !== undefined) expect((await readdir(join(dataDir, 'workspaces'))).length).toBe(before.length - 1);

    // Additions by other means are subject to the same limit.
    const [first] = forks;
    if (first === undefined) throw new Error('nothing was forked');
    expect(refusal(await fill(opened(first)))).toEqual(tenantFull);
    expect(refusal(await fill(tenant))).toEqual(tenantFull);
    ok(await addCustomer(other, 'ROOM'));
    await orderIn(other);
    await orderIn(sandbox);

    expect((await remove(opened(first), first.id)).response.status).toBe(204);
    // The deleted workspace frees its memory once its last call has ended.
    await expect.poll(async () => (await fork(tenant, id)).response.status).toBe(201);
  },
);

it('OP-244: when all workspaces fill the memory, a tenant within its share gets 503 with the reason; deletions and resets work and make room', async () => {
  const sandbox = await testSandbox({ memoryBytes });
  const [one, other, third] = [await workspaceOf(sandbox), await workspaceOf(sandbox), await workspaceOf(sandbox)];
  await addCustomers(third, 10);
  const { id } = ok(await third.control.POST('/snapshots', { body: {} }));
  expect(refusal(await fill(one))).toEqual(tenantFull);
  const answer = await fill(other);
  const shown = ({ response }: typeof answer) => ({
    status: response.status,
    problem: response.headers.get('x-problem'),
  });
  expect(shown(answer)).toEqual(processFull);
  const restored = await third.control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
  for (const refused of [await addCustomer(third, 'A'), await fork(third, id), restored]) {
    expect([refused.response.status, refused.response.headers.get('x-problem')]).toEqual(Object.values(processFull));
  }
  expect(sandbox.warnings.splice(0)).toEqual([
    'The data of the workspaces takes all memory for data: delete some, or start with a larger heap',
  ]);

  ok(await third.control.POST('/reset'));
  ok(await addCustomer(third, 'A'));
  ok(await one.control.POST('/reset'));
  await addCustomers(third, 100);
});

it('OP-244: a start with less memory serves the smallest workspaces, and says which ones do not fit and what to do', async () => {
  const dataDir = await temporaryFolder();
  const before = await testSandbox({ dataDir, memoryBytes: 16 * mebibyte });
  const make = async (customers: number) => {
    const clients = await workspaceOf(before);
    await addCustomers(clients, customers);
    return clients.details;
  };
  const [large, small, medium] = [await make(500), await make(0), await make(300)];
  await before.close();

  const options = { dataDir, operations: { port: 0 } };
  const sandbox = await testSandbox({ ...options, memoryBytes: 2.5 * mebibyte });
  const { urls } = sandbox.workspace;
  expect(sandbox.warnings.splice(0)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Cannot use workspace ${large.id}: its files have \\d MiB, more than is left of the 2 MiB of data that fit in memory: ` +
          'give Node more memory, for example NODE_OPTIONS=--max-old-space-size=4096, or delete other workspaces and restart$',
      ),
    ),
  ]);
  const refused = await opened({ ...large, urls }).control.GET('/workspace');
  expect([refused.response.status, refused.response.headers.get('x-problem')]).toEqual([
    503,
    'cannot load the data of the workspace; the terminal of the sandbox shows the reason',
  ]);
  for (const details of [small, medium]) await orderIn(opened({ ...details, urls }));
  const metrics = await (await fetch(`${sandbox.operations}/metrics`)).text();
  expect(metrics).toContain('rewards_sandbox_workspaces_unusable{why="load_failed"} 1');
  expect(await idsOf(sandbox)).toEqual(['demo', large.id, small.id, medium.id]);
  await sandbox.close();

  const again = await testSandbox({ ...options, memoryBytes: 16 * mebibyte });
  await orderIn(opened({ ...large, urls: again.workspace.urls }));
});

it('OP-244: without memory for its demo workspace, a sandbox does not start and says why', async () => {
  const dataDir = await temporaryFolder();
  const before = await testSandbox({ dataDir });
  await before.close();
  await expect(startSandbox({ port: 0, dataDir, memoryBytes: 1024 })).rejects.toThrow(
    'The demo workspace is larger than the 0 MiB of data that fit in memory: give Node more memory',
  );
});
