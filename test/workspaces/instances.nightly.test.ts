/** Several instances share their workspaces through PostgreSQL, and any instance can serve any call (OP-207, OP-208, OP-209). */
import { type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { type Envelope, makingTls, sealEnvelope } from '../../sandbox/cluster/instances.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { inProcess, ready, run } from '../harness/command.ts';
import { flat, unavailable } from '../harness/envelopes.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { postgres } from '../harness/postgres.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { sent } from '../harness/socket.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

const database = postgres();
const key = Buffer.alloc(32, 5);

/** Starts instances that share a new database. */
async function instances(count: number, options: SandboxOptions = {}) {
  const store = await database();
  const made: TestSandbox[] = [];
  for (let number = 0; number < count; number += 1) {
    made.push(await testSandbox({ store, key, share: { port: 0 }, operations: { port: 0 }, ...options }));
  }
  return made as [TestSandbox, TestSandbox, ...TestSandbox[]];
}

/** Waits until an instance has this number of workspaces in memory. */
async function untilLoaded({ operations }: TestSandbox, count: number): Promise<void> {
  const loaded = async () => {
    const text = await (await fetch(`${operations}/metrics`)).text();
    return Number(/^rewards_sandbox_workspaces_loaded (\d+)/m.exec(text)?.[1]);
  };
  await vi.waitUntil(async () => (await loaded()) === count, { timeout: 60_000 });
}

describe('OP-207: a workspace of a partner', () => {
  it('is served and listed by every instance once it is created, and by none once it is deleted through any', async () => {
    const made = await instances(2);
    const [one, other] = made;
    const own = await workspaceOf(one);
    const there = opened({ ...own.details, urls: other.urls });
    await orderIn(there);
    expect(ok(await there.control.GET('/orders')).items).toHaveLength(1);
    expect(ok(await own.control.GET('/orders')).items).toHaveLength(1);
    const ids = async ({ control }: TestSandbox) => ok(await control.GET('/workspaces')).items.map(({ id }) => id);
    expect([await ids(one), await ids(other)]).toEqual([
      ['demo', own.details.id],
      ['demo', own.details.id],
    ]);
    const gone = await one.control.DELETE('/workspaces/{id}', { params: { path: { id: own.details.id } } });
    expect(gone.response.status).toBe(204);
    for (const at of [own, there]) expect((await at.control.GET('/orders')).response.status).toBe(401);
    expect(await ids(other)).toEqual(['demo']);
  });

  it('is on the board of partners with the figures that its owner noted last, whichever instance is asked (OP-261)', async () => {
    const [one, other] = await instances(2);
    const own = await workspaceOf(one);
    const there = opened({ ...own.details, urls: other.urls });
    await orderIn(there);
    const row = async ({ control }: Pick<TestSandbox, 'control'>) => ok(await control.GET('/partners')).items.at(-1);
    // Querying the owner updates the figures.
    expect(await row(there)).toMatchObject({ workspace: { id: own.details.id }, calls: 2, days: [{ calls: 2 }] });
    const before = await row(one);
    expect(before).toMatchObject({ workspace: { id: own.details.id }, counted_at: expect.any(String) });
    await other.close();
    for (const at of [one, own]) expect(await row(at)).toMatchObject({ calls: 2, days: [{ calls: 2 }] });
  });

  it('judges the address of the caller and not that of the instance that was called', async () => {
    const [one, other] = await instances(2, { trustedProxies: ['127.0.0.0/8'] });
    const own = await workspaceOf(one);
    ok(await own.control.PATCH('/workspace', { body: { settings: { allowlist: ['10.0.0.0/8'] } } }));
    const token = await companyTokenOf(own).catch(() => '');
    expect(token).toBe('');
    const body = JSON.stringify({ secret: own.credentials.company_secret });
    for (const { origin } of [one, other]) {
      const from = async (address: string) => {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
        return (await raw(`${origin}/rewards/v1/company/auth`, { method: 'POST', headers, body })).status;
      };
      expect([await from('10.1.2.3'), await from('192.0.2.1')]).toEqual([200, 403]);
    }
  });

  it('waits for messages, and streams its log, through any instance', async () => {
    const [one, other] = await instances(2);
    const own = await workspaceOf(one, { clock: 'running' });
    const there = opened({ ...own.details, urls: other.urls });
    // From here on, the first instance owns the workspace.
    ok(await own.control.GET('/clock'));
    const headers = { authorization: `Bearer ${own.details.admin_token}` };
    const leave = new AbortController();
    const stream = await fetch(`${other.urls.sandbox}/activity/stream`, { headers, signal: leave.signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')]);
    const waits = there.control.GET('/messages', { params: { query: { uid: 'CUST0001', wait: 20 } } });
    const reader = stream.body?.getReader();
    ok(await own.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }));
    expect(ok(await waits).items[0]).toMatchObject({ kind: 'otp' });
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain('data: ');
    leave.abort();
  });

  it('is deleted with its own admin token through any instance', async () => {
    const [one, other] = await instances(2);
    const own = await workspaceOf(one);
    const there = opened({ ...own.details, urls: other.urls });
    const gone = await there.control.DELETE('/workspaces/{id}', { params: { path: { id: own.details.id } } });
    expect(gone.response.status).toBe(204);
    expect((await own.control.GET('/clock')).response.status).toBe(401);
  });
});

it('OP-227: a name and an expiry set through one instance apply on all, including the owner of the workspace', async () => {
  const [one, other, third] = await instances(3);
  const [used, unused] = [await workspaceOf(one), await workspaceOf(one, { name: 'meadow' })];
  // An instance unloads the workspaces it has created. Until then it is the owner and stores each change.
  await untilLoaded(one, 1);
  ok(await opened({ ...used.details, urls: other.urls }).control.GET('/clock'));
  const rename = (at: TestSandbox, id: string, name: string) =>
    at.control.PATCH('/workspaces/{id}', { params: { path: { id } }, body: { name, expires_in: null } });
  expect(ok(await rename(third as TestSandbox, used.details.id, 'Meadow Bank'))).toMatchObject({ expires_at: null });
  ok(await rename(other, unused.details.id, 'MEADOW'));
  const named = async (at: Pick<TestSandbox, 'control'>) => {
    const { items } = ok(await at.control.GET('/workspaces', { params: { query: { search: 'Meadow', limit: 2 } } }));
    return items.map(({ name, expires_at }) => [name, expires_at]).toSorted();
  };
  const both = [
    ['MEADOW', null],
    ['Meadow Bank', null],
  ];
  for (const at of [one, other]) expect(await named(at)).toEqual(both);
  // The owner receives the change and stores it.
  const owner = opened({ ...used.details, urls: other.urls });
  await vi.waitUntil(async () => (await named(owner))[0]?.[0] === 'Meadow Bank', { timeout: 60_000 });
  // An instance that loads a workspace without an owner also receives and stores the change.
  expect(await named(opened({ ...unused.details, urls: one.urls }))).toEqual([['MEADOW', null]]);
  const after = ok(await one.control.GET('/workspaces', { params: { query: { limit: 1 } } }));
  const rest = ok(await one.control.GET('/workspaces', { params: { query: { after: after.next ?? '' } } }));
  expect([...after.items, ...rest.items].map(({ id }) => id).toSorted()).toEqual(
    ['demo', used.details.id, unused.details.id].toSorted(),
  );
});

it('OP-207: a token whose `kid` cannot be the id of a workspace is refused with 401, without a query to PostgreSQL', async () => {
  const [{ urls }] = await instances(1);
  for (const kid of ['ws_\0', "ws_'; --", 'x'.repeat(500)]) {
    const head = Buffer.from(JSON.stringify({ alg: 'HS256', kid })).toString('base64url');
    const headers = { authorization: `Bearer ${head}.e30.AAAA` };
    const { status, body } = await raw(`${urls.rewards}/v1/partner/rewards`, { headers });
    expect({ status, body }, JSON.stringify(kid)).toEqual(flat(401, 40, 'Missing or invalid token'));
  }
});

it('OP-207: instances that start concurrently share the workspaces that a single process created', async () => {
  const store = await database();
  const alone = await testSandbox({ store, key });
  const made = [await workspaceOf(alone), await workspaceOf(alone), await workspaceOf(alone)];
  await orderIn(alone);
  await alone.close();
  const start = () => testSandbox({ store, key, share: { port: 0 } });
  const [one, other] = await Promise.all([start(), start()]);
  for (const { urls, control } of [one, other]) {
    const { items } = ok(await control.GET('/workspaces'));
    expect(items.map(({ id }) => id).toSorted()).toEqual(['demo', ...made.map(({ details }) => details.id)].toSorted());
    for (const { details } of made) ok(await opened({ ...details, urls }).control.GET('/clock'));
  }
});

it('OP-209: instances run the due work that a single process left, without a call', async () => {
  const store = await database();
  const shared = await testSandbox({ store, key, share: { port: 0 } });
  const own = await workspaceOf(shared, { clock: 'running' });
  await shared.close();
  const alone = await testSandbox({ store, key });
  const there = opened({ ...own.details, urls: alone.urls });
  const path = { sku_code: 'EGV-SPICE-500' };
  const body = { outcome: 'deliver', delay_seconds: 3600 } as const;
  ok(await there.control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body }));
  await orderIn(there);
  await alone.close();
  const after = { realTime: () => Date.now() + 3_700_000 };
  const again = await testSandbox({ store, key, share: { port: 0 }, operations: { port: 0 }, ...after });
  await untilLoaded(again, 2);
  const { control } = opened({ ...own.details, urls: again.urls });
  const { items } = ok(await control.GET('/messages', { params: { query: { uid: 'CUST0001', wait: 20 } } }));
  expect(items[0]).toMatchObject({ kind: 'voucher' });
});

