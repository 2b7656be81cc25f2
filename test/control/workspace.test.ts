/** Tests the workspace, its settings and its reset to the seed, over the control API. */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { stateOf } from '../harness/state.ts';
import { orderIn, workspaceOf } from '../harness/workspaces.ts';

it('health reports that the sandbox accepts calls, and its version', async () => {
  const { control } = await testSandbox();
  expect(ok(await control.GET('/health'))).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

it('the workspace shows addresses, credentials and the default settings of the register', async () => {
  const { control, origin, credentials } = await testSandbox();
  expect(ok(await control.GET('/workspace'))).toEqual({
    id: 'demo',
    admin_token: expect.stringMatching(/^at_sandbox_[0-9a-f]{48}$/),
    urls: {
      rewards: `${origin}/rewards`,
      client: `${origin}/client`,
      portal: `${origin}/portal`,
      microsite: `${origin}/microsite`,
      dashboard: `${origin}/dashboard`,
      general: `${origin}/general`,
      sandbox: `${origin}/sandbox/v1`,
      gateway: `${origin}/gateway`,
    },
    credentials: {
      company_secret: expect.stringMatching(/^sk_sandbox_[0-9a-f]{32}$/),
      basic: { username: 'microsite', password: expect.stringMatching(/^pw_[0-9a-f]{24}$/) },
      service_token: expect.stringMatching(/^st_sandbox_[0-9a-f]{32}$/),
      general: { password: expect.stringMatching(/^pw_[0-9a-f]{24}$/) },
      gateway_token: expect.stringMatching(/^gt_sandbox_[0-9a-f]{32}$/),
    },
    project_code: 'DEMO01',
    settings: {
      points_per_100_inr: 1,
      point_value_inr: '1',
      processing_fee_egv: 0,
      processing_fee_physical: 49,
      tds_percent: 0,
      pending_timeout: 86_400,
      on_timeout: 'wait',
      rate_limit: 1000,
      allowlist: [],
      frame_ancestors: ['http://localhost:*', 'http://127.0.0.1:*', 'https://localhost:*', 'https://127.0.0.1:*'],
      company_token_lifetime: 3600,
      session_lifetime: 1800,
      limit_above_maximum: 'refuse',
      cursor_lifetime: 86_400,
      otp_lifetime: 300,
      otp_tries: 5,
      retry_delays: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
      wallet_order: 'oldest_first',
      earned_rounding: 'down',
      price_rounding: 'up',
      voucher_validity: 365,
      client_url: `${origin}/client`,
      client_token: credentials.service_token,
    },
  });
});

it('credentials depend on the seed: the same seed gives the same ones, another seed gives others', async () => {
  const [one, same, other] = [await testSandbox(), await testSandbox(), await testSandbox({ seed: 'other' })];
  expect(same.credentials).toEqual(one.credentials);
  expect(other.credentials.company_secret).not.toBe(one.credentials.company_secret);
  expect(other.credentials.service_token).not.toBe(one.credentials.service_token);
  expect(other.credentials.basic.password).not.toBe(one.credentials.basic.password);
  expect(other.credentials.general.password).not.toBe(one.credentials.general.password);
});

it('a change of settings affects only the settings that are sent; null restores the reference client', async () => {
  const { control } = await testSandbox();
  const { settings } = ok(await control.GET('/workspace'));
  const change = async (
    change: Partial<{ client_url: string | null; client_token: string | null; tds_percent: number }>,
  ) => ok(await control.PATCH('/workspace', { body: { settings: change } })).settings;
  const own = { client_url: 'https://client.example/api', client_token: 'mine' };
  expect(await change({ tds_percent: 10 })).toEqual({ ...settings, tds_percent: 10 });
  expect(await change(own)).toEqual({ ...settings, ...own, tds_percent: 10 });
  expect(await change({})).toEqual({ ...settings, ...own, tds_percent: 10 });
  expect(await change({ client_url: null, client_token: null })).toEqual({ ...settings, tds_percent: 10 });
  // The reference client accepts only its own token.
  await change(own);
  expect(await change({ client_url: null })).toEqual({ ...settings, tds_percent: 10 });
  expect(await change({ client_url: null, client_token: 'mine' })).toMatchObject({ client_token: 'mine' });
  await change({ client_token: null });
  expect(ok(await control.GET('/workspace')).settings).toEqual({ ...settings, tds_percent: 10 });
});

it('a reset restores the seed: customers, catalogue, ledger, outbox, settings, clock and activity', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const before = await stateOf(sandbox);
  const clock = ok(await control.GET('/clock'));

  await signIn(sandbox, 'CUST0001');
  ok(await order(sandbox));
  await advance(sandbox, 90_000);
  ok(await control.PATCH('/workspace', { body: { settings: { tds_percent: 10 } } }));
  ok(await control.POST('/customers', { body: { uid: 'CUST9001' } }));
  ok(await control.POST('/catalogue', { body: { sku_code: 'EGV-NEW', product_type: 'EGV' } }));
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ok(await rewards.POST('/v1/partner/webhooks', { body: { url: 'https://client.invalid/' } }));
  expect(await stateOf(sandbox)).not.toEqual(before);

  expect(ok(await control.POST('/reset'))).toEqual(before.workspace);
  expect(await stateOf(sandbox)).toEqual(before);
  expect(ok(await control.GET('/clock'))).toEqual(clock);
  expect(ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/webhooks'))).toEqual({ items: [] });
  expect(await advance(sandbox, 365 * 86_400)).toBe(0);
});

it('a session that was opened before a reset is invalid', async () => {
  const sandbox = await testSandbox();
  const { customerToken } = await signIn(sandbox, 'CUST0001');
  ok(await sandbox.control.POST('/reset'));
  const query = { params: { query: { uid: 'CUST0001' } } };
  const wallet = await sandbox.rewards(customerToken).GET('/getwalletdetail', query);
  expect(refusal(wallet)).toEqual(flat(401, 40, 'Missing or invalid token'));
});

it('OP-137: no cache may store a reply that shows secrets', async () => {
  const sandbox = await testSandbox();
  const { id } = ok(await sandbox.control.POST('/snapshots', { body: { name: 'before' } }));
  const shown = [
    await sandbox.control.POST('/snapshots/{id}/fork', { params: { path: { id } } }),
    await sandbox.control.GET('/workspace'),
    await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 999 } } }),
    await sandbox.control.POST('/workspaces', { body: { name: 'other' } }),
    await sandbox.control.POST('/reset'),
  ];
  expect(shown.map(({ response }) => [response.ok, response.headers.get('cache-control')])).toEqual(
    shown.map(() => [true, 'no-store']),
  );
});

it("OP-78: the address of a workspace's own reference client can be set, with and without the key; another workspace's cannot", async () => {
  const sandbox = await testSandbox();
  const [own, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
  const set = (client_url: string) => own.control.PATCH('/workspace', { body: { settings: { client_url } } });
  for (const client_url of [own.urls.client, sandbox.urls.client]) {
    expect(ok(await set(client_url)).settings.client_url).toBe(own.urls.client);
    await orderIn(own);
  }
  const problem = 'must not be the sandbox itself, except for the URL of its reference client';
  const refused = flat(400, 53, `Invalid request: /settings/client_url ${problem}`);
  expect(refusal(await set(other.urls.client))).toEqual(refused);
});
