/** Tests a process that receives SIGTERM while its database is paused. */
import { expect, it } from 'vitest';
import { createSandboxClient } from '../../generated/index.ts';
import { ready } from '../harness/command.ts';
import { postgresServers } from '../harness/postgres.ts';
import { ok } from '../harness/sandbox.ts';

const server = postgresServers();
const env = { REWARDS_SANDBOX_KEY: Buffer.alloc(32, 9).toString('hex') };

it.each([
  { how: 'alone', flags: [] },
  { how: 'as an instance', flags: ['--share', '0'] },
])(
  'OP-200: on SIGTERM while PostgreSQL does not answer, a process $how exits within 12 s, reports why, and loses nothing',
  async ({ flags }) => {
    const database = await server();
    const store = await database.schema();
    const first = await ready(['--store', store, ...flags], env);
    const control = createSandboxClient({ baseUrl: first.urls.sandbox });
    ok(await control.POST('/customers', { body: { uid: 'ADA' } }));
    await database.signal('SIGSTOP');
    const unanswered = control.POST('/customers', { body: { uid: 'EVE' } }).then(
      ({ response }) => response.status,
      () => 'no answer',
    );
    first.child.kill('SIGTERM');
    const { code, stderr } = await first.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('Acknowledged changes are saved, and other instances will take over shortly');
    expect(['no answer', 503]).toContain(await unanswered);
    await database.signal('SIGCONT');
    const second = await ready(['--store', store, ...flags], env);
    const { items } = ok(await createSandboxClient({ baseUrl: second.urls.sandbox }).GET('/customers'));
    expect(items.map(({ profile }) => profile.uid)).toContain('ADA');
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  },
);