it.each([
  ['a single process', {}],
  ['an instance', { share: { port: 0 } }],
])(
  "OP-236: after PostgreSQL's clock is set back, workspaces continue from the newest stored instant, in %s",
  async (_, shared) => {
    const store = await database();
    const running = { store, key, clock: 'running' } as const;
    const before = await testSandbox({ ...running, ...shared, realTime: () => Date.now() + 600_000 });
    const own = await workspaceOf(before, { clock: 'running' });
    const newest: string[] = [];
    for (const workspace of [before, own]) {
      await orderIn(workspace);
      newest.push(ok(await workspace.control.GET('/activity')).items.at(-1)?.at ?? '');
    }
    await before.close();
    const again = await testSandbox({ ...running, ...shared });
    for (const [at, { control }] of [again, opened({ ...own.details, urls: again.urls })].entries()) {
      const { now } = ok(await control.GET('/clock'));
      expect(now >= (newest[at] ?? 'no instant was stored'), `${now} is not before ${newest[at]}`).toBe(true);
      expect(Date.parse(now) - Date.now()).toBeLessThan(660_000);
      const { items } = ok(await control.GET('/messages', { params: { query: { uid: 'CUST0001', wait: 20 } } }));
      expect(items[0]).toMatchObject({ kind: 'voucher' });
    }
  },
);

