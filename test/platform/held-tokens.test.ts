/** Tests that a cached token is valid no longer than an uncached one (OP-19, OP-63). */
import { expect, it } from 'vitest';
import { type Clients, ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, workspaceOf } from '../harness/workspaces.ts';

/** Requests a listing often enough that the token is cached. Returns the status. */
async function statusOf({ urls }: Pick<Clients, 'urls'>, token: string, path = '/v1/partner/rewards') {
  const statuses = new Set<number>();
  for (let times = 0; times < 3; times += 1) {
    const { status } = await raw(`${urls.rewards}${path}`, { headers: { authorization: token } });
    statuses.add(status);
  }
  expect(statuses.size).toBe(1);
  return [...statuses][0];
}

const wallet = '/getwalletdetail?uid=CUST0001';

it("OP-04: a customer's token ends with its session: at its expiry, with a reset, and when an older snapshot is restored", async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const { id } = ok(await control.POST('/snapshots', { body: {} }));
  const session = async () => `Bearer ${(await signIn(sandbox, 'CUST0001')).customerToken}`;
  const ends: readonly (() => Promise<unknown>)[] = [
    () => control.POST('/clock/advance', { body: { seconds: 1800 } }),
    () => control.POST('/snapshots/{id}/restore', { params: { path: { id } } }),
    () => control.POST('/reset'),
  ];
  for (const end of ends) {
    const token = await session();
    expect(await statusOf(sandbox, token, wallet)).toBe(200);
    await end();
    expect(await statusOf(sandbox, token, wallet)).toBe(401);
  }
});

it('OP-04: a token is valid again when a snapshot with its session is restored', async () => {
  const sandbox = await testSandbox();
  const token = `Bearer ${(await signIn(sandbox, 'CUST0001')).customerToken}`;
  const { id } = ok(await sandbox.control.POST('/snapshots', { body: {} }));
  expect(await statusOf(sandbox, token, wallet)).toBe(200);
  await sandbox.control.POST('/clock/advance', { body: { seconds: 1800 } });
  expect(await statusOf(sandbox, token, wallet)).toBe(401);
  await sandbox.control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
  expect(await statusOf(sandbox, token, wallet)).toBe(200);
});

it('OP-63: tokens of a workspace are not valid in its fork, which has its own secrets, and end with the workspace', async () => {
  const sandbox = await testSandbox();
  const origin = await workspaceOf(sandbox, { settings: { rate_limit: 50 } });
  const token = await companyTokenOf(origin);
  expect(await statusOf(origin, token)).toBe(200);
  const { id } = ok(await origin.control.POST('/snapshots', { body: {} }));
  const fork = opened(ok(await origin.control.POST('/snapshots/{id}/fork', { params: { path: { id } } })));
  const forked = await companyTokenOf(fork);
  const remaining = async (authorization: string) => {
    const { headers } = await raw(`${sandbox.urls.rewards}/v1/partner/rewards`, { headers: { authorization } });
    return headers.get('ratelimit');
  };
  // Each call counts towards the quota of its token's workspace.
  expect([await remaining(token), await remaining(forked), await remaining(token)]).toEqual([
    expect.stringContaining('r=45'),
    expect.stringContaining('r=44'),
    expect.stringContaining('r=44'),
  ]);
  const named = { params: { path: { id: origin.details.id } } };
  expect((await sandbox.control.DELETE('/workspaces/{id}', named)).response.status).toBe(204);
  expect([await statusOf(sandbox, token), await statusOf(sandbox, forked)]).toEqual([401, 200]);
});
