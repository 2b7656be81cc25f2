/** Tests `/healthz`, `/readyz` and `/metrics`, which have their own address (OP-217, OP-218). */
import { connect } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startOperations } from '../../sandbox/operator/operations.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { loadContracts, type Operation } from '../harness/contracts.ts';
import { flat, unavailable as refusedCall } from '../harness/envelopes.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { postgres } from '../harness/postgres.ts';
import { exampleRequest, loadPrism } from '../harness/prism.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { exchange } from '../harness/socket.ts';

const database = postgres();
const at = { operations: { port: 0 } };
const { body: unavailable } = refusedCall;

async function read(origin: string | undefined, path: string, method = 'GET') {
  const reply = await fetch(`${origin}${path}`, { method });
  return { status: reply.status, body: await reply.text(), headers: reply.headers };
}

/** Returns the status, the body and the problem of the readiness check. */
async function readiness(origin: string | undefined) {
  const { status, body, headers } = await read(origin, '/readyz');
  return [status, JSON.parse(body), headers.get('x-problem')];
}

/** Returns the value of a metric, identified by its name and labels as in the reply. */
async function metric(origin: string | undefined, name: string): Promise<number | undefined> {
  const { body } = await read(origin, '/metrics');
  const line = body.split('\n').find((each) => each.startsWith(`rewards_sandbox_${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

it('OP-217: the endpoints exist only where `operations` sets an address', async () => {
  const { operations } = await testSandbox();
  expect(operations).toBeUndefined();
});

it('OP-217: a running sandbox is live and ready', async () => {
  const { operations, origin } = await testSandbox(at);
  const liveness = await read(operations, '/healthz');
  expect([liveness.status, JSON.parse(liveness.body)]).toEqual([200, { status: 'ok', version: '0.1.0' }]);
  const ready = await read(operations, '/readyz');
  expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ready' }]);
  expect(ready.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  expect((await read(origin, '/readyz')).status).toBe(404);
});

it('OP-217: the replies follow the contract', async () => {
  const contract = loadContracts().find(({ name }) => name === 'operations');
  const prism = await loadPrism(contract?.document ?? {});
  const sandbox = await testSandbox({ ...at, stopMilliseconds: 60_000 });
  const check = async (operation: Operation) => {
    const { status, body, headers } = await read(sandbox.operations, operation.path);
    const parsed = headers.get('content-type') === 'application/json' ? JSON.parse(body) : body;
    const reply = { statusCode: status, headers: Object.fromEntries(headers), body: parsed };
    return [operation.id, status, await prism.check(exampleRequest(operation), reply)];
  };
  const operations = contract?.operations ?? [];
  const clean = { request: [], reply: [] };
  expect(await Promise.all(operations.map(check))).toEqual([
    ['getLiveness', 200, clean],
    ['getReadiness', 200, clean],
    ['getMetrics', 200, clean],
  ]);
});

it('OP-217: other paths are not found, other methods not allowed, and HEAD has no body', async () => {
  const { operations } = await testSandbox(at);
  const missing = await read(operations, '/sandbox/v1/workspace');
  expect([missing.status, JSON.parse(missing.body)]).toMatchObject([404, { code: 44 }]);
  const post = await read(operations, '/readyz', 'POST');
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await read(operations, '/readyz', 'HEAD');
  expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '18']);
});

it('OP-217: a page with a rebound name reads nothing, and a name that the operator allows is answered', async () => {
  const { operations = '' } = await testSandbox({ ...at, allowedHosts: ['Metrics.example'] });
  const { host, port } = new URL(operations);
  const callAs = (name: string) =>
    exchange(operations, ['GET /metrics HTTP/1.1', `Host: ${name}`, 'Connection: close', '', '']);
  const message = 'Invalid request: the Host header does not name this sandbox; add the name with --allow-host';
  const { status, body } = await callAs('evil.example');
  expect({ status, body }).toEqual(flat(400, 53, message));
  for (const name of [host, `localhost:${port}`, '10.0.0.7', 'metrics.example:9100']) {
    expect([name, (await callAs(name)).status]).toEqual([name, 200]);
  }
});

it('OP-217: a sandbox is not ready while it starts, nor while another instance may own the workspaces', async () => {
  const metrics = { contentType: 'text/plain', text: async () => '' };
  const operations = await startOperations({ host: '127.0.0.1', port: 0 }, metrics, {
    seed: 'test',
    hosts: [],
    warn: expect.fail,
  });
  onTestFinished(() => operations.close());
  const ready = () => readiness(`http://127.0.0.1:${operations.port}`);
  expect(await ready()).toEqual([503, unavailable, 'starting']);
  const workspaces = { count: 1, loaded: 1, limit: 1, gaveUp: 0, paused: 0, loadFailed: 0, dueLag: 0 };
  operations.ready(() => ({ ...workspaces, paused: 1 }));
  expect(await ready()).toEqual([503, unavailable, 'another instance may own the workspaces']);
  operations.ready(() => workspaces);
  expect(await ready()).toEqual([200, { status: 'ready' }, null]);
});

it('OP-217: a failed call is answered with 500 in the usual form, and logged as a warning', async () => {
  const warnings: string[] = [];
  const broken = { contentType: 'text/plain', text: () => Promise.reject(new Error('no numbers')) };
  const warn = (message: string) => void warnings.push(message);
  const operations = await startOperations({ host: '127.0.0.1', port: 0 }, broken, { seed: 'test', hosts: [], warn });
  onTestFinished(() => operations.close());
  const { status, body } = await read(`http://127.0.0.1:${operations.port}`, '/metrics');
  expect([status, JSON.parse(body)]).toMatchObject([500, { status: 500, code: 64 }]);
  expect(warnings).toEqual(['Cannot serve /metrics: Error: no numbers']);
});

it('OP-217: a request that is not HTTP is refused, and does not count', async () => {
  const { operations = '' } = await testSandbox(at);
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(Number(new URL(operations).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('close', () => resolve(answer));
  expect(await promise).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect((await read(operations, '/readyz')).status).toBe(200);
});

it('OP-217: a stopping sandbox is not ready, completes calls in progress, and is live until then', async () => {
  const sandbox = await testSandbox({ ...at, stopMilliseconds: 60_000 });
  // The incomplete request delays the sandbox's shutdown.
  const openCall = connect(Number(new URL(sandbox.origin).port), '127.0.0.1');
  openCall.write(
    'POST /rewards/v1/company/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  await expect.poll(() => sandbox.operations && metric(sandbox.operations, 'workspaces')).toBe(1);
  const ended = sandbox.close();
  expect(await readiness(sandbox.operations)).toEqual([503, unavailable, 'stopping']);
  expect((await read(sandbox.operations, '/healthz')).status).toBe(200);
  openCall.write('}');
  await ended;
  openCall.destroy();
  await expect(read(sandbox.operations, '/healthz')).rejects.toThrow('fetch failed');
});

it('OP-217: a sandbox with a failed store is not ready, and says so', async () => {
  let isBroken = false;
  const files = withFaults(diskFiles, ({ name, path }) => {
    if (isBroken && name === 'sync' && /wal\.log/.test(path)) throw systemError('EIO');
  });
  const sandbox = await testSandbox({ ...at, dataDir: await temporaryFolder(), files });
  isBroken = true;
  expect((await sandbox.control.POST('/customers', { body: { uid: 'ADA' } })).response.status).toBe(503);
  const problem = 'a store has failed: restart the sandbox';
  expect(await readiness(sandbox.operations)).toEqual([503, unavailable, problem]);
  expect(await metric(sandbox.operations, 'workspaces_unusable{why="gave_up"}')).toBe(1);
  sandbox.warnings.length = 0;
});

it('OP-218: calls are counted by operation and status, with their durations, except those of streams', async () => {
  const sandbox = await testSandbox(at);
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  await fetch(`${sandbox.origin}/nowhere`);
  const listed = 'api="rewards",operation="listRewards"';
  await expect.poll(() => metric(sandbox.operations, `calls_total{${listed},status="401"}`)).toBe(2);
  expect(await metric(sandbox.operations, `call_duration_seconds_count{${listed}}`)).toBe(2);
  await expect.poll(() => metric(sandbox.operations, 'calls_total{api="none",operation="none",status="404"}')).toBe(1);

  const stream = new AbortController();
  await fetch(`${sandbox.urls.sandbox}/activity/stream`, { signal: stream.signal });
  stream.abort();
  const streamed = 'api="sandbox",operation="streamActivity"';
  await expect.poll(() => metric(sandbox.operations, `calls_total{${streamed},status="200"}`)).toBe(1);
  expect(await metric(sandbox.operations, `call_duration_seconds_count{${streamed}}`)).toBeUndefined();
});

it('OP-218: calls that reach no operation are counted separately', async () => {
  const sandbox = await testSandbox(at);
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(sandbox.origin).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
  socket.on('close', () => resolve()).resume();
  await promise;
  expect(await metric(sandbox.operations, 'refused_calls_total{status="400"}')).toBe(1);
});

it('OP-218: writes and flushes of stores on disk are counted', async () => {
  const sandbox = await testSandbox({ ...at, dataDir: await temporaryFolder() });
  const before = (await metric(sandbox.operations, 'committed_transactions_total')) ?? 0;
  ok(await sandbox.control.POST('/customers', { body: { uid: 'ADA' } }));
  expect((await metric(sandbox.operations, 'committed_transactions_total')) ?? 0).toBeGreaterThan(before);
  expect(await metric(sandbox.operations, 'committed_bytes_total')).toBeGreaterThan(0);
  expect(await metric(sandbox.operations, 'flush_duration_seconds_count')).toBeGreaterThan(0);
});

it('OP-218: workspaces are counted, and no metric contains their names or any text of a caller', async () => {
  const sandbox = await testSandbox({ ...at, workspaces: 5 });
  const created = ok(await sandbox.control.POST('/workspaces', { body: {} }));
  await fetch(`${sandbox.origin}/chosen-by-a-caller?token=chosen-too`, { method: 'DELETE' });
  expect(await metric(sandbox.operations, 'workspaces')).toBe(2);
  expect(await metric(sandbox.operations, 'workspaces_limit')).toBe(5);
  const { body, headers } = await read(sandbox.operations, '/metrics');
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  for (const text of [created.id, created.admin_token, 'chosen', 'DELETE']) expect(body).not.toContain(text);
});

it('OP-218: with PostgreSQL the metrics show the remaining lease, the lost leases and the clock skew', async () => {
  const store = await database();
  const sandbox = await testSandbox({ ...at, store, key: Buffer.alloc(32, 3) });
  const left = (await metric(sandbox.operations, 'lease_seconds')) ?? -1;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(3.5);
  expect(await metric(sandbox.operations, 'leases_lost')).toBe(0);
  // PostgreSQL runs on the same machine here, so the skew is close to zero.
  expect(Math.abs((await metric(sandbox.operations, 'clock_skew_seconds')) ?? Number.NaN)).toBeLessThan(1);
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  await client.query(`update instances set lease_until = now() - interval '1 second'`);
  await client.end();
  await vi.waitUntil(async () => (await metric(sandbox.operations, 'leases_lost')) === 1, { timeout: 60_000 });
  const folder = await testSandbox({ ...at, dataDir: await temporaryFolder() });
  for (const name of ['lease_seconds', 'clock_skew_seconds']) {
    expect(await metric(folder.operations, name), name).toBeUndefined();
  }
});
