import { expect, onTestFinished, test } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { postgres, postgresServers } from '../harness/postgres.ts';
import { ok, raw, testSandbox } from '../harness/sandbox.ts';
import type { ChildOptions } from './child.ts';
import { killable } from './killable.ts';

const database = postgres();
const server = postgresServers();
const kept = {
  'a folder': async (): Promise<ChildOptions> => ({ dataDir: await temporaryFolder() }),
  PostgreSQL: async (): Promise<ChildOptions> => ({ store: await database(), keyText: '22'.repeat(32) }),
};

/** Starts a sandbox of a process of its own, with what calls it. */
async function spawned(options: ChildOptions) {
  const child = await killable(options);
  if (child === undefined) throw new Error('nobody killed it, and it is gone');
  const control = createSandboxClient({ baseUrl: child.urls.sandbox });
  const { credentials } = ok(await control.GET('/workspace'));
  const body = { secret: credentials.company_secret };
  const { token } = ok(await createRewardsClient({ baseUrl: child.urls.rewards }).POST('/v1/company/auth', { body }));
  const list = () => raw(`${child.urls.rewards}/v1/partner/rewards?limit=2`, { headers: { authorization: token } });
  return { child, control, list };
}

const left = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

test.each(Object.entries(kept))(
  'OP-74: with %s, of what was answered a kill -9 loses neither the entry of the log nor the count of the quota',
  async (_, options) => {
    const data = await options();
    const first = await spawned(data);
    const traces: (string | null)[] = [];
    let before = 0;
    for (let call = 0; call < 5; call += 1) {
      const answer = await first.list();
      expect(answer.status).toBe(200);
      traces.push(answer.headers.get('x-trace-id'));
      before = left(answer);
    }
    await first.child.kill();
    const { control, list } = await spawned(data);
    const query = { limit: 500 };
    const { items } = ok(await control.GET('/activity', { params: { query } }));
    const logged = items.flatMap((entry) =>
      'operation' in entry && entry.operation === 'listRewards' ? entry.trace : [],
    );
    expect(logged.toSorted()).toEqual(traces.toSorted());
    // One for the token of the second start, one for the call.
    expect(left(await list())).toBe(before - 2);
  },
);

test('OP-74: what PostgreSQL has not taken is not answered, since it dies with the process', async () => {
  const { signal, schema } = await server();
  const key = Buffer.alloc(32, 5);
  const sandbox = await testSandbox({ store: await schema(), key });
  const token = await sandbox.companyToken();
  const list = () => raw(`${sandbox.urls.rewards}/v1/partner/rewards?limit=2`, { headers: { authorization: token } });
  expect((await list()).status).toBe(200);
  await signal('SIGSTOP');
  // Else nobody could close anything once this failed.
  onTestFinished(() => signal('SIGCONT'));
  let isAnswered = false;
  const answer = list().finally(() => {
    isAnswered = true;
  });
  // Calls that store nothing go on meanwhile.
  for (let call = 0; call < 50; call += 1) expect((await raw(`${sandbox.urls.sandbox}/health`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  await signal('SIGCONT');
  expect((await answer).status).toBe(200);
});
