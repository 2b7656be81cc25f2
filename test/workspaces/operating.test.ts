/** The sandbox's operator finds, names, extends and deletes partners' workspaces (OP-227). */
import { describe, expect, it } from 'vitest';
import { notFound, plain } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type clientsOf, ok, raw, testSandbox } from '../harness/sandbox.ts';
import { start, timedSandbox } from '../harness/timed.ts';
import { opened, workspaceOf } from '../harness/workspaces.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = (instant: number) => new Date(instant).toISOString();

type Lister = { readonly control: ReturnType<typeof clientsOf>['control'] };
interface ListQuery {
  readonly after?: string;
  readonly search?: string;
  readonly limit?: number;
}
const page = async ({ control }: Lister, query: ListQuery = {}) =>
  ok(await control.GET('/workspaces', { params: { query } }));
const namesOf = async (lister: Lister, search: string) =>
  (await page(lister, { search })).items.map(({ name, id }) => name ?? id);
const change = ({ control }: Lister, id: string, body: { name?: string | null; expires_in?: number | null }) =>
  control.PATCH('/workspaces/{id}', { params: { path: { id } }, body });

describe('OP-227: the list', () => {
  it('is paged, oldest first, even if many were created at one instant and some are deleted meanwhile', async () => {
    const sandbox = await timedSandbox();
    const made = [];
    for (const passes of [0, 0, 0, 1, 0]) {
      sandbox.pass(passes);
      made.push((await workspaceOf(sandbox)).details.id);
    }
    const expected = ['demo', ...made.slice(0, 3).toSorted(), ...made.slice(3).toSorted()];
    const whole = await page(sandbox);
    expect([whole.items.map(({ id }) => id), whole.next]).toEqual([expected, null]);
    const first = await page(sandbox, { limit: 3 });
    expect([first.items.map(({ id }) => id), first.next]).toEqual([expected.slice(0, 3), `${start}.${expected[2]}`]);
    const path = { id: expected[2] ?? '' };
    expect((await sandbox.control.DELETE('/workspaces/{id}', { params: { path } })).response.status).toBe(204);
    const second = await page(sandbox, { limit: 3, after: first.next ?? '' });
    expect([second.items.map(({ id }) => id), second.next]).toEqual([expected.slice(3), null]);
  });

  it('finds workspaces whose id or name contains the search text, in any case', async () => {
    const sandbox = await testSandbox();
    for (const name of ['Meadow Bank', 'meadow staging', 'Größe 100%_']) await workspaceOf(sandbox, { name });
    const unnamed = (await workspaceOf(sandbox)).details.id;
    expect((await namesOf(sandbox, 'MEADOW')).toSorted()).toEqual(['Meadow Bank', 'meadow staging']);
    expect(await namesOf(sandbox, 'grÖSSE')).toEqual([]);
    expect(await namesOf(sandbox, 'GRÖßE')).toEqual(['Größe 100%_']);
    expect(await namesOf(sandbox, '%')).toEqual(['Größe 100%_']);
    expect(await namesOf(sandbox, unnamed.slice(3).toUpperCase())).toEqual([unnamed]);
    expect(await namesOf(sandbox, 'nobody')).toEqual([]);
  });

  it("shows a workspace's own admin token no other workspace, whatever the search text", async () => {
    const sandbox = await testSandbox();
    const own = await workspaceOf(sandbox, { name: 'Meadow Bank' });
    await workspaceOf(sandbox, { name: 'Meadow Insurance' });
    expect(await namesOf(own, 'meadow')).toEqual(['Meadow Bank']);
    expect(await namesOf(own, 'insurance')).toEqual([]);
  });

  it.each([
    ['after', 'demo'],
    ['after', '1.ws_1.2!'],
    ['search', ''],
    ['search', 'a\u0000'],
    ['limit', '0'],
    ['limit', '1001'],
  ])('%s=%j is refused by name', async (name, value) => {
    const { urls } = await testSandbox();
    const { status, body } = await raw(`${urls.sandbox}/workspaces?${name}=${encodeURIComponent(value)}`);
    expect([status, (body as { code: number }).code]).toEqual([400, 53]);
    expect(JSON.stringify(body)).toContain(name);
  });
});

