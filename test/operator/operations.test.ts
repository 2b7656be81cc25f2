/** `/healthz`, `/readyz` and `/metrics`, at an address of their own (OP-217, OP-218). */
import { connect } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startOperations } from '../../sandbox/operator/operations.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { loadContracts, type Operation } from '../harness/contracts.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { postgres } from '../harness/postgres.ts';
import { exampleRequest, loadPrism } from '../harness/prism.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { exchange } from '../harness/socket.ts';

const database = postgres();
const at = { operations: { port: 0 } };
const unavailable = {
  name: 'Service Unavailable',
  message: 'Temporarily unavailable',
  code: 65,
  status: 503,
  type: 'ServiceUnavailableHttpException',
};

async function ask(origin: string | undefined, path: string, method = 'GET') {
  const reply = await fetch(`${origin}${path}`, { method });
  return { status: reply.status, body: await reply.text(), headers: reply.headers };
}

/** The value of a measurement, by its name and labels as they are written. */
async function measured(origin: string | undefined, name: string): Promise<number | undefined> {
  const { body } = await ask(origin, '/metrics');
  const line = body.split('\n').find((each) => each.startsWith(`rewards_sandbox_${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

it('OP-217: it is served where it was asked for, and nowhere else', async () => {
  const { operations } = await testSandbox();
  expect(operations).toBeUndefined();
});

it('OP-217: a sandbox that runs lives and is ready', async () => {
  const { operations, origin } = await testSandbox(at);
  const lives = await ask(operations, '/healthz');
  expect([lives.status, JSON.parse(lives.body)]).toEqual([200, { status: 'ok', version: '0.1.0' }]);
  const ready = await ask(operations, '/readyz');
  expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ready' }]);
  expect(ready.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  expect((await ask(origin, '/readyz')).status).toBe(404);
});

it('OP-217: what is answered is as the contract says', async () => {
  const contract = loadContracts().find(({ name }) => name === 'operations');
  const prism = await loadPrism(contract?.document ?? {});
  const sandbox = await testSandbox({ ...at, stopMilliseconds: 60_000 });
  const checked = async (operation: Operation) => {
    const { status, body, headers } = await ask(sandbox.operations, operation.path);
    const parsed = headers.get('content-type') === 'application/json' ? JSON.parse(body) : body;
    const reply = { statusCode: status, headers: Object.fromEntries(headers), body: parsed };
    return [operation.id, status, await prism.check(exampleRequest(operation), reply)];
  };
  const operations = contract?.operations ?? [];
  const clean = { request: [], reply: [] };
  expect(await Promise.all(operations.map(checked))).toEqual([
    ['getLiveness', 200, clean],
    ['getReadiness', 200, clean],
    ['getMetrics', 200, clean],
  ]);
});

it('OP-217: other paths are not found, other methods not allowed, and HEAD has no body', async () => {
  const { operations } = await testSandbox(at);
  const missing = await ask(operations, '/sandbox/v1/workspace');
  expect([missing.status, JSON.parse(missing.body)]).toMatchObject([404, { code: 44 }]);
  const written = await ask(operations, '/readyz', 'POST');
  expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await ask(operations, '/readyz', 'HEAD');
  expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '18']);
});

it('OP-217: a page that rebound its name reads nothing, and a name that the operator allows is answered', async () => {
  const { operations = '' } = await testSandbox({ ...at, allowedHosts: ['Metrics.example'] });
  const { host, port } = new URL(operations);
  const named = (name: string) =>
    exchange(operations, ['GET /metrics HTTP/1.1', `Host: ${name}`, 'Connection: close', '', '']);
  const refused = await named('evil.example');
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      name: 'Bad Request',
      message: 'Invalid request: the Host header does not name this sandbox; add the name with --allow-host',
      code: 53,
      status: 400,
      type: 'BadRequestHttpException',
    },
  ]);
  for (const name of [host, `localhost:${port}`, '10.0.0.7', 'metrics.example:9100']) {
    expect([name, (await named(name)).status]).toEqual([name, 200]);
  }
});

it('OP-217: it is not ready while it starts, nor while another instance may own the workspaces', async () => {
  const metrics = { contentType: 'text/plain', text: async () => '' };
  const operations = await startOperations({ host: '127.0.0.1', port: 0 }, metrics, {
    seed: 'test',
    hosts: [],
    warn: expect.fail,
  });
  onTestFinished(() => operations.close());
  const ready = async () => {
    const { status, headers } = await ask(`http://127.0.0.1:${operations.port}`, '/readyz');
    return [status, headers.get('x-problem')];
  };
  expect(await ready()).toEqual([503, 'starting']);
  const measured = { count: 1, loaded: 1, limit: 1, gaveUp: 0, paused: 0, loadFailed: 0, dueLag: 0 };
  operations.ready(() => ({ ...measured, paused: 1 }));
  expect(await ready()).toEqual([503, 'another instance may own the workspaces']);
  operations.ready(() => measured);
  expect(await ready()).toEqual([200, null]);
});

