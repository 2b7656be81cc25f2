/** Tests listing, deleting and expiring workspaces (OP-54). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flat, notFound, plain } from '../harness/envelopes.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { type clientsOf, ok, raw, testSandbox } from '../harness/sandbox.ts';
import { converse, statusesIn } from '../harness/socket.ts';
import { start, timedSandbox } from '../harness/timed.ts';
import { opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

const unauthorized = flat(401, 40, 'Missing or invalid token');
const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;
const at = (instant: number) => new Date(instant).toISOString();

type Lister = { readonly control: ReturnType<typeof clientsOf>['control'] };
const listed = async ({ control }: Lister) => ok(await control.GET('/workspaces')).items;
const idsOf = async (lister: Lister) => (await listed(lister)).map(({ id }) => id);
const remove = ({ control }: Lister, id: string) => control.DELETE('/workspaces/{id}', { params: { path: { id } } });

describe('OP-54: the list', () => {
  it('shows the operator every workspace with its creation, last use and expiry in real time, and no credential', async () => {
    const sandbox = await timedSandbox();
    sandbox.pass(hour);
    const one = await workspaceOf(sandbox);
    sandbox.pass(1);
    const other = await workspaceOf(sandbox, { expires_in: 3600, name: 'Meadow Bank' });
    sandbox.pass(minute - 1);
    ok(await other.control.POST('/clock/advance', { body: { seconds: 86_400 } }));
    sandbox.pass(minute);
    const made = at(start + hour);
    const all = [
      {
        id: 'demo',
        name: null,
        created_by: null,
        created_at: at(start),
        last_used_at: at(start + hour + 2 * minute),
        expires_at: null,
      },
      {
        id: one.details.id,
        name: null,
        created_by: 'demo',
        created_at: made,
        last_used_at: made,
        expires_at: at(start + hour + week),
      },
      {
        id: other.details.id,
        name: 'Meadow Bank',
        created_by: 'demo',
        created_at: at(start + hour + 1),
        last_used_at: at(start + hour + minute),
        expires_at: at(start + 2 * hour + minute),
      },
    ];
    expect(await listed(sandbox)).toEqual(all);
    expect(await listed(opened(sandbox.workspace))).toEqual(all);
  });

  it("shows a workspace's own admin token only that workspace, and refuses any other credential", async () => {
    const sandbox = await testSandbox();
    const [own] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    expect(await idsOf(own)).toEqual([own.details.id]);
    const headers = { authorization: `Bearer ${own.credentials.company_secret}` };
    expect(plain(await raw(`${sandbox.urls.sandbox}/workspaces`, { headers }))).toEqual(unauthorized);
  });
});

describe('OP-54: deleting', () => {
  it('the operator deletes any workspace but the demo workspace', async () => {
    const sandbox = await testSandbox();
    const [one, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    expect((await remove(sandbox, one.details.id)).response.status).toBe(204);
    expect((await remove(opened(sandbox.workspace), other.details.id)).response.status).toBe(204);
    expect((await one.control.GET('/workspace')).error).toEqual(unauthorized.body);
    for (const id of ['demo', one.details.id, 'ws_0000000000000000']) {
      expect((await remove(sandbox, id)).error, id).toEqual(notFound(`Workspace ${id}`).body);
    }
    expect(await idsOf(sandbox)).toEqual(['demo']);
  });

  it('twice concurrently happens once; the second call finds it in progress, or done', async () => {
    const dataDir = await temporaryFolder();
    const sandbox = await testSandbox({ dataDir });
    const { details } = await workspaceOf(sandbox);
    const headers = { authorization: `Bearer ${details.admin_token}` };
    const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers });
    const { host, origin, pathname } = new URL(`${sandbox.urls.sandbox}/workspaces/${details.id}`);
    const call = (line: string) => [`${line} HTTP/1.1`, `Host: ${host}`, '', ''];
    // Both connections are open before the calls, so the second call arrives while the first is in progress.
    const callers = [converse(origin), converse(origin)];
    for (const { send } of callers) send(...call('GET /sandbox/v1/health'));
    for (const { waitFor } of callers) await waitFor(/^HTTP\/1\.1 200 [\s\S]*\}$/);
    for (const { send } of callers) send(...call(`DELETE ${pathname}`));
    const replies = await Promise.all(callers.map(({ waitFor }) => waitFor(/\}HTTP\/1\.1 \d+ /)));
    const statuses = replies.map((reply) => statusesIn(reply).at(-1)).sort();
    expect([
      [204, 204],
      [204, 404],
    ]).toContainEqual(statuses);
    expect(await stream.text()).toBe(': open\n\n');
    await sandbox.close();
    expect(await readdir(join(dataDir, 'workspaces'))).toEqual([]);
  });

  it('a reset of the demo workspace does not affect the others, and a reset of a workspace keeps its lifetime', async () => {
    const sandbox = await timedSandbox();
    const own = await workspaceOf(sandbox, { expires_in: 3600 });
    await orderIn(own);
    const before = ok(await own.control.GET('/activity'));
    ok(await sandbox.control.POST('/reset'));
    expect(ok(await own.control.GET('/activity'))).toEqual(before);
    sandbox.pass(10 * minute);
    ok(await own.control.POST('/reset'));
    const [summary] = await listed(own);
    expect(summary).toMatchObject({ created_at: at(start), expires_at: at(start + hour + 10 * minute) });
  });
});

describe('OP-54: a workspace expires', () => {
  it('when it gets no call for its lifetime: its credentials are refused, its data is deleted, others stay', async () => {
    const dataDir = await temporaryFolder();
    const sandbox = await timedSandbox({ dataDir });
    const gone = await workspaceOf(sandbox);
    sandbox.pass(1);
    const used = await workspaceOf(sandbox);
    sandbox.pass(1);
    const long = await workspaceOf(sandbox, { expires_in: 30 * 24 * 3600 });
    sandbox.pass(week - 3);
    ok(await used.control.GET('/clock'));
    await sandbox.look();
    expect(await idsOf(sandbox)).toEqual(['demo', gone.details.id, used.details.id, long.details.id]);
    sandbox.pass(1);
    await sandbox.look();
    expect(await idsOf(sandbox)).toEqual(['demo', used.details.id, long.details.id]);
    expect((await gone.control.GET('/workspace')).error).toEqual(unauthorized.body);
    sandbox.pass(100 * week);
    await sandbox.look();
    expect(await idsOf(sandbox)).toEqual(['demo']);
    await sandbox.close();
    expect(await readdir(join(dataDir, 'workspaces'))).toEqual([]);
  });

  it('not while one of its calls is being served', async () => {
    const sandbox = await timedSandbox();
    const own = await workspaceOf(sandbox, { expires_in: 60 });
    const headers = { authorization: `Bearer ${own.details.admin_token}` };
    const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers });
    sandbox.pass(week);
    await sandbox.look();
    expect(await idsOf(sandbox)).toEqual(['demo', own.details.id]);
    await remove(sandbox, own.details.id);
    expect(await stream.text()).toBe(': open\n\n');
  });

  it('to make room as soon as a new one is created, even before the next expiry check', async () => {
    const sandbox = await timedSandbox();
    await Promise.all(
      Array.from({ length: 99 }, (_, made) => workspaceOf(sandbox, made > 0 ? { expires_in: 60 } : {})),
    );
    const one = () => sandbox.control.POST('/workspaces', { body: {} });
    expect((await one()).response.status).toBe(409);
    sandbox.pass(minute);
    expect((await one()).response.status).toBe(201);
    expect(await listed(sandbox)).toHaveLength(3);
  });

  it.each([59, 30 * 24 * 3600 + 1, 1.5, '60'])('a lifetime of %j seconds is refused', async (expires_in) => {
    const { urls, control } = await testSandbox();
    const headers = { 'content-type': 'application/json' };
    const answer = await raw(`${urls.sandbox}/workspaces`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ expires_in }),
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 53 } });
    expect(await idsOf({ control })).toEqual(['demo']);
  });

  it('a fork has the same lifetime as the workspace that it comes from, counted from its creation', async () => {
    const sandbox = await timedSandbox();
    const own = await workspaceOf(sandbox, { expires_in: 3600 });
    const { id } = ok(await own.control.POST('/snapshots', { body: {} }));
    const demos = ok(await sandbox.control.POST('/snapshots', { body: {} }));
    sandbox.pass(30 * minute);
    const now = start + 30 * minute;
    const fork = async ({ control }: Lister, snapshot: string) =>
      listed(opened(ok(await control.POST('/snapshots/{id}/fork', { params: { path: { id: snapshot } } }))));
    expect(await fork(own, id)).toMatchObject([{ created_at: at(now), expires_at: at(now + hour) }]);
    expect(await fork(sandbox, demos.id)).toMatchObject([{ created_at: at(now), expires_at: at(now + week) }]);
  });
});

it('OP-54: the last use is stored at most once an hour, and a start after a kill uses it', async () => {
  const dataDir = await temporaryFolder();
  const first = await timedSandbox({ dataDir });
  const own = await workspaceOf(first);
  const restarted = async (from: number, dir: string) => {
    const sandbox = await timedSandbox({ dataDir: dir }, from);
    return { sandbox, own: opened({ ...own.details, urls: sandbox.urls }) };
  };
  const usedAfter = async (sandbox: Lister) => Date.parse((await listed(sandbox))[1]?.last_used_at ?? '') - start;
  first.pass(59 * minute);
  ok(await own.control.GET('/clock'));
  await first.look();
  expect(await usedAfter(first)).toBe(59 * minute);
  const killed = await copyOfFolder(dataDir);
  const second = await restarted(start + hour, killed);
  expect(await usedAfter(second.sandbox)).toBe(0);
  ok(await second.own.control.GET('/clock'));
  await second.sandbox.look();
  // A reset does not discard the stored time of last use.
  ok(await second.own.control.POST('/reset'));
  const third = await restarted(start + week, await copyOfFolder(killed));
  expect(await usedAfter(third.sandbox)).toBe(hour);
  await third.sandbox.look();
  expect(await idsOf(third.sandbox)).toEqual(['demo', own.details.id]);
  third.sandbox.pass(hour);
  await third.sandbox.look();
  expect(await idsOf(third.sandbox)).toEqual(['demo']);
});

it('OP-211: a clean stop stores the exact last use', async () => {
  const dataDir = await temporaryFolder();
  const first = await timedSandbox({ dataDir });
  const own = await workspaceOf(first);
  first.pass(59 * minute);
  ok(await own.control.GET('/clock'));
  await first.close();
  const second = await timedSandbox({ dataDir }, start + hour);
  expect((await listed(second))[1]?.last_used_at).toBe(at(start + 59 * minute));
});
