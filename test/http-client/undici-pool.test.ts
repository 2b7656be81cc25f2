/** Documents why outgoing calls use their own connections (`http-client/connections.ts`) instead of an undici pool. */
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { httpServer } from '../harness/http-server.ts';

/** Returns the number of calls that wait for a slot in a one-connection pool immediately after another call. */
async function waitingIn(before: (pool: Pool) => Promise<unknown>): Promise<number> {
  const pool = new Pool((await httpServer((_, response) => void response.end())).origin, { connections: 1 });
  onTestFinished(() => pool.destroy());
  await before(pool);
  pool.request({ path: '/', method: 'GET' }).catch(() => {});
  return pool.stats.queued;
}

test('a pool of undici never frees the slot of a call that it refused to send', async () => {
  const refused = (pool: Pool) =>
    expect(pool.request({ path: '/', method: 'GET', headers: { 'x-a': '\u0001' } })).rejects.toThrow(
      'invalid x-a header',
    );
  expect(await waitingIn(refused)).toBe(1);
});

test('control: a call finds a free slot in a pool that refused nothing', async () => {
  expect(await waitingIn(async () => {})).toBe(0);
});
