/**
 * Two sandboxes on one data folder from two network namespaces, as two containers with one volume are (OP-79). Needs
 * root and `ip`, like network.nightly.test.ts.
 */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { flat } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { network } from './network.ts';

const admin = 'at_sandbox_of_the_lock_test';
const authorized = { 'content-type': 'application/json', authorization: `Bearer ${admin}` };
const customers = '/sandbox/v1/customers';
const flags = (dir: string) => ['--data', dir, '--port', '4010', '--no-proxy', '--admin-token', admin];

/** The customers of these tests among all. */
function added({ body }: { body: Record<string, unknown> }): string[] {
  const items = body.items as { uid: string }[];
  return items.map(({ uid }) => uid).filter((uid) => uid.startsWith('CUST7'));
}

/** A folder with a sandbox that holds it on one host, and calls to the sandboxes on both. */
async function shared() {
  const dir = await temporaryFolder();
  const hosts = network();
  const call = (from: 'server' | 'stranger', path: string, body?: object) => {
    const url = `http://127.0.0.1:4010${path}`;
    const method = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const { status, body: text } = hosts.ask(from, { url, headers: authorized, ...method });
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  };
  const add = (from: 'server' | 'stranger', uid: string) => call(from, customers, { uid });
  return { dir, call, add, run: (on: 'server' | 'stranger') => hosts.run(on, flags(dir)) };
}

it('OP-79: the second start is refused with exit code 5 and names the holder, and the first goes on', async () => {
  const { dir, add, run } = await shared();
  const first = run('server');
  await first.ready;
  const second = run('stranger');
  const { code, stderr } = await second.ended;
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(
      `^Cannot open the data in ${dir}: ${dir} is in use by process \\d+ on \\S+ since \\S+Z: stop it first, or choose another folder\n$`,
    ),
  ]);
  expect(stderr).toContain(`process ${first.pid()} on`);
  expect(add('server', 'CUST7001').status).toBe(201);
});

it('OP-79: after kill -9 of the holder a start in another namespace takes over what was acknowledged, and says so', async () => {
  const { dir, call, add, run } = await shared();
  const first = run('server');
  await first.ready;
  expect(add('server', 'CUST7001').status).toBe(201);
  first.signal('SIGKILL');
  await first.ended;
  const second = run('stranger');
  await second.ready;
  expect(added(call('stranger', customers))).toEqual(['CUST7001']);
  second.signal('SIGTERM');
  const { code, stderr } = await second.ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      `^${dir} was taken over from process ${first.pid()} on \\S+ since \\S+Z, which gave no sign of life\n`,
    ),
  ]);
  // Stopped properly it leaves nothing to wait for.
  expect((await readdir(dir)).filter((name) => name.startsWith('lock'))).toEqual([]);
});

it('OP-79: a holder that was stopped and wakes up after a takeover acknowledges nothing, and nobody loses anything', async () => {
  const { call, add, run } = await shared();
  const first = run('server');
  await first.ready;
  expect(add('server', 'CUST7001').status).toBe(201);
  first.signal('SIGSTOP');
  const second = run('stranger');
  await second.ready;
  expect(add('stranger', 'CUST7002').status).toBe(201);
  first.signal('SIGCONT');
  expect(add('server', 'CUST7003')).toEqual(
    flat(503, 69, expect.stringContaining('another process took the data folder over')),
  );
  expect(call('server', '/sandbox/v1/health').status).toBe(503);
  expect(add('stranger', 'CUST7004').status).toBe(201);
  first.signal('SIGTERM');
  const { code, stderr } = await first.ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(`is no longer held by this process: process ${second.pid()} on \\S+ since \\S+ took it over`),
  ]);
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(0);

  const third = run('server');
  await third.ready;
  expect(added(call('server', customers))).toEqual(['CUST7001', 'CUST7002', 'CUST7004']);
  third.signal('SIGTERM');
  expect(await third.ended).toEqual({ code: 0, stderr: expect.not.stringContaining('took') });
});
