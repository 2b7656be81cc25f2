/**
 * Tests a PostgreSQL server that stops answering and later recovers while three instances accept orders. A lost route
 * or a stuck disk has the same effect.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { postgresServers } from '../harness/postgres.ts';
import { Group, until } from './group.ts';
import { orderWithKey, WorkspaceTraffic } from './workspace-traffic.ts';

const server = postgresServers();
const hangMilliseconds = 40_000;
/** Maximum time that a caller waits, in milliseconds (OP-200). */
const longestCall = 15_000;
const lanes = 12;

it('OP-200: while PostgreSQL hangs for 40 seconds, each order is answered within 15, and a repeat with its key gets the same single outcome', async () => {
  const database = await server();
  const group = await Group.start(database);
  onTestFinished(() => group.end());
  onTestFinished(() => database.signal('SIGCONT'));
  const traffic = await WorkspaceTraffic.make(group, new SeededRandom('a hanging database'));
  let token = '';
  await until('the workspace answers', async () => {
    token = (await traffic.signIn()) ?? '';
    return token !== '';
  });
  const order = (key: string) => orderWithKey(group.urls(Number(key) % group.size).rewards, token, key);
  type Answer = Awaited<ReturnType<typeof order>>;
  const answers = new Map<string, Answer>();
  let [next, isOver] = [0, false];
  const lane = async () => {
    while (!isOver) {
      next += 1;
      const key = String(next);
      const answer = await order(key);
      answers.set(key, answer);
      // Wait for a fraction of `Retry-After`.
      if (answer.status === 503) await rest(200);
    }
  };
  const load = Promise.all(Array.from({ length: lanes }, lane));
  await rest(2_000);
  await database.signal('SIGSTOP');
  await rest(hangMilliseconds);
  await database.signal('SIGCONT');
  await rest(3_000);
  isOver = true;
  await load;

  const all = [...answers.values()];
  const longest = all.reduce((most, { took }) => Math.max(most, took), 0);
  const counts = Object.entries(Object.groupBy(all, ({ status, retry }) => `${status} ${retry}`));
  console.log(
    `longest ${Math.round(longest)} ms; ${counts.map(([what, { length } = []]) => `${what}: ${length}`).join(', ')}`,
  );
  expect(longest).toBeLessThan(longestCall);
  // Each call was either served or refused with a request to retry.
  expect(counts.map(([what]) => what).toSorted()).toEqual(['200 null', '503 1']);

  const placed = new Map<string, string | undefined>();
  for (const [key, { status, id }] of answers) {
    if (status === 200) placed.set(key, id);
    else {
      await until(`order ${key} has its outcome`, async () => {
        const again = await order(key);
        placed.set(key, again.id);
        return again.status === 200;
      });
    }
  }
  let stored: string[] = [];
  await until('the orders are read', async () => {
    const orders = await traffic.orders();
    stored = orders?.map(({ order: { reference_id, order_id } }) => `${reference_id} ${order_id}`) ?? [];
    return orders !== undefined;
  });
  expect(stored.toSorted()).toEqual([...placed].map(([key, id]) => `${key} ${id}`).toSorted());
  await traffic.check('after the hang');
  expect(await group.breaches()).toEqual([]);
});
