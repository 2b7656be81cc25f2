/** Tests that listings have an entity tag, which allows a reader to skip an unchanged page (OP-89). */
import { describe, expect, it } from 'vitest';
import type { components } from '../../generated/rewards/types.ts';
import { flat, plain } from '../harness/envelopes.ts';
import { type Clients, logIn, ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, workspaceOf } from '../harness/workspaces.ts';

type CataloguePage = components['schemas']['CataloguePage'];
type Read = (query?: string, headers?: Record<string, string>, method?: string) => ReturnType<typeof raw>;

function reading(url: string, authorization: string): Read {
  return (query = '', headers = {}, method = 'GET') =>
    raw(`${url}${query}`, { method, headers: { authorization, ...headers } });
}

/** Creates a reader for a workspace's rewards listing. */
async function reader(workspace: Clients): Promise<Read> {
  return reading(`${workspace.urls.rewards}/v1/partner/rewards`, await companyTokenOf(workspace));
}

/** The three operations that list the same page, each with a reader for its API. */
const listings: readonly [name: string, (sandbox: TestSandbox) => Promise<Read>][] = [
  ['listRewards', reader],
  ['listCatalog', async (sandbox) => reading(`${sandbox.urls.rewards}/api/v1/catalog`, await sandbox.companyToken())],
  [
    'listProducts',
    async (sandbox) => reading(`${sandbox.urls.general}/v1/products`, `Bearer ${await logIn(sandbox, 'CUST0001')}`),
  ],
];

const change = ({ control }: Clients, sku_code: string, body: { stock?: number }) =>
  control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body }).then(ok);
const tagOf = ({ headers }: { readonly headers: Headers }) => headers.get('etag') ?? '';

describe.each(listings)('OP-89: %s', (_, openReader) => {
  it('sends a tag, and a 304 without a body for that tag while the page is unchanged', async () => {
    const sandbox = await testSandbox();
    const read = await openReader(sandbox);
    const first = await read();
    const tag = tagOf(first);
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const reply = await read('', { 'if-none-match': condition });
      expect([reply.status, reply.body, tagOf(reply)]).toEqual([304, undefined, tag]);
      expect(reply.headers.get('ratelimit')).toMatch(/^"hour";r=\d+;t=\d+$/);
    }
    expect((await read('', { 'if-none-match': tag }, 'HEAD')).status).toBe(304);
    expect(tagOf(await read('?limit=49'))).not.toBe(tag);
    const again = await read('', { 'if-none-match': '"x"' });
    expect([again.status, again.body, tagOf(again)]).toEqual([200, first.body, tag]);
  });

  it('shows each change of the catalogue immediately, even to a reader with the previous tag', async () => {
    const sandbox = await testSandbox();
    const read = await openReader(sandbox);
    const stocks = async (headers = {}) => {
      const { status, body } = await read('?limit=2', headers);
      return status === 304 ? 'the same' : (body as CataloguePage).items.map((item) => 'qty' in item && item.qty);
    };
    let tag = tagOf(await read('?limit=2'));
    for (const stock of [7, 8]) {
      await change(sandbox, 'EGV-SPICE-100', { stock });
      expect((await stocks({ 'if-none-match': tag }))[0]).toBe(String(stock));
      tag = tagOf(await read('?limit=2'));
      expect(await stocks({ 'if-none-match': tag })).toBe('the same');
    }
    // Removing an item shifts the items of the following pages.
    await sandbox.control.DELETE('/catalogue/{sku_code}', { params: { path: { sku_code: 'EGV-SPICE-100' } } });
    expect((await stocks())[0]).not.toBe('8');
  });

  it('returns to the earlier page with a reset, and when a snapshot is restored', async () => {
    const sandbox = await testSandbox();
    const read = await openReader(sandbox);
    const seeded = await read();
    const { id } = ok(await sandbox.control.POST('/snapshots', { body: {} }));
    await change(sandbox, 'EGV-SPICE-100', { stock: 7 });
    const changed = await read();
    expect(tagOf(changed)).not.toBe(tagOf(seeded));
    await sandbox.control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
    expect((await read()).body).toEqual(seeded.body);
    await change(sandbox, 'EGV-SPICE-100', { stock: 7 });
    expect((await read()).body).toEqual(changed.body);
    await sandbox.control.POST('/reset');
    const fresh = await openReader(sandbox);
    expect((await fresh()).body).toEqual(seeded.body);
  });
});

