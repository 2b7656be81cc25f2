/** Three instances and their database are killed, stopped and cut off while they work: nothing acknowledged is lost, none is done twice. */
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { ready } from '../harness/command.ts';
import { postgresServers } from '../harness/postgres.ts';

/** `npm run test:chaos` has forty; each takes some six seconds. */
const rounds = Number(process.env.CHAOS_ROUNDS ?? 8);
const server = postgresServers();
const env = { REWARDS_SANDBOX_KEY: Buffer.alloc(32, 9).toString('hex') };
const json = { 'content-type': 'application/json' };

type Running = Awaited<ReturnType<typeof ready>>;

interface Workspace {
  readonly id: string;
  readonly admin: string;
  readonly secret: string;
  /** Orders that were acknowledged. */
  readonly acknowledged: Set<string>;
  /** Payments that were: transactions, and whose. */
  readonly paid: Map<string, string>;
}

const uids = ['CUST0001', 'CUST0002', 'CUST0003'];
/** What is delivered as soon as it is ordered, and what two seconds later, so that its status is reported. */
const [atOnce, later] = ['EGV-SPICE-500', 'EGV-CHAI-100'];

/** What is read of replies. */
interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations, of which a field or two is read
  readonly body: any;
}

/** The reply's status and body; undefined where there was none. */
async function ask(url: string, init: RequestInit = {}): Promise<Reply | undefined> {
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Asks until somebody answers with this status; fails after half a minute. */
async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`${what}: not within 30 seconds`);
    await rest(100);
  }
}

