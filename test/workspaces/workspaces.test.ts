/** Tests workspaces other than the demo workspace, identified by a call's credential (OP-63). */
import { describe, expect, it } from 'vitest';
import { limitsOf, OptionError } from '../../sandbox/options.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { flat, notFound, plain } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { logIn, ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

const unauthorized = flat(401, 40, 'Missing or invalid token');

it('OP-63: a creation answers like GET /workspace of the new workspace, with an id and an admin token of its own', async () => {
  const sandbox = await testSandbox();
  const demo = sandbox.workspace;
  const { details, control } = await workspaceOf(sandbox, { settings: { rate_limit: 7 } });
  const own = new URL('.', details.urls.rewards).href.slice(0, -1);
  expect(own.slice(sandbox.origin.length)).toMatch(/^\/w\/[0-9a-f]{32}$/);
  expect(details).toEqual({
    id: expect.stringMatching(/^ws_[0-9a-f]{16}$/),
    admin_token: expect.stringMatching(/^at_sandbox_[0-9a-f]{48}$/),
    urls: {
      ...demo.urls,
      ...Object.fromEntries(
        (['rewards', 'client', 'portal', 'microsite', 'general'] as const).map((api) => [api, `${own}/${api}`]),
      ),
    },
    credentials: {
      company_secret: expect.stringMatching(/^sk_sandbox_[0-9a-f]{32}$/),
      basic: { username: 'microsite', password: expect.stringMatching(/^pw_[0-9a-f]{24}$/) },
      service_token: expect.stringMatching(/^st_sandbox_[0-9a-f]{32}$/),
      general: { password: expect.stringMatching(/^pw_[0-9a-f]{24}$/) },
      gateway_token: expect.stringMatching(/^gt_sandbox_[0-9a-f]{32}$/),
    },
    project_code: demo.project_code,
    settings: {
      ...demo.settings,
      client_url: `${own}/client`,
      client_token: details.credentials.service_token,
      rate_limit: 7,
    },
  });
  expect(ok(await control.GET('/workspace'))).toEqual(details);
  expect(ok(await sandbox.control.GET('/workspace'))).toEqual(demo);
});

it('OP-63: without a body, the new workspace is like the demo workspace, and its clock runs', async () => {
  const sandbox = await testSandbox();
  const response = await fetch(`${sandbox.urls.sandbox}/workspaces`, { method: 'POST' });
  const { control } = opened((await response.json()) as typeof sandbox.workspace);
  expect(ok(await control.GET('/clock')).mode).toBe('running');
  expect(ok(await control.GET('/customers'))).toEqual(ok(await sandbox.control.GET('/customers')));
  expect(ok(await control.GET('/catalogue'))).toEqual(ok(await sandbox.control.GET('/catalogue')));
});

