/** A tenant next to the load of another one (OP-83): each load is in a process of its own. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok } from '../harness/sandbox.ts';
import type { Calls, Got } from './load/neighbour.ts';
import { Processes, pathOf } from './processes.ts';
import { startOn } from './sandbox.ts';

const [seconds, rounds] = [4, 2];

it('OP-83: next to any load of another workspace, orders are not refused, and keep a quarter of their rate', async () => {
  const processes = new Processes();
  onTestFinished(() => processes.close());
  const dir = await temporaryFolder();
  await processes.node(pathOf('test/bench/servers/fill-orders.ts'), dir, '20000').json();
  const { urls } = await startOn(processes, dir);
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const { credentials, admin_token: admin } = ok(await control.GET('/workspace'));
  const greedy = await tenant(urls, admin, credentials.company_secret);
  const made = ok(await control.POST('/workspaces', { body: {} }));
  const other = await tenant(urls, made.admin_token, made.credentials.company_secret);
  const call = (calls: Omit<Calls, 'seconds'>, more = 0): Promise<Got> =>
    processes
      .node(pathOf('test/bench/load/neighbour.ts'), JSON.stringify({ ...calls, seconds: seconds + more }))
      .json();
  /** The orders and health checks of the other workspace. */
  const measure = async () => {
    const health = { url: `${urls.sandbox}/health`, token: '', connections: 1 };
    const [orders, checks] = await Promise.all([call({ ...other, connections: 1 }), call(health)]);
    return { orders, checks };
  };
  await measure();
  const loads: Readonly<Record<string, Omit<Calls, 'seconds'>>> = {
    'orders on 250 connections': { ...greedy, connections: 250 },
    'listings on 250 connections': {
      url: `${urls.rewards}/v1/partner/rewards?limit=50`,
      token: greedy.token,
      connections: 250,
    },
    'four readers of 20,000 orders': {
      url: `${urls.sandbox}/orders?limit=1000`,
      token: `Bearer ${admin}`,
      connections: 4,
    },
  };
  for (const [name, load] of Object.entries(loads)) {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await measure();
      const under = call(load, 3);
      await wait(1500);
      const beside = await measure();
      const got = await under;
      ratios.push(beside.orders.served / alone.orders.served);
      console.log(JSON.stringify({ name, ratio: ratios.at(-1), alone, beside, load: got }));
      expect([beside.orders.refused, beside.orders.wrong, beside.checks.wrong, got.wrong]).toEqual([0, 0, 0, 0]);
    }
    expect(Math.max(...ratios), name).toBeGreaterThan(0.25);
  }
});

/** Gives a workspace a customer and an item that are enough for any load. Returns what places an order. */
async function tenant(urls: Readonly<Record<'rewards' | 'sandbox', string>>, admin: string, secret: string) {
  const [uid, sku] = ['LOAD', 'EGV-SPICE-100'];
  const control = createSandboxClient({ baseUrl: urls.sandbox, token: admin });
  ok(await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } }));
  ok(await control.POST('/customers', { body: { uid, points: { balance: 900_000_000 } } }));
  const item = { params: { path: { sku_code: sku } }, body: { stock: 900_000_000 } };
  ok(await control.PATCH('/catalogue/{sku_code}', item));
  const rewards = createRewardsClient({ baseUrl: urls.rewards });
  const { token } = ok(await rewards.POST('/v1/company/auth', { body: { secret } }));
  const body = JSON.stringify({ uid, line_items: [{ sku, quantity: 1 }] });
  return { url: `${urls.rewards}/v1/partner/redeemptiononskus`, token, body };
}