it(`OP-207: after each of ${rounds} rounds of kills, stops, cuts and crashes all that was acknowledged is there once, and work goes on`, async () => {
  const random = new SeededRandom('chaos of instances');
  const database = await server();
  const store = await database.schema();
  // Whoever looks after a process starts it again where the database is gone.
  const start = async (tries = 50): Promise<Running> => {
    try {
      return await ready(['--store', store, '--share', '0'], env);
    } catch (error) {
      if (tries === 0 || !(error as Error).message.includes('Cannot open the data in PostgreSQL')) throw error;
      await rest(200);
      return start(tries - 1);
    }
  };
  const instances: Running[] = [await start()];
  await audit(store);
  instances.push(...(await Promise.all([start(), start()])));
  onTestFinished(() => {
    for (const { child } of instances) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
  });
  const any = () => instances[random.integer(instances.length)]?.urls ?? { sandbox: '', rewards: '' };
  const workspaces: Workspace[] = [];
  for (let made = 0; made < 3; made += 1) {
    const reply = await ask(`${any().sandbox}/workspaces`, { method: 'POST', headers: json, body: '{}' });
    const { id, admin_token: admin, credentials } = reply?.body ?? {};
    workspaces.push({ id, admin, secret: credentials.company_secret, acknowledged: new Set(), paid: new Map() });
    const headers = { ...json, authorization: `Bearer ${admin}` };
    const patch = (path: string, body: string) => ask(`${any().sandbox}${path}`, { method: 'PATCH', headers, body });
    const points = '{"points":{"balance":100000000}}';
    for (const uid of uids) expect(await patch(`/customers/${uid}`, points)).toMatchObject({ status: 200 });
    expect(await patch('/workspace', '{"settings":{"rate_limit":100000}}')).toMatchObject({ status: 200 });
    for (const sku of [atOnce, later])
      expect(await patch(`/catalogue/${sku}`, '{"stock":1000000}')).toMatchObject({ status: 200 });
    const outcome = { method: 'PUT', headers, body: '{"outcome":"deliver","delay_seconds":2}' };
    expect(await ask(`${any().sandbox}/vendor-outcomes/${later}`, outcome)).toMatchObject({ status: 200 });
  }

  let orders = 0;
  /** One order through any instance, with a token through any other. */
  const order = async ({ secret, acknowledged }: Workspace) => {
    const company = await ask(`${any().rewards}/v1/company/auth`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ secret }),
    });
    if (company?.status !== 200) return;
    orders += 1;
    const reference_id = `CHAOS-${orders}`;
    const line_items = [{ sku: random.integer(2) === 0 ? atOnce : later, quantity: 1 }];
    const placed = await ask(`${any().rewards}/v1/partner/redeemptiononskus`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${company.body.token}` },
      body: JSON.stringify({ uid: `CUST000${1 + random.integer(3)}`, line_items, reference_id }),
    });
    if (placed?.status === 200) acknowledged.add(reference_id);
  };
  let payments = 0;
  /** One payment event, sent in the client's name through any instance. */
  const pay = async ({ admin, paid }: Workspace) => {
    payments += 1;
    const body = { uid: uids[random.integer(uids.length)] ?? '', transactionId: `PAY-${payments}` };
    const reply = await ask(`${any().sandbox}/triggers/payment`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${admin}` },
      body: JSON.stringify(body),
    });
    if (reply?.status === 200 && reply.body.answer.outcome === 'accepted') paid.set(body.transactionId, body.uid);
  };
  const burst = async (end: number) => {
    const worker = async () => {
      while (performance.now() < end) {
        const workspace = workspaces[random.integer(workspaces.length)] as Workspace;
        await (random.integer(4) === 0 ? pay(workspace) : order(workspace));
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
  };

  const replace = async (at: number) => {
    instances[at] = await start();
  };
  const disturbances: Record<string, (at: number) => Promise<void>> = {
    async kill(at) {
      instances[at]?.child.kill('SIGKILL');
      await instances[at]?.ended;
      await replace(at);
    },
    async stop(at) {
      instances[at]?.child.kill('SIGSTOP');
      await rest(5_000);
      instances[at]?.child.kill('SIGCONT');
    },
    async end(at) {
      instances[at]?.child.kill('SIGTERM');
      await instances[at]?.ended;
      await replace(at);
    },
    async cut() {
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rewards-sandbox'`;
      // Where the database crashes at the same time, all connections are cut anyway.
      await query(store, cut).catch(() => undefined);
    },
    async crash() {
      await database.kill();
      await rest(500);
      await database.start();
    },
  };
  const names = Object.keys(disturbances);
  const seen: Record<string, number> = {};

  for (let round = 0; round < rounds; round += 1) {
    // Every fourth time there are two at once.
    const one = round % names.length;
    const two = round % 4 === 3 ? [(one + 1 + random.integer(names.length - 1)) % names.length] : [];
    const chosen = [one, ...two].map((each) => names[each] ?? 'kill');
    const [first, second] = [random.integer(3), 1 + random.integer(2)];
    const where = `round ${round}, ${chosen.join(' and ')}`;
    const working = burst(performance.now() + 2_500);
    await rest(300 + random.integer(700));
    await Promise.all(
      chosen.map((name, each) => {
        seen[name] = (seen[name] ?? 0) + 1;
        return disturbances[name]?.((first + each * second) % 3);
      }),
    );
    await working;
    for (const { id, admin, acknowledged, paid } of workspaces) {
      const look = (path: string) => ask(`${any().sandbox}${path}`, { headers: { authorization: `Bearer ${admin}` } });
      await until(`${where}: ${id} answers`, async () => (await look('/clock'))?.status === 200);
      /** All of a list; undefined where it was not answered. */
      const all = async <T>(path: string): Promise<T[] | undefined> => {
        const items: T[] = [];
        for (let after = 0; ; ) {
          const page = await look(`${path}?limit=500&after=${after}`);
          if (page?.status !== 200) return undefined;
          items.push(...page.body.items);
          if (page.body.next === null || page.body.items.length === 0) return items;
          after = page.body.next;
        }
      };
      await until(`${where}: all orders of ${id} come to their end`, async () => {
        const items = await all<{ order: { reference_id: string; status: string } }>('/orders');
        if (items === undefined) return false;
        const there = items.map(({ order: { reference_id } }) => reference_id);
        expect(there.length, `${where}: none twice`).toBe(new Set(there).size);
        expect(
          [...acknowledged].filter((each) => !there.includes(each)),
          `${where}: none lost`,
        ).toEqual([]);
        return items.every(({ order: { status } }) => status !== 'Pending');
      });
      await until(`${where}: all payments of ${id} are credited`, async () => {
        for (const uid of uids) {
          const entries = await all<{ kind: string; reference: string }>(`/ledger/${uid}`);
          if (entries === undefined) return false;
          // Beside them there are the balances that it began with.
          const credited = entries.map(({ reference }) => reference).filter((each) => each.startsWith('PAY-'));
          expect(credited.length, `${where}: no payment twice`).toBe(new Set(credited).size);
          if ([...paid].some(([transaction, of]) => of === uid && !credited.includes(transaction))) return false;
        }
        return true;
      });
      await until(`${where}: the books of ${id} are even`, async () => {
        const reply = await look('/reconciliation');
        return reply?.status === 200 && reply.body.items.length === 0;
      });
    }
  }
  const acknowledged = workspaces.reduce((sum, workspace) => sum + workspace.acknowledged.size, 0);
  const paid = workspaces.reduce((sum, workspace) => sum + workspace.paid.size, 0);
  console.log(
    `${acknowledged} of ${orders} orders and ${paid} of ${payments} payments were acknowledged; ${JSON.stringify(seen)}`,
  );
  expect(acknowledged).toBeGreaterThan(rounds * 5);
  expect(paid).toBeGreaterThan(rounds);
  expect(await doubleOwners(store)).toEqual([]);
  expect(await fencesOutOfOrder(store)).toEqual([]);
});

/** Notes who owned books under which fence. */
async function audit(store: string): Promise<void> {
  await query(
    store,
    `create table owned (place text, fence bigint, owner text);
    create function note_owner() returns trigger language plpgsql as $$
    begin
      insert into owned values (new.place, new.fence, new.owner);
      return null;
    end $$;
    create trigger audited after insert or update of fence, owner on books for each row when (new.owner is not null) execute function note_owner()`,
  );
}

/** Fences under which more than one instance owned the same books. */
function doubleOwners(store: string): Promise<unknown[]> {
  return query(store, 'select place, fence from owned group by place, fence having count(distinct owner) > 1');
}

/** Commits that were made under an older fence than one before them. */
function fencesOutOfOrder(store: string): Promise<unknown[]> {
  return query(
    store,
    `select place, number from (select place, number, fence, max(fence) over (partition by place order by number) as newest from commit_log) as each
      where fence < newest`,
  );
}

async function query(store: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: store });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