it('OP-208: a call whose caller disconnects in the middle of its body is not forwarded', async () => {
  const [one, other] = await instances(2);
  const own = await workspaceOf(one);
  // From here on, the first instance owns the workspace.
  ok(await own.control.GET('/clock'));
  const { hostname, port } = new URL(other.origin);
  const whole = '{"seconds":3600}';
  const send = (declared: string, body: string, disconnects = true) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const head = `POST /sandbox/v1/clock/advance HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`;
        socket.write(`${head}Authorization: Bearer ${own.details.admin_token}\r\n${declared}\r\n\r\n${body}`);
        if (disconnects) socket.end();
      });
      socket.on('data', () => socket.end());
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
  const before = Date.parse(ok(await own.control.GET('/clock')).now);
  await send(`Content-Length: ${whole.length + 1}`, whole);
  await send('Transfer-Encoding: chunked', `${whole.length.toString(16)}\r\n${whole}\r\n`);
  // A complete call, sent the same way afterwards, arrives.
  await send(`Content-Length: ${whole.length}`, whole, false);
  expect(Date.parse(ok(await own.control.GET('/clock')).now) - before).toBe(3_600_000);
});

it('OP-247: a listener connects to any instance, and stays with its workspace when another instance takes that over', async () => {
  const [owner, other] = await instances(2, { allowedAddresses: [] });
  const { details } = await workspaceOf(owner);
  const urls = Object.entries(details.urls).map(([name, url]) => [name, url.replace(owner.origin, other.origin)]);
  const atOther = opened({ ...details, urls: Object.fromEntries(urls) });
  // The first call decides which instance owns the workspace.
  await companyTokenOf(opened(details));
  const server = await new PartnerServer().start();
  const args = ['--sandbox', other.origin, '--token', details.admin_token, '--forward-to', server.url];
  const command = inProcess(['listen', ...args]);
  await command.saw(/Listening/);
  await orderIn(opened(details));
  await orderIn(atOther);
  expect(server.balanceOf('CUST0001')).toBe(24_000);
  await owner.close();
  await command.saw(/Listening.*Listening/s);
  await orderIn(atOther);
  expect(server.balanceOf('CUST0001')).toBe(23_500);
});