describe('OP-227: the operator', () => {
  it('sets a name and an expiry, which apply to the next use and survive a restart', async () => {
    const dataDir = await temporaryFolder();
    const sandbox = await timedSandbox({ dataDir });
    const own = await workspaceOf(sandbox, { expires_in: 3600 });
    const { id } = own.details;
    const summary = { id, name: 'Meadow Bank', created_by: 'demo', created_at: at(start) };
    expect(ok(await change(sandbox, id, { name: 'Meadow Bank', expires_in: 365 * 24 * 3600 }))).toEqual({
      ...summary,
      last_used_at: at(start),
      expires_at: at(start + 365 * day),
    });
    sandbox.pass(day);
    await sandbox.look();
    const used = { ...summary, last_used_at: at(start + day), expires_at: at(start + 366 * day) };
    ok(await own.control.POST('/reset'));
    expect((await page(own)).items).toEqual([used]);
    await sandbox.close();
    const again = await timedSandbox({ dataDir }, start + 2 * day);
    expect((await page(again, { search: 'meadow' })).items).toEqual([used]);
    again.pass(364 * day - 1);
    await again.look();
    expect((await page(again)).items).toHaveLength(2);
    again.pass(1);
    await again.look();
    expect((await page(again)).items).toHaveLength(1);
  });

  it('lets a workspace stay for ever, and undoes name and expiry', async () => {
    const sandbox = await timedSandbox();
    const { id } = (await workspaceOf(sandbox, { name: 'Meadow Bank' })).details;
    const stays = {
      id,
      name: 'Meadow Bank',
      created_by: 'demo',
      created_at: at(start),
      last_used_at: at(start),
      expires_at: null,
    };
    expect(ok(await change(sandbox, id, { expires_in: null }))).toEqual(stays);
    sandbox.pass(1000 * day);
    await sandbox.look();
    expect((await page(sandbox, { search: id })).items).toEqual([stays]);
    // The expiry counts from the workspace's last use, which was long ago.
    expect(ok(await change(sandbox, id, { name: null, expires_in: 60 }))).toEqual({
      ...stays,
      name: null,
      expires_at: at(start + 60_000),
    });
    await sandbox.look();
    expect((await page(sandbox, { search: id })).items).toEqual([]);
  });

  it('changes name and expiry concurrently, and neither change is lost', async () => {
    const sandbox = await timedSandbox();
    const { id } = (await workspaceOf(sandbox)).details;
    await Promise.all([change(sandbox, id, { name: 'Meadow Bank' }), change(sandbox, id, { expires_in: null })]);
    expect((await page(sandbox, { search: id })).items).toMatchObject([{ name: 'Meadow Bank', expires_at: null }]);
  });

  it('is only a caller of the demo workspace, which has neither name nor expiry', async () => {
    const sandbox = await timedSandbox();
    const [own, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    const before = (await page(sandbox)).items;
    const tries = [
      [own, own.details.id],
      [own, other.details.id],
      [sandbox, 'demo'],
      [sandbox, 'ws_0000000000000000'],
    ] as const;
    for (const [lister, id] of tries) {
      const { error, response } = await change(lister, id, { name: 'mine', expires_in: null });
      expect([response.status, error], id).toEqual([404, notFound(`Workspace ${id}`).body]);
    }
    expect((await page(sandbox)).items).toEqual(before);
  });

  it('does not extend a fork: it has no name, and at most the lifetime that any caller can set', async () => {
    const sandbox = await timedSandbox();
    const own = await workspaceOf(sandbox, { name: 'Meadow Bank' });
    ok(await change(sandbox, own.details.id, { expires_in: 300 * 24 * 3600 }));
    const { id } = ok(await own.control.POST('/snapshots', { body: {} }));
    const path = { id };
    const forked = opened(ok(await own.control.POST('/snapshots/{id}/fork', { params: { path } })));
    expect((await page(forked)).items).toMatchObject([{ name: null, expires_at: at(start + 30 * day) }]);
  });

  it.each([
    { expires_in: 59 },
    { expires_in: 31_536_001 },
    { expires_in: 'never' },
    { name: '' },
    { name: 'x'.repeat(101) },
    { name: 'two\nlines' },
  ])('cannot set %j', async (body) => {
    const sandbox = await testSandbox();
    const { id } = (await workspaceOf(sandbox)).details;
    const { items } = await page(sandbox, { search: id });
    const answer = await raw(`${sandbox.urls.sandbox}/workspaces/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(plain(answer)).toMatchObject({ status: 400, body: { code: 53 } });
    expect((await page(sandbox, { search: id })).items).toEqual(items);
  });
});
