import { expect, onTestFinished, test } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { postgres, postgresServers } from '../harness/postgres.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import type { ChildOptions } from './child.ts';
import { killable } from './killable.ts';

const database = postgres();
const server = postgresServers();
const stores = {
  'a folder': async (): Promise<ChildOptions> => ({ dataDir: await temporaryFolder() }),
  PostgreSQL: async (): Promise<ChildOptions> => ({ store: await database(), keyText: '22'.repeat(32) }),
};

/** Starts a sandbox in a separate process. Also returns functions that call it. */
async function spawnSandbox(options: ChildOptions) {
  const child = await killable(options);
  if (child === undefined) throw new Error('the process exited although no test killed it');
  const control = createSandboxClient({ baseUrl: child.urls.sandbox });
  const { credentials } = ok(await control.GET('/workspace'));
  const body = { secret: credentials.company_secret };
  const { token } = ok(await createRewardsClient({ baseUrl: child.urls.rewards }).POST('/v1/company/auth', { body }));
  const list = () => raw(`${child.urls.rewards}/v1/partner/rewards?limit=2`, { headers: { authorization: token } });
  return { child, control, list };
}

const remainingCalls = ({ headers }: { headers: Headers }) =>
  Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

test.each(Object.entries(stores))(
  'OP-74: with %s, a kill -9 resets no quota, and with a folder it loses no log entry',
  async (_, options) => {
    const data = await options();
    const first = await spawnSandbox(data);
    const traces: (string | null)[] = [];
    let before = 0;
    for (let call = 0; call < 5; call += 1) {
      const answer = await first.list();
      expect(answer.status).toBe(200);
      traces.push(answer.headers.get('x-trace-id'));
      before = remainingCalls(answer);
    }
    await first.child.kill();
    const { control, list } = await spawnSandbox(data);
    const query = { limit: 500 };
    const { items } = ok(await control.GET('/activity', { params: { query } }));
    const isShared = 'store' in data;
    const logged = items.flatMap((entry) =>
      'operation' in entry && entry.operation === 'listRewards' ? entry.trace : [],
    );
    // PostgreSQL receives entries only when the lease is renewed, once a second.
    if (isShared) expect(new Set(logged).difference(new Set(traces))).toEqual(new Set());
    else expect(logged.toSorted()).toEqual(traces.toSorted());
    // One call for the second start's token, one for the list, and with PostgreSQL also calls accepted but not yet saved.
    const now = remainingCalls(await list());
    expect(now).toBeLessThanOrEqual(before - 2);
    expect(now).toBeGreaterThanOrEqual(before - 2 - (isShared ? 100 : 0));
  },
);

test('OP-74: a change that PostgreSQL has not stored gets no reply, because it is lost if the process dies', async () => {
  const { signal, schema } = await server();
  const key = Buffer.alloc(32, 5);
  const sandbox = await testSandbox({ store: await schema(), key });
  const token = await sandbox.companyToken();
  const headers = { authorization: token, 'content-type': 'application/json' };
  const body = JSON.stringify({ uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
  const order = () => raw(`${sandbox.urls.rewards}/v1/partner/redeemptiononskus`, { method: 'POST', headers, body });
  expect((await order()).status).toBe(200);
  await signal('SIGSTOP');
  // Without this, a failed test could not close anything.
  onTestFinished(() => signal('SIGCONT'));
  let isAnswered = false;
  const answer = order().finally(() => {
    isAnswered = true;
  });
  // Calls that store nothing still receive replies.
  for (let call = 0; call < 50; call += 1) expect((await raw(`${sandbox.urls.sandbox}/health`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  await signal('SIGCONT');
  expect((await answer).status).toBe(200);
});