it('OP-200: a call to a shared workspace whose store gave up is refused with `Retry-After`, and the next call reopens it', async () => {
  const store = await database();
  const sandbox = await testSandbox({ store, key, share: { port: 0 }, operations: { port: 0 } });
  const add = (uid: string) =>
    raw(`${sandbox.urls.sandbox}/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uid }),
    });
  expect((await add('CUST7001')).status).toBe(201);
  // Simulates another instance that took over the store and died.
  await rowsOf(store, "update stores set fence = fence + 1, owner = 'nobody' where place = '' returning place");
  const refused = await add('CUST7002');
  expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([503, '1', unavailable.body]);
  for (const warning of sandbox.warnings.splice(0)) expect(warning).toContain('another instance has taken');
  expect((await raw(`${sandbox.urls.sandbox}/health`)).status).toBe(200);
  expect((await fetch(`${sandbox.operations}/readyz`)).status).toBe(200);
  expect((await add('CUST7002')).status).toBe(201);
  expect((await raw(`${sandbox.urls.sandbox}/health`)).status).toBe(200);
  const { items } = ok(await sandbox.control.GET('/customers'));
  expect(items.map(({ uid }) => uid).filter((uid) => uid.startsWith('CUST7'))).toEqual(['CUST7001', 'CUST7002']);
});

/** Sends a call to an instance's internal address. Resolves with the reply, or with the error code. */
function sendForwarded(
  address: string,
  envelope: Envelope | undefined,
  sharedKey: Uint8Array,
  path: string,
  more: RequestOptions = {},
) {
  const [host, port] = address.split(':');
  const headers = envelope === undefined ? {} : { 'x-sandbox-envelope': sealEnvelope(envelope) };
  return new Promise<{ status: number | undefined; notHere: unknown; body: string } | string>((resolve) => {
    const call = request({ host, port, path, headers, agent: false, ...makingTls(sharedKey), ...more }, (reply) => {
      let body = '';
      reply.on('data', (text) => {
        body += text;
      });
      reply.on('end', () => resolve({ status: reply.statusCode, notHere: reply.headers['x-sandbox-not-here'], body }));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
    call.end();
  });
}

/** Returns the internal addresses of a database's instances, in the order in which they started. */
async function internalAddresses(store: string): Promise<string[]> {
  const rows = await rowsOf(store, 'select internal from instances order by lease_until');
  return rows.map(({ internal }) => String(internal));
}

/** Runs a database statement and returns its rows. */
async function rowsOf(store: string, text: string): Promise<Record<string, unknown>[]> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

describe('OP-208: the internal address of an instance', () => {
  const origin = { kind: 'machine', addresses: ['127.0.0.1'], exempt: true } as const;

  it('answers no caller without the key', async () => {
    const store = await database();
    await testSandbox({ store, key, share: { port: 0 } });
    const [address = ''] = await internalAddresses(store);
    const wrong = await sendForwarded(address, { workspace: 'demo', origin }, Buffer.alloc(32, 6), '/sandbox/v1/clock');
    expect(wrong).toMatch(/^(EPROTO|ECONNRESET)$/);
    const right = await sendForwarded(address, { workspace: 'demo', origin }, key, '/sandbox/v1/clock');
    expect(right).toMatchObject({ status: 200 });
    const plain = await sent(`http://${address}`, ['GET /sandbox/v1/clock HTTP/1.1', 'Host: a', '', '']);
    expect(plain).not.toContain('HTTP/1.1 200');
  });

  it('refuses a call without an envelope; the public address ignores an envelope', async () => {
    const store = await database();
    const sandbox = await testSandbox({ store, key, share: { port: 0 } });
    const own = await workspaceOf(sandbox);
    const [address = ''] = await internalAddresses(store);
    expect(await sendForwarded(address, undefined, key, '/sandbox/v1/clock')).toMatchObject({
      status: 400,
      body: '',
    });
    const headers = {
      'x-sandbox-envelope': sealEnvelope({ workspace: own.details.id, origin }),
      authorization: 'Bearer nobody',
    };
    expect((await raw(`${sandbox.urls.rewards}/v1/partner/rewards`, { headers })).status).toBe(401);
    const demo = await raw(`${sandbox.urls.sandbox}/workspace`, {
      headers: { 'x-sandbox-envelope': headers['x-sandbox-envelope'] },
    });
    expect(demo.body).toMatchObject({ id: 'demo' });
  });

  it('never forwards a call again: an instance that does not own the workspace says so, and does nothing', async () => {
    const store = await database();
    const first = await testSandbox({ store, key, share: { port: 0 } });
    const second = await testSandbox({ store, key, share: { port: 0 } });
    const own = await workspaceOf(first);
    ok(await own.control.GET('/clock'));
    const answers = await Promise.all(
      (await internalAddresses(store)).map((address) =>
        sendForwarded(address, { workspace: own.details.id, origin }, key, '/rewards/v1/partner/rewards'),
      ),
    );
    expect(answers).toEqual(
      expect.arrayContaining([
        { status: 421, notHere: '1', body: '' },
        { status: 401, notHere: undefined, body: expect.stringContaining('Unauthorized') },
      ]),
    );
    expect(second.warnings).toEqual([]);
  });

  it('exempts this machine from a token only if both instances do', async () => {
    const store = await database();
    await testSandbox({ store, key, share: { port: 0 }, adminToken: 'at_sandbox_of_this_test' });
    const [address = ''] = await internalAddresses(store);
    const demo = { workspace: 'demo', origin };
    expect(await sendForwarded(address, demo, key, '/sandbox/v1/clock')).toMatchObject({ status: 401 });
  });
});