it('OP-63: invalid settings are refused as in a change, and nothing is created', async () => {
  const { urls } = await testSandbox();
  const make = (settings: object) =>
    raw(`${urls.sandbox}/workspaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ settings }),
    });
  expect(plain(await make({ allowlist: ['here'] }))).toEqual(
    flat(
      400,
      53,
      'Invalid request: /settings/allowlist/0 must match ^[0-9A-Fa-f:.]+/[0-9]{1,3}$ (an address range such as 10.0.0.0/8 or 2001:db8::/32)',
    ),
  );
  expect(plain(await make({ client_url: 'http://10.0.0.1' }))).toMatchObject({ status: 400 });
  expect(plain(await make({ rate_limit: 'many' }))).toMatchObject({ status: 400, body: { code: 53 } });
});

it('OP-63: each workspace has its own orders, ledger, outbox, clock, catalogue, faults and activity', async () => {
  const sandbox = await testSandbox();
  const [one, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
  const before = await allOf(other.control);
  const demo = await allOf(sandbox.control);
  await signIn(one, 'CUST0001');
  const order = await orderIn(one);
  ok(await one.control.POST('/faults', { body: { target: 'listRewards', fault: 'status', status: 503, times: 9 } }));
  const path = { sku_code: 'EGV-SPICE-500' };
  ok(await one.control.PATCH('/catalogue/{sku_code}', { params: { path }, body: { status: 0 } }));
  ok(await one.control.PATCH('/workspace', { body: { settings: { rate_limit: 50 } } }));
  ok(await one.control.POST('/clock/advance', { body: { seconds: 86_400 } }));
  expect(order.status).toBe('Pending');
  expect(await allOf(one.control)).not.toEqual(before);
  expect(await allOf(other.control)).toEqual(before);
  expect(await allOf(sandbox.control)).toEqual(demo);
  expect(ok(await one.control.GET('/reconciliation')).items).toEqual([]);
});

it('OP-63: its token, company secret, password or Basic credentials identify the workspace of a call', async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox);
  const uid = 'ONLY-HERE';
  ok(await own.control.POST('/customers', { body: { uid, points: { balance: 900 } } }));
  const { customerToken } = await signIn(own, uid);
  const accessToken = await logIn(own, uid);
  ok(await own.general(accessToken).GET('/v1/users/profile'));
  const placed = await own.rewards(customerToken).POST('/v1/partner/redeemptiononskus', {
    body: { uid, line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] },
  });
  expect(ok(placed).status).toBe('Pending');
  ok(await own.control.POST('/clock/advance', { body: { seconds: 60 } }));
  const wallet = own.rewards(await companyTokenOf(own)).GET('/getwalletdetail', { params: { query: { uid } } });
  expect(ok(await wallet).data).toHaveLength(1);
  expect(ok(await own.client().POST('/getProfileAndPoints', { params: { query: { uid } } })).points.balance).toBe(400);
});

it("OP-30: each key has a quota of its own: using up one workspace's does not reduce another's", async () => {
  const sandbox = await testSandbox();
  const wish = { settings: { rate_limit: 3 } };
  const [used, other] = [await workspaceOf(sandbox, wish), await workspaceOf(sandbox, wish)];
  const page = async (workspace: typeof used, token: string) =>
    (await workspace.rewards(token).GET('/v1/partner/rewards')).response;
  const token = await companyTokenOf(used);
  const replies = [await page(used, token), await page(used, token), await page(used, token)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await page(other, await companyTokenOf(other))).headers.get('ratelimit')).toBe('"hour";r=1;t=3600');
  const demo = await sandbox.rewards(await companyTokenOf(sandbox)).GET('/v1/partner/rewards');
  expect(demo.response.headers.get('ratelimit')).toBe('"hour";r=998;t=3600');
});

describe('OP-63: DELETE', () => {
  it('removes a workspace: its credentials are refused, and others stay', async () => {
    const sandbox = await testSandbox();
    const [gone, stays] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    const token = await companyTokenOf(gone);
    const params = { path: { id: gone.details.id } };
    expect((await gone.control.DELETE('/workspaces/{id}', { params })).response.status).toBe(204);
    expect((await gone.control.GET('/workspace')).error).toEqual(unauthorized.body);
    expect((await gone.rewards(token).GET('/v1/partner/rewards')).error).toEqual(
      notFound('The workspace of this URL').body,
    );
    expect((await sandbox.rewards(token).GET('/v1/partner/rewards')).error).toEqual(unauthorized.body);
    const secret = gone.credentials.company_secret;
    expect((await sandbox.rewards().POST('/v1/company/auth', { body: { secret } })).error).toEqual(
      flat(401, 40, 'Invalid company secret').body,
    );
    expect(ok(await stays.control.GET('/workspace'))).toEqual(stays.details);
  });

  it("answers another workspace's id, or the demo workspace's, like an unknown one", async () => {
    const sandbox = await testSandbox();
    const [own, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
    for (const id of [other.details.id, 'demo', 'ws_0000000000000000']) {
      const { error, response } = await own.control.DELETE('/workspaces/{id}', { params: { path: { id } } });
      expect({ status: response.status, body: error }, id).toEqual(notFound(`Workspace ${id}`));
    }
  });

  it('ends the streams and waiting calls of the workspace', async () => {
    const sandbox = await testSandbox();
    const own = await workspaceOf(sandbox);
    const headers = { authorization: `Bearer ${own.details.admin_token}` };
    const stream = await fetch(`${sandbox.urls.sandbox}/activity/stream`, { headers });
    const waiting = raw(`${sandbox.urls.sandbox}/messages?wait=60`, { headers });
    ok(await own.control.GET('/clock'));
    await own.control.DELETE('/workspaces/{id}', { params: { path: { id: own.details.id } } });
    expect(await stream.text()).toBe(': open\n\n');
    expect((await waiting).body).toEqual({ items: [], next: null });
  });
});

it('OP-63: a start can allow another number of workspaces, from 1 to 2,000, instead of 100, and deleting one makes room', async () => {
  expect(limitsOf({}).most).toBe(100);
  const sandbox = await testSandbox({ workspaces: 2 });
  const one = () => sandbox.control.POST('/workspaces', { body: {} });
  const made = ok(await one());
  expect((await one()).error).toEqual(flat(409, 67, 'No more than 2 workspaces: delete one first').body);
  await sandbox.control.DELETE('/workspaces/{id}', { params: { path: { id: made.id } } });
  expect((await one()).response.status).toBe(201);
  await testSandbox({ workspaces: 2_000 });
  for (const workspaces of [0, 1.5, 2_001]) {
    const refused = new OptionError(`The number of workspaces must be 1 to 2000, not ${workspaces}.`);
    await expect(startSandbox({ port: 0, workspaces })).rejects.toThrow(refused);
  }
});

it('OP-63: workspaces survive a restart, each with its clock; a deleted one does not come back', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  const [active, deleted] = [await workspaceOf(first), await workspaceOf(first)];
  const order = await orderIn(active);
  ok(await active.control.POST('/clock/advance', { body: { seconds: 3600 } }));
  await deleted.control.DELETE('/workspaces/{id}', { params: { path: { id: deleted.details.id } } });
  await first.close();
  const second = await testSandbox({ dataDir });
  const again = opened({ ...active.details, urls: second.urls });
  expect(ok(await again.control.GET('/clock')).now).toBe('2026-01-12T05:30:00.000Z');
  const [line] = order.lines;
  const path = { redeemCode: line?.redeemCode ?? '' };
  expect(ok(await again.control.GET('/redemptions/{redeemCode}', { params: { path } })).platform?.state).toBe(
    'Delivered',
  );
  expect((await opened({ ...deleted.details, urls: second.urls }).control.GET('/workspace')).error).toEqual(
    unauthorized.body,
  );
  expect(ok(await second.control.GET('/workspace')).id).toBe('demo');
});

/** Returns everything that the control API shows about a workspace. */
async function allOf(control: ReturnType<typeof opened>['control']) {
  const paths = ['/workspace', '/customers', '/catalogue', '/faults', '/messages', '/activity', '/deliveries'] as const;
  const lists = await Promise.all([...paths, '/clock' as const].map(async (path) => ok(await control.GET(path))));
  const uid = 'CUST0001';
  return [...lists, ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }))];
}

it('OP-63: the token, the session or the address identifies the workspace of portal and microsite', async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox);
  const uid = 'ONLY-HERE';
  const profile = { name: 'Only Here Known' };
  ok(await own.control.POST('/customers', { body: { uid, profile, points: { balance: 777 } } }));
  const { jwt } = await signIn(own, uid);
  const rewards = await fetch(`${own.urls.portal}/signin?token=${jwt}&uid=${uid}`);
  expect(rewards.status).toBe(200);
  expect(await rewards.text()).toContain('Only Here Known');
  const body = new URLSearchParams({ customer_id: uid });
  const first = await (await fetch(own.urls.microsite)).text();
  const action = /action="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await fetch(new URL(action, sandbox.origin), { method: 'POST', body })).status).toBe(200);
  expect(ok(await own.control.GET('/messages', { params: { query: { uid } } })).items).toHaveLength(2);
  // The demo workspace has no such customer.
  expect((await fetch(`${sandbox.origin}/microsite/codes`, { method: 'POST', body })).status).toBe(422);
});