it('OP-89: a 304 counts against the quota like any other reply, and needs a credential', async () => {
  const sandbox = await testSandbox();
  const read = await reader(sandbox);
  const remaining = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  const first = await read();
  expect(remaining(await read('', { 'if-none-match': tagOf(first) }))).toBe(remaining(first) - 1);
  expect((await read('', { 'if-none-match': '*', authorization: 'nobody' })).status).toBe(401);
  expect((await read('?limit=0', { 'if-none-match': '*' })).status).toBe(400);
});

it('OP-89, OP-12: a page is stable for half an hour, and its cursor lasts 24 hours from each reply that contains it', async () => {
  const sandbox = await testSandbox();
  const advance = (seconds: number) => sandbox.control.POST('/clock/advance', { body: { seconds } });
  await advance(1);
  let read = await reader(sandbox);
  const first = await read('?limit=10');
  const { next_cursor: cursor } = first.body as CataloguePage;
  await advance(1799);
  const last = await read('?limit=10');
  expect(tagOf(last)).toBe(tagOf(first));
  await advance(1);
  expect(tagOf(await read('?limit=10'))).not.toBe(tagOf(first));
  // Exactly 24 hours after the last reply with the cursor, to the second.
  await advance(24 * 3600 - 2);
  read = await reader(sandbox);
  const page = () => read(`?limit=5&cursor=${cursor}`);
  expect((await page()).status).toBe(200);
  await advance(1);
  expect(plain(await page())).toEqual(flat(400, 51, 'Invalid or expired cursor'));
});

it('OP-89: a fault still corrupts a listing, and removes its tag', async () => {
  const sandbox = await testSandbox();
  const read = await reader(sandbox);
  const tag = tagOf(await read());
  for (const headers of [{}, { 'if-none-match': tag }]) {
    ok(
      await sandbox.control.POST('/faults', {
        body: { target: 'listRewards', fault: 'malformed', times: 1 },
      }),
    );
    const response = await fetch(`${sandbox.urls.rewards}/v1/partner/rewards`, {
      headers: { authorization: await sandbox.companyToken(), ...headers },
    });
    const text = await response.text();
    expect([response.status, response.headers.has('etag')]).toEqual([200, false]);
    expect(() => JSON.parse(text)).toThrow();
  }
  ok(await sandbox.control.POST('/faults', { body: { target: 'listRewards', fault: 'drip', ms: 1, times: 1 } }));
  const dripped = await read();
  expect([dripped.body, tagOf(dripped)]).toEqual([(await read()).body, tag]);
});

it('OP-89: a fork, like every workspace, has its own pages', async () => {
  const sandbox = await testSandbox();
  const origin = await workspaceOf(sandbox, { seed: 'pages of its own' });
  const read = await reader(origin);
  await read();
  const { id } = ok(await origin.control.POST('/snapshots', { body: {} }));
  const fork = opened(ok(await origin.control.POST('/snapshots/{id}/fork', { params: { path: { id } } })));
  const readFork = await reader(fork);
  await change(fork, 'EGV-SPICE-100', { stock: 7 });
  const items = async (each: Read) => ((await each()).body as CataloguePage).items;
  expect((await items(readFork))[0]).toMatchObject({ qty: '7' });
  expect((await items(read))[0]).not.toMatchObject({ qty: '7' });
  // A cursor is invalid in any other workspace, even if both have the same page.
  const { next_cursor } = (await read()).body as CataloguePage;
  expect((await read(`?cursor=${next_cursor}`)).status).toBe(200);
  expect(plain(await readFork(`?cursor=${next_cursor}`))).toEqual(flat(400, 51, 'Invalid or expired cursor'));
});
