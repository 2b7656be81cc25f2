/**
 * Starts two sandboxes on one data folder from two network namespaces, like two containers that share a volume (OP-79).
 *
 * Needs root and `ip`, like network.nightly.test.ts.
 */
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { network } from './network.ts';

const admin = 'at_sandbox_of_the_lock_test';
const authorized = { 'content-type': 'application/json', authorization: `Bearer ${admin}` };
const customers = '/sandbox/v1/customers';
const flags = (dir: string) => ['--data', dir, '--port', '4010', '--no-proxy', '--admin-token', admin];

/** Returns the ids of the customers that these tests added. */
function added({ body }: { body: Record<string, unknown> }): string[] {
  const items = body.items as { uid: string }[];
  return items.map(({ uid }) => uid).filter((uid) => uid.startsWith('CUST7'));
}

/** Locks a folder with a sandbox on one host. Returns functions that call the sandboxes on both hosts. */
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

it('OP-79: the second start is refused with exit code 5 and names the holder, and the first continues', async () => {
  const { dir, add, run } = await shared();
  const first = run('server');
  await first.ready;
  const second = run('stranger');
  const { code, stderr } = await second.ended;
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(
      `^Cannot open the data in ${dir}: ${dir} is in use by process \\d+ on \\S+: stop it first, or choose another folder\n$`,
    ),
  ]);
  expect(stderr).toContain(`process ${first.pid()} on`);
  expect(add('server', 'CUST7001').status).toBe(201);
});

it('OP-79: kill -9 of the holder frees the folder: a start in another namespace finds all acknowledged changes', async () => {
  const { call, add, run } = await shared();
  const first = run('server');
  await first.ready;
  expect(add('server', 'CUST7001').status).toBe(201);
  first.signal('SIGKILL');
  await first.ended;
  const second = run('stranger');
  await second.ready;
  expect(added(call('stranger', customers))).toEqual(['CUST7001']);
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(0);
});

it('OP-79: a stopped holder still has its folder, and continues when it resumes', async () => {
  const { dir, add, run } = await shared();
  const first = run('server');
  await first.ready;
  first.signal('SIGSTOP');
  const { code, stderr } = await run('stranger').ended;
  expect([code, stderr]).toEqual([5, expect.stringContaining(`${dir} is in use by process ${first.pid()} on`)]);
  first.signal('SIGCONT');
  expect(add('server', 'CUST7001').status).toBe(201);
});