it('OP-217: what cannot be answered is 500 in the usual form, and told', async () => {
  const told: string[] = [];
  const broken = { contentType: 'text/plain', text: () => Promise.reject(new Error('no numbers')) };
  const warn = (message: string) => void told.push(message);
  const operations = await startOperations({ host: '127.0.0.1', port: 0 }, broken, { seed: 'test', hosts: [], warn });
  onTestFinished(() => operations.close());
  const { status, body } = await ask(`http://127.0.0.1:${operations.port}`, '/metrics');
  expect([status, JSON.parse(body)]).toMatchObject([500, { status: 500, code: 64 }]);
  expect(told).toEqual(['Cannot serve /metrics: Error: no numbers']);
});

it('OP-217: what is no HTTP is refused, and counts for nothing', async () => {
  const { operations = '' } = await testSandbox(at);
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(Number(new URL(operations).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('close', () => resolve(answer));
  expect(await promise).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect((await ask(operations, '/readyz')).status).toBe(200);
});

it('OP-217: from the moment it is told to end it is not ready, while a call under way ends, and still lives', async () => {
  const sandbox = await testSandbox({ ...at, stopMilliseconds: 60_000 });
  // A reader who waits keeps the end waiting: the stream of the log is one.
  const held = connect(Number(new URL(sandbox.origin).port), '127.0.0.1');
  held.write(
    'POST /rewards/v1/company/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  await expect.poll(() => sandbox.operations && measured(sandbox.operations, 'workspaces')).toBe(1);
  const ended = sandbox.close();
  const ready = await ask(sandbox.operations, '/readyz');
  expect([ready.status, JSON.parse(ready.body), ready.headers.get('x-problem')]).toEqual([
    503,
    unavailable,
    'stopping',
  ]);
  expect((await ask(sandbox.operations, '/healthz')).status).toBe(200);
  held.write('}');
  await ended;
  held.destroy();
  await expect(ask(sandbox.operations, '/healthz')).rejects.toThrow('fetch failed');
});

it('OP-217: where a store gave up it is not ready, and says so', async () => {
  let isBroken = false;
  const files = withFaults(diskFiles, ({ name, path }) => {
    if (isBroken && name === 'sync' && /wal\.log/.test(path)) throw systemError('EIO');
  });
  const sandbox = await testSandbox({ ...at, dataDir: await temporaryFolder(), files });
  isBroken = true;
  expect((await sandbox.control.POST('/customers', { body: { uid: 'ADA' } })).response.status).toBe(503);
  const ready = await ask(sandbox.operations, '/readyz');
  expect([ready.status, JSON.parse(ready.body), ready.headers.get('x-problem')]).toEqual([
    503,
    unavailable,
    'a store has failed: restart the sandbox',
  ]);
  expect(await measured(sandbox.operations, 'workspaces_unusable{why="gave_up"}')).toBe(1);
  sandbox.warnings.length = 0;
});

it('OP-218: calls are counted by operation and status, with their durations, but readers of streams', async () => {
  const sandbox = await testSandbox(at);
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  await fetch(`${sandbox.origin}/nowhere`);
  const listed = 'api="rewards",operation="listRewards"';
  await expect.poll(() => measured(sandbox.operations, `calls_total{${listed},status="401"}`)).toBe(2);
  expect(await measured(sandbox.operations, `call_duration_seconds_count{${listed}}`)).toBe(2);
  await expect
    .poll(() => measured(sandbox.operations, 'calls_total{api="none",operation="none",status="404"}'))
    .toBe(1);

  const stream = new AbortController();
  await fetch(`${sandbox.urls.sandbox}/activity/stream`, { signal: stream.signal });
  stream.abort();
  const streamed = 'api="sandbox",operation="streamActivity"';
  await expect.poll(() => measured(sandbox.operations, `calls_total{${streamed},status="200"}`)).toBe(1);
  expect(await measured(sandbox.operations, `call_duration_seconds_count{${streamed}}`)).toBeUndefined();
});

it('OP-218: what never came to an operation is counted apart', async () => {
  const sandbox = await testSandbox(at);
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(sandbox.origin).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
  socket.on('close', () => resolve()).resume();
  await promise;
  expect(await measured(sandbox.operations, 'refused_calls_total{status="400"}')).toBe(1);
});

it('OP-218: what stores write and flush is counted, on a disk', async () => {
  const sandbox = await testSandbox({ ...at, dataDir: await temporaryFolder() });
  const before = (await measured(sandbox.operations, 'committed_transactions_total')) ?? 0;
  ok(await sandbox.control.POST('/customers', { body: { uid: 'ADA' } }));
  expect((await measured(sandbox.operations, 'committed_transactions_total')) ?? 0).toBeGreaterThan(before);
  expect(await measured(sandbox.operations, 'committed_bytes_total')).toBeGreaterThan(0);
  expect(await measured(sandbox.operations, 'flush_duration_seconds_count')).toBeGreaterThan(0);
});

it('OP-218: workspaces are counted, and no measurement names one, or anything that a caller chose', async () => {
  const sandbox = await testSandbox({ ...at, workspaces: 5 });
  const made = ok(await sandbox.control.POST('/workspaces', { body: {} }));
  await fetch(`${sandbox.origin}/chosen-by-a-caller?token=chosen-too`, { method: 'DELETE' });
  expect(await measured(sandbox.operations, 'workspaces')).toBe(2);
  expect(await measured(sandbox.operations, 'workspaces_limit')).toBe(5);
  const { body, headers } = await ask(sandbox.operations, '/metrics');
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  for (const text of [made.id, made.admin_token, 'chosen', 'DELETE']) expect(body).not.toContain(text);
});

it('OP-218: with PostgreSQL it is told for how long workspaces are its own, how often they were not, and how far its clock is ahead', async () => {
  const store = await database();
  const sandbox = await testSandbox({ ...at, store, key: Buffer.alloc(32, 3) });
  const left = (await measured(sandbox.operations, 'lease_seconds')) ?? -1;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(3.5);
  expect(await measured(sandbox.operations, 'leases_lost')).toBe(0);
  // PostgreSQL is on the same machine here.
  expect(Math.abs((await measured(sandbox.operations, 'clock_skew_seconds')) ?? Number.NaN)).toBeLessThan(1);
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  await client.query(`update instances set lease_until = now() - interval '1 second'`);
  await client.end();
  await vi.waitUntil(async () => (await measured(sandbox.operations, 'leases_lost')) === 1, { timeout: 60_000 });
  const folder = await testSandbox({ ...at, dataDir: await temporaryFolder() });
  for (const name of ['lease_seconds', 'clock_skew_seconds']) {
    expect(await measured(folder.operations, name), name).toBeUndefined();
  }
});
