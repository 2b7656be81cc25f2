/** Tests the partner board: its rows, their visibility, and its CSV export (OP-261). */
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, orderIn, workspaceOf } from '../harness/workspaces.ts';

const now = Date.UTC(2026, 10, 28, 12);
const day = 24 * 3_600_000;

/** Starts a sandbox whose real-time clock the test controls. */
async function boardSandbox() {
  const time = { now };
  const sandbox = await testSandbox({ realTime: () => time.now });
  return { ...sandbox, time };
}

/** Places an order whose quantity violates the contract, which leads to a finding. */
async function misorder(workspace: Awaited<ReturnType<typeof workspaceOf>>) {
  const rewards = workspace.rewards(await companyTokenOf(workspace));
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 11 }] };
  expect((await rewards.POST('/v1/partner/redeemptiononskus', { body })).response.status).toBe(400);
}

describe('OP-261: the board', () => {
  it('has a row for each workspace, with its owner, last call, calls, findings, answers pending and days', async () => {
    const sandbox = await boardSandbox();
    const partner = await workspaceOf(sandbox, { name: 'Meadow Bank' });
    await orderIn(partner);
    const { items, next } = ok(await sandbox.control.GET('/partners'));
    expect(next).toBeNull();
    const [demo, row] = items;
    expect(demo?.workspace.id).toBe('demo');
    const today = { day: '2026-11-28', calls: 2, findings: 0, answers_pending: row?.answers_pending, outcome: null };
    expect(row).toEqual({
      workspace: {
        id: partner.details.id,
        name: 'Meadow Bank',
        created_by: 'demo',
        created_at: '2026-11-28T12:00:00.000Z',
        last_used_at: '2026-11-28T12:00:00.000Z',
        expires_at: '2026-12-05T12:00:00.000Z',
      },
      calls: 2,
      findings: 0,
      certification: null,
      answers_pending: expect.any(Number),
      days: [today],
      counted_at: '2026-11-28T12:00:00.000Z',
    });
    const relied = ok(await partner.control.GET('/open-points', { params: { query: { relied_on: 'yes' } } })).items;
    expect(row?.answers_pending).toBe(relied.length);
    const answers = { 'OP-06': { answer: 'agreed', by: 'Jane Doe', date: '2026-11-28' } } as const;
    expect(relied.map(({ id }) => id)).toContain('OP-06');
    ok(await partner.control.PUT('/open-points/answers', { body: { answers } }));
    const after = ok(await sandbox.control.GET('/partners')).items[1];
    expect(after).toMatchObject({ answers_pending: relied.length - 1, calls: 3 });
  });

  it('counts each call once, on its day, across a reset, and adds up as many days as are asked for', async () => {
    const sandbox = await boardSandbox();
    const partner = await workspaceOf(sandbox, { expires_in: 30 * 24 * 3600 });
    const row = async (days?: number) => {
      const query = days === undefined ? {} : { days };
      return ok(await partner.control.GET('/partners', { params: { query } })).items[0];
    };
    await misorder(partner);
    expect(await row()).toMatchObject({ calls: 2, findings: 1 });
    expect(await row()).toMatchObject({ calls: 2, findings: 1 });
    await orderIn(partner);
    ok(await partner.control.POST('/reset'));
    // The reset itself counts as a call.
    expect(await row()).toMatchObject({ calls: 5, findings: 1, days: [{ calls: 5 }] });
    sandbox.time.now += 8 * day;
    await orderIn(partner);
    expect(await row()).toMatchObject({ calls: 2, findings: 0, days: [{ day: '2026-12-06', calls: 2 }] });
    const all = await row(90);
    expect(all).toMatchObject({ calls: 7, findings: 1 });
    expect(all?.days.map(({ day, calls }) => [day, calls])).toEqual([
      ['2026-11-28', 5],
      ['2026-12-06', 2],
    ]);
  });

  it('counts calls that a snapshot brings back, or a fork takes along, only once', async () => {
    const sandbox = await boardSandbox();
    const partner = await workspaceOf(sandbox);
    await orderIn(partner);
    const { id } = ok(await partner.control.POST('/snapshots', { body: {} }));
    const params = { path: { id } };
    const calls = async () => ok(await sandbox.control.GET('/partners')).items.map((each) => each.calls);
    const before = (await calls())[1] ?? 0;
    ok(await partner.control.POST('/snapshots/{id}/restore', { params }));
    expect((await calls())[1]).toBeLessThanOrEqual(before + 1);
    sandbox.time.now += 1;
    ok(await partner.control.POST('/snapshots/{id}/fork', { params }));
    expect((await calls())[2]).toBe(0);
  });

  it("shows a partner their own row, whatever they search for, and the operator's search finds names", async () => {
    const sandbox = await boardSandbox();
    const one = await workspaceOf(sandbox, { name: 'One' });
    sandbox.time.now += 1;
    const other = await workspaceOf(sandbox, { name: 'Other' });
    const seen = async ({ control }: Pick<typeof one, 'control'>, search?: string) => {
      const query = search === undefined ? {} : { search };
      return ok(await control.GET('/partners', { params: { query } })).items.map(({ workspace }) => workspace.id);
    };
    expect(await seen(one)).toEqual([one.details.id]);
    expect(await seen(other)).toEqual([other.details.id]);
    expect(await seen(one, 'other')).toEqual([]);
    expect(await seen(sandbox)).toEqual(['demo', one.details.id, other.details.id]);
    expect(await seen(sandbox, 'OTHER')).toEqual([other.details.id]);
  });

  it('pages through 50 workspaces with traffic, each with its own figures', async () => {
    const sandbox = await boardSandbox();
    const partners: Awaited<ReturnType<typeof workspaceOf>>[] = [];
    for (let number = 1; number <= 50; number += 1) {
      partners.push(await workspaceOf(sandbox, { name: `Partner ${number}` }));
      sandbox.time.now += 1;
    }
    for (const [index, partner] of partners.entries()) await (index % 2 === 0 ? orderIn(partner) : misorder(partner));
    const rows: [string | null, number, number][] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const query = { limit: 20, ...(after !== undefined && { after }) };
      const { items, next } = ok(await sandbox.control.GET('/partners', { params: { query } }));
      rows.push(...items.map((row): [string | null, number, number] => [row.workspace.name, row.calls, row.findings]));
      after = next ?? undefined;
      pages += 1;
    } while (after !== undefined);
    expect(pages).toBe(3);
    expect(rows.slice(1)).toEqual(partners.map((_, index) => [`Partner ${index + 1}`, 2, index % 2]));
  });

  it('survives a restart', async () => {
    const dataDir = await temporaryFolder();
    const first = await testSandbox({ dataDir });
    const partner = await workspaceOf(first);
    await orderIn(partner);
    await first.close();
    const second = await testSandbox({ dataDir });
    expect(ok(await second.control.GET('/partners')).items[1]).toMatchObject({ calls: 2, days: [{ calls: 2 }] });
  });
});

describe('OP-261: the CSV of the board', () => {
  it('has the rows of a page as RFC 4180 describes, and no field is a formula', async () => {
    const sandbox = await boardSandbox();
    const partner = await workspaceOf(sandbox, { name: '=HYPERLINK("http://x","Meadow, Bank")' });
    const reply = await fetch(`${sandbox.urls.sandbox}/partners.csv`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, demo, row, end] = (await reply.text()).split('\r\n');
    expect(head).toBe(
      'id,name,created_by,last_used_at,calls,findings,certification_id,certification_client_url,certification_requirements,' +
        'certification_issued_at,certification_outcome,certification_open_failures,certification_expired,' +
        'certification_signer,certification_key_name,answers_pending,counted_at',
    );
    expect(demo).toMatch(/^demo,,,2026-11-28T12:00:00\.000Z,/);
    expect(row).toBe(
      `${partner.details.id},"'=HYPERLINK(""http://x"",""Meadow, Bank"")",demo,2026-11-28T12:00:00.000Z,0,0,,,,,,,,,,0,` +
        '2026-11-28T12:00:00.000Z',
    );
    expect(end).toBe('');
  });
});
