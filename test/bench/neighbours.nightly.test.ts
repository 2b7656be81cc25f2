/** Measures a tenant alongside another tenant's load (OP-83). Each HTTP load runs in its own process. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok } from '../harness/sandbox.ts';
import type { Calls, Got } from './load/neighbour.ts';
import { Processes, pathOf } from './processes.ts';
import { startOn } from './sandbox.ts';

const [seconds, rounds] = [4, 2];
const json = { 'Content-Type': 'application/json' };
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

type Load = Omit<Calls, 'seconds'>;
/** Begins a load. The returned function ends the load and describes it. */
type Begin = () => Promise<() => Promise<unknown>>;

it('OP-83: next to any load of another workspace, orders are not refused, and keep a share of their rate', async () => {
  const processes = new Processes();
  onTestFinished(() => processes.close());
  const dir = await temporaryFolder();
  await processes.node(pathOf('test/bench/servers/fill-orders.ts'), dir, '20000').json();
  const { urls } = await startOn(processes, dir);
  const { origin } = new URL(urls.sandbox);
  const flags = ['--port', '0', '--json', '--quiet', '--no-prism', '--sandbox', origin];
  const proxy = await processes.node(pathOf('sandbox/bin.js'), 'proxy', ...flags).json<{ url: string }>();
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const { credentials, admin_token: admin } = ok(await control.GET('/workspace'));
  const greedy = await tenant(urls, admin, credentials.company_secret);
  const made = ok(await control.POST('/workspaces', { body: {} }));
  const other = await tenant(urls, made.admin_token, made.credentials.company_secret);
  const call = (calls: Load, more = 0): Promise<Got> =>
    processes
      .node(pathOf('test/bench/load/neighbour.ts'), JSON.stringify({ ...calls, seconds: seconds + more }))
      .json();
  /** Measures the other workspace's orders, health checks and clock reads. */
  const measure = async () => {
    const clock = { url: `${urls.sandbox}/clock`, headers: bearer(made.admin_token), connections: 1 };
    const [orders, health, reads] = await Promise.all([
      call({ ...other, connections: 1 }),
      call({ url: `${urls.sandbox}/health`, connections: 1 }),
      call(clock),
    ]);
    return { orders, health, clock: reads };
  };
  const flood =
    (load: Load): Begin =>
    async () => {
      const got = call(load, 3);
      return () => got;
    };
  /** Opens a stranger's connections, which send nothing. */
  const connections: Begin = async () => {
    const sockets = Array.from({ length: 5_000 }, () => connect(Number(new URL(origin).port), '127.0.0.1'));
    await Promise.all(
      sockets.map((socket) =>
        once(
          socket.on('error', () => {}),
          'connect',
        ),
      ),
    );
    return async () => {
      const open = sockets.filter((socket) => !socket.destroyed).length;
      for (const socket of sockets) socket.destroy();
      return { open };
    };
  };
  /** Runs certifications from four workspaces, one after another in each, against a server with large replies. */
  const certifications: Begin = async () => {
    const server = processes.node(pathOf('test/certification/hostile-process.ts'), 'wide JSON');
    const [client_url = ''] = await server.prints(/^http:\S+/m);
    let [isOver, runs] = [false, 0];
    const certify = async () => {
      const { id: workspace, admin_token: token } = ok(await control.POST('/workspaces', { body: {} }));
      const own = createSandboxClient({ baseUrl: urls.sandbox, token });
      while (!isOver) {
        const body = { client_url, service_token: 'token', customers: ['ANN'] };
        const { id } = ok(await own.POST('/certifications', { body }));
        const params = { path: { id } };
        const isRunning = async () => {
          const { state } = ok(await own.GET('/certifications/{id}', { params }));
          return state !== 'ended';
        };
        while (!isOver && (await isRunning())) await wait(250);
        runs += 1;
      }
      await own.DELETE('/workspaces/{id}', { params: { path: { id: workspace } } });
    };
    const ended = Promise.all(Array.from({ length: 4 }, certify));
    return async () => {
      isOver = true;
      await ended;
      await server.stop();
      return { runs };
    };
  };
  /** Runs agents whose tools wait for an entry that never arrives. */
  const tools: Begin = async () => {
    const leaving = new AbortController();
    const params = { name: 'listActivity', arguments: { after: 1_000_000_000, wait: 30 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const agent = () =>
      fetch(`${urls.sandbox}/mcp`, {
        method: 'POST',
        headers: { ...json, ...bearer(admin) },
        body,
        signal: leaving.signal,
      }).then(
        () => 'answered',
        () => 'waited',
      );
    const agents = Array.from({ length: 36 }, agent);
    return async () => {
      leaving.abort();
      const waited = (await Promise.all(agents)).filter((end) => end === 'waited').length;
      return { waited };
    };
  };
  const many = (part: string, count: number) => Array(count).fill(part).join();
  const form = Array.from({ length: 16_342 }, (_, at) => at.toString(36)).join('&');
  const packed = gzipSync(gzipSync(`{"uid":"A","line_items":[${many('{}', 1990)}]}`));
  const loads: Readonly<Record<string, Begin>> = {
    '5,000 idle connections': connections,
    'orders on 250 connections': flood({ ...greedy, connections: 250 }),
    'listings on 250 connections': flood({
      url: `${urls.rewards}/v1/partner/rewards?limit=50`,
      headers: greedy.headers,
      connections: 250,
    }),
    'forms of 64 KB on four connections': flood({
      url: `${origin}/microsite/codes`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: base64(form),
      status: 400,
      connections: 4,
    }),
    'packed bodies to a proxy on four connections': flood({
      url: `${proxy.url}/rewards/v1/partner/redeemptiononskus`,
      headers: { ...json, 'Content-Encoding': 'gzip, gzip' },
      body: base64(packed),
      status: 401,
      connections: 4,
    }),
    'four certifications of large replies': certifications,
    'four readers of 20,000 orders': flood({
      url: `${urls.sandbox}/orders?limit=1000`,
      headers: bearer(admin),
      connections: 4,
    }),
    '36 waiting tools': tools,
  };
  await measure();
  for (const [name, begin] of Object.entries(loads)) {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await measure();
      const end = await begin();
      await wait(1500);
      const beside = await measure();
      const load = await end();
      ratios.push(beside.orders.served / alone.orders.served);
      console.log(JSON.stringify({ name, ratio: ratios.at(-1), alone, beside, load }));
      const { orders, health, clock } = beside;
      expect([orders.refused, orders.wrong, health.wrong, clock.wrong], name).toEqual([0, 0, 0, 0]);
    }
    expect(Math.max(...ratios), name).toBeGreaterThan(0.25);
  }
});

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}

/**
 * Creates a customer and an item in a workspace with enough points and stock for any load. Returns the parameters of a call that places an
 * order.
 */
async function tenant(urls: Readonly<Record<'rewards' | 'sandbox', string>>, admin: string, secret: string) {
  const [uid, sku] = ['LOAD', 'EGV-SPICE-100'];
  const control = createSandboxClient({ baseUrl: urls.sandbox, token: admin });
  ok(await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } }));
  ok(await control.POST('/customers', { body: { uid, points: { balance: 900_000_000 } } }));
  const item = { params: { path: { sku_code: sku } }, body: { stock: 900_000_000 } };
  ok(await control.PATCH('/catalogue/{sku_code}', item));
  const rewards = createRewardsClient({ baseUrl: urls.rewards });
  const { token } = ok(await rewards.POST('/v1/company/auth', { body: { secret } }));
  const body = base64(JSON.stringify({ uid, line_items: [{ sku, quantity: 1 }] }));
  return { url: `${urls.rewards}/v1/partner/redeemptiononskus`, headers: { ...json, Authorization: token }, body };
}