describe('OP-209: an instance that ends', () => {
  const env = { REWARDS_SANDBOX_KEY: key.toString('hex') };
  const startInstance = (store: string) => ready(['--store', store, '--share', '0', '--clock', 'frozen'], env);

  it('hands its workspaces over to the others immediately', async () => {
    const store = await database();
    const first = await startInstance(store);
    const second = await startInstance(store);
    const customers = (urls: { sandbox: string }) => fetch(`${urls.sandbox}/customers`);
    expect((await customers(second.urls)).status).toBe(200);
    first.child.kill('SIGTERM');
    await first.ended;
    expect((await customers(second.urls)).status).toBe(200);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
  });

  it('by a kill releases its workspaces when its lease expires; the others answer 503 until then', async () => {
    const store = await database();
    const first = await startInstance(store);
    const second = await startInstance(store);
    const headers = { 'content-type': 'application/json' };
    const added = await fetch(`${second.urls.sandbox}/customers`, {
      method: 'POST',
      headers,
      body: '{"uid":"CUST7001"}',
    });
    expect(added.status).toBe(201);
    first.child.kill('SIGKILL');
    const statuses = new Set<number>();
    await vi.waitUntil(
      async () => {
        const { status } = await fetch(`${second.urls.sandbox}/customers/CUST7001`, {
          method: 'PATCH',
          headers,
          body: '{}',
        });
        statuses.add(status);
        return status === 200;
      },
      { timeout: 60_000, interval: 100 },
    );
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    second.child.kill('SIGTERM');
    await second.ended;
  });

  it('exits with code 5, without waiting, if a process that does not share owns the data', async () => {
    const store = await database();
    const alone = await ready(['--store', store, '--clock', 'frozen'], env);
    const { code, stderr } = await run(['--port', '0', '--store', store, '--share', '0'], env).ended;
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('the demo workspace is owned by another running instance'),
    ]);
    alone.child.kill('SIGTERM');
    await alone.ended;
  });
});
