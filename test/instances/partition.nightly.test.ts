/** Tests two instances that reach the database, but temporarily not each other. */
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { postgres } from '../harness/postgres.ts';
import { relayTo } from '../harness/relay.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, workspaceOf } from '../harness/workspaces.ts';
import { until } from './group.ts';
import { orderWithKey } from './workspace-traffic.ts';

const database = postgres();
const cutMilliseconds = 20_000;
/** Maximum time that a caller waits, in milliseconds (OP-200). */
const longestCall = 15_000;

/** Starts two instances that reach each other through relays. The test can cut the network between them. */
async function separable() {
  const store = await database();
  const shared = {
    store,
    key: Buffer.alloc(32, 6),
    share: { port: 0 },
    operations: { port: 0 },
    clock: 'running',
  } as const;
  const pair = [await testSandbox(shared), await testSandbox(shared)];
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ internal: string }>('select internal from instances');
  const relays = await Promise.all(
    rows.map(async ({ internal }) => {
      const relay = await relayTo(Number(internal.split(':')[1]));
      onTestFinished(() => relay.close());
      await client.query('update instances set internal = $2 where internal = $1', [
        internal,
        `127.0.0.1:${relay.port}`,
      ]);
      return relay;
    }),
  );
  return {
    pair,
    /** Waits until the creator of a workspace has released it. The next call then determines the owner. */
    async released(id: string): Promise<void> {
      const owned = `select 1 from stores where place = 'workspaces/${id}' and owner is not null`;
      await until('the workspace is released', async () => (await client.query(owned)).rows.length === 0);
    },
    cut() {
      for (const relay of relays) {
        relay.hold();
        relay.holdReplies();
      }
    },
    heal() {
      for (const relay of relays) relay.release();
    },
  };
}

type Separable = Awaited<ReturnType<typeof separable>>;

/** Places orders in a workspace through either instance, each with its own idempotency key. */
async function ordersIn({ pair, released }: Separable, owner: number) {
  const made = await workspaceOf(pair[owner] as TestSandbox, { settings: { rate_limit: 100_000 } });
  const at = pair.map(({ urls }) => opened({ ...made.details, urls }));
  const own = at[owner] ?? made;
  await released(made.details.id);
  // This call makes the instance the workspace's owner.
  const params = { path: { uid: 'CUST0001' } };
  ok(await own.control.PATCH('/customers/{uid}', { params, body: { points: { balance: 100_000_000 } } }));
  const sku = { params: { path: { sku_code: 'EGV-SPICE-500' } }, body: { stock: 1_000_000 } };
  ok(await own.control.PATCH('/catalogue/{sku_code}', sku));
  const token = await companyTokenOf(own);
  const place = (key: string, through: number) => orderWithKey(`${pair[through]?.urls.rewards}`, token, key);
  return { own, place };
}

async function readiness({ operations }: TestSandbox) {
  const reply = await fetch(`${operations}/readyz`);
  return [reply.status, reply.headers.get('x-problem')];
}

it('OP-207: while two instances cannot reach each other, calls between them end with 503 in time, and nothing is lost or doubled', async () => {
  const network = await separable();
  const { pair, cut, heal } = network;
  const owned = [await ordersIn(network, 0), await ordersIn(network, 1)];
  const placed = owned.map(() => new Map<string, Awaited<ReturnType<(typeof owned)[0]['place']>>>());
  let [next, isOver] = [0, false];
  const lane = async (of: number, through: number) => {
    while (!isOver) {
      next += 1;
      const key = String(next);
      const answer = await owned[of]?.place(key, through);
      if (answer !== undefined) placed[of]?.set(key, answer);
      if (answer?.status === 503) await rest(200);
    }
  };
  const routes = [0, 1].flatMap((of) => [0, 1].map((through) => [of, through] as const));
  const load = Promise.all(routes.flatMap(([of, through]) => [lane(of, through), lane(of, through)]));
  await rest(1_000);
  cut();
  await rest(cutMilliseconds);
  const readinesses = await Promise.all(pair.map(readiness));
  // Each instance still serves the workspaces that it owns.
  for (const [at, { own }] of owned.entries())
    expect([at, (await own.control.GET('/clock')).response.status]).toEqual([at, 200]);
  heal();
  for (const [of, { place }] of owned.entries()) {
    await until(
      'calls between the instances work again',
      async () => (await place(`after-${of}`, 1 - of)).status === 200,
    );
  }
  isOver = true;
  await load;
  const answers = placed.flatMap((each) => [...each.values()]);
  const longest = Math.max(...answers.map(({ took }) => took));
  console.log(`longest ${Math.round(longest)} ms of ${answers.length} calls`);
  expect(longest).toBeLessThan(longestCall);
  expect(new Set(answers.map(({ status, retry }) => `${status} ${retry}`))).toEqual(new Set(['200 null', '503 1']));
  expect(readinesses).toEqual(
    pair.map(() => [200, expect.stringMatching(/^cannot reach the instance at 127\.0\.0\.1:\d+$/)]),
  );
  await until('the instances reach each other', async () => {
    const now = await Promise.all(pair.map(readiness));
    return now.every(([status, problem]) => status === 200 && problem === null);
  });

  for (const [of, { own, place }] of owned.entries()) {
    const expected = new Map<string, string | undefined>();
    for (const [key, { status, id }] of placed[of] ?? []) {
      const again = status === 200 ? { id } : await place(key, 1 - of);
      expected.set(key, again.id);
    }
    const stored: [string, string][] = [];
    for (let after = 0; ; ) {
      const page = ok(await own.control.GET('/orders', { params: { query: { limit: 500, after } } }));
      stored.push(...page.items.map(({ order }): [string, string] => [order.reference_id ?? '', order.order_id]));
      if (page.next === null) break;
      after = page.next;
    }
    const during = stored.filter(([reference]) => !reference.startsWith('after-'));
    expect(during.toSorted()).toEqual([...expected].toSorted());
    await until('the ledgers match', async () => ok(await own.control.GET('/reconciliation')).items.length === 0);
  }
  for (const { warnings } of pair) warnings.splice(0);
});
