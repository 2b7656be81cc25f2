/** Tests how catalogue listings use the quota, and how the log records them. */
import { describe, expect, it } from 'vitest';
import { logIn, ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

type Read = (query?: string) => ReturnType<typeof raw>;

/** The listings that use the quota, each with a reader for its API. */
const listings: readonly [operation: string, (sandbox: TestSandbox) => Promise<Read>][] = [
  [
    'listRewards',
    async (sandbox) => reading(`${sandbox.urls.rewards}/v1/partner/rewards`, await sandbox.companyToken()),
  ],
  ['listCatalog', async (sandbox) => reading(`${sandbox.urls.rewards}/api/v1/catalog`, await sandbox.companyToken())],
  [
    'listProducts',
    async (sandbox) => reading(`${sandbox.urls.general}/v1/products`, `Bearer ${await logIn(sandbox, 'CUST0001')}`),
  ],
];

function reading(url: string, authorization: string): Read {
  return (query = '') => raw(`${url}${query}`, { headers: { authorization } });
}

const limitTo = ({ control }: TestSandbox, rate_limit: number) =>
  control.PATCH('/workspace', { body: { settings: { rate_limit } } }).then(ok);

/** Returns the status of each logged call to an operation. */
async function statusesOf({ control }: TestSandbox, operation: string) {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 200 } } }));
  return items.flatMap((entry) => ('operation' in entry && entry.operation === operation ? [entry.status] : []));
}

describe.each(listings)('OP-30: %s', (operation, openReader) => {
  it('accepts exactly as many concurrent calls as the quota allows, and logs each with its status', async () => {
    const sandbox = await testSandbox();
    const read = await openReader(sandbox);
    const used = 1000 - Number(/r=(\d+)/.exec((await read()).headers.get('ratelimit') ?? '')?.[1]);
    await limitTo(sandbox, used + 4);
    const answers = await Promise.all(Array.from({ length: 12 }, () => read()));
    const accepted = answers.filter(({ status }) => status === 200);
    const remaining = accepted.map(({ headers }) => headers.get('ratelimit')?.slice(0, 10));
    expect(remaining.sort()).toEqual(['"hour";r=0', '"hour";r=1', '"hour";r=2', '"hour";r=3']);
    for (const { status, headers } of answers.filter((answer) => !accepted.includes(answer))) {
      expect([status, headers.get('etag'), headers.get('retry-after')]).toEqual([429, null, '3600']);
    }
    expect((await statusesOf(sandbox, operation)).sort()).toEqual([...Array(5).fill(200), ...Array(8).fill(429)]);
  });

  it('reports an exhausted quota before any other error', async () => {
    const sandbox = await testSandbox();
    const read = await openReader(sandbox);
    expect((await read('?limit=0')).status).toBe(400);
    await limitTo(sandbox, 1);
    expect((await read('?limit=0')).status).toBe(429);
  });
});
