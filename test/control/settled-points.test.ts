/** Tests how settled open points change HTTP behaviour and findings (OP-251, OP-264). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import type { components } from '../../generated/sandbox/types.ts';
import { downForReports } from '../harness/client-stub.ts';
import { inProcess } from '../harness/command.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, order, pay, redeem } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';
import { workspaceOf } from '../harness/workspaces.ts';

type Value = components['schemas']['SettingsChange'];

const settled = (value: Value) => ({ answer: 'settled', by: 'Jane Doe', date: '2026-11-28', value }) as const;

const settle = ({ control }: Pick<TestSandbox, 'control'>, point: string, value: Value) =>
  control.PUT('/open-points/answers', { body: { answers: { [point]: settled(value) } } });

/** Returns the result of `look` before and after the point is settled. */
async function around<T>(sandbox: TestSandbox, point: string, value: Value, look: () => Promise<T>) {
  const before = await look();
  ok(await settle(sandbox, point, value));
  return [before, await look()];
}

const list = async (sandbox: TestSandbox, limit: number, cursor?: string) =>
  sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards', {
    params: { query: { limit, ...(cursor !== undefined && { cursor }) } },
  });

const requestCode = async ({ auth }: TestSandbox) =>
  ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }));

it('OP-02: the lifetime of a company token', async () => {
  const sandbox = await testSandbox();
  const { rewards, credentials } = sandbox;
  const look = async () => {
    const { token, expires_in } = ok(
      await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } }),
    );
    const { exp = 0, iat = 0 } = decodeJwt(token);
    return [expires_in, exp - iat];
  };
  expect(await around(sandbox, 'OP-02', { company_token_lifetime: 900 }, look)).toEqual([
    [3600, 3600],
    [900, 900],
  ]);
});

it('OP-04: the lifetime of a customer session', async () => {
  const sandbox = await testSandbox();
  ok(await settle(sandbox, 'OP-04', { session_lifetime: 60 }));
  const { customerToken } = await signIn(sandbox, 'CUST0001');
  const wallet = () =>
    sandbox.rewards(customerToken).GET('/getwalletdetail', { params: { query: { uid: 'CUST0001' } } });
  await advance(sandbox, 59);
  ok(await wallet());
  await advance(sandbox, 1);
  expect(refusal(await wallet())).toEqual(flat(401, 40, 'Missing or invalid token'));
});

it('OP-11: a limit above the maximum is refused or clamped, and clamped it is no error', async () => {
  const sandbox = await testSandbox();
  const look = async () => (await list(sandbox, 500)).response.status;
  expect(await around(sandbox, 'OP-11', { limit_above_maximum: 'clamp' }, look)).toEqual([400, 200]);
  const [clamped, most] = [ok(await list(sandbox, 500)), ok(await list(sandbox, 200))];
  expect(clamped).toEqual(most);
  expect(refusal(await list(sandbox, 0))).toEqual(flat(400, 52, 'Invalid limit'));
  const ofLimit = async () =>
    ok(await sandbox.control.GET('/findings'))
      .items.filter(({ code }) => code === 'request.query.maximum')
      .map(({ severity, answer }) => [severity, answer?.answer]);
  expect(new Set((await ofLimit()).map(String))).toEqual(new Set(['notice,settled']));
  ok(await settle(sandbox, 'OP-11', { limit_above_maximum: 'refuse' }));
  expect(new Set((await ofLimit()).map(String))).toEqual(new Set(['error,']));
});

it('OP-12: the lifetime of a cursor', async () => {
  const sandbox = await testSandbox();
  const after = async (seconds: number) => {
    const { next_cursor } = ok(await list(sandbox, 10));
    await advance(sandbox, seconds);
    return (await list(sandbox, 10, next_cursor ?? '')).response.status;
  };
  expect(await around(sandbox, 'OP-12', { cursor_lifetime: 600 }, () => after(3600))).toEqual([200, 400]);
});

it('OP-18: validity and attempts of a one-time password', async () => {
  const sandbox = await testSandbox();
  const look = async () => {
    const { expires_in, reference_id } = await requestCode(sandbox);
    const { items } = ok(await sandbox.control.GET('/messages'));
    const { otp = '', text } = items[0] ?? {};
    const verify = (code: string) =>
      sandbox.auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: 'CUST0001', otp: code, reference_id } });
    const wrong = otp === '000000' ? '000001' : '000000';
    await verify(wrong);
    await verify(wrong);
    return [expires_in, text?.replace(otp, ''), (await verify(otp)).response.status];
  };
  const text = ' is your one-time password. It is valid for';
  expect(await around(sandbox, 'OP-18', { otp_lifetime: 90, otp_tries: 2 }, look)).toEqual([
    [300, `${text} 5 minutes.`, 200],
    [90, `${text} 90 seconds.`, 422],
  ]);
});

it('OP-24: the retries of a report, after which it is parked', async () => {
  const sandbox = await testSandbox();
  ok(await settle(sandbox, 'OP-24', { retry_delays: [60] }));
  const { calls } = await downForReports(sandbox);
  const redeemCode = await redeem(sandbox);
  const reports = () =>
    calls.filter(({ operation, body }) => operation === 'updateRedeemStatus' && body.redeemCode === redeemCode);
  await advance(sandbox, 30);
  expect(reports()).toHaveLength(1);
  await advance(sandbox, 60);
  expect(reports()).toHaveLength(2);
  await advance(sandbox, 86_400);
  expect(reports()).toHaveLength(2);
  expect(ok(await sandbox.control.GET('/deliveries')).items.map(({ status, tries }) => [status, tries])).toEqual([
    ['parked', 2],
  ]);
});

it('OP-27: the order of a wallet, and the rule about it', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox, { line_items: [{ sku: 'EGV-CHAI-250', quantity: 1 }] }));
  await advance(sandbox, 60);
  ok(await order(sandbox));
  await advance(sandbox, 60);
  const look = async () => (await walletOf(sandbox)).map(({ productCode }) => productCode);
  expect(await around(sandbox, 'OP-27', { wallet_order: 'newest_first' }, look)).toEqual([
    ['EGV-CHAI-250', 'EGV-SPICE-500'],
    ['EGV-SPICE-500', 'EGV-CHAI-250'],
  ]);
  // The sandbox does not validate its own replies, but `check` does.
  const file = join(await temporaryFolder(), 'activity.json');
  await writeFile(
    file,
    JSON.stringify(ok(await sandbox.control.GET('/activity', { params: { query: { limit: 10_000 } } }))),
  );
  const checked = async (value: Value) => {
    const answers = join(await temporaryFolder(), 'answers.yaml');
    await writeFile(answers, JSON.stringify({ answers: { 'OP-27': settled(value) } }));
    const { code, stdout } = await inProcess(['check', file, '--answers', answers]).ended;
    return [code, /(\w+) reply\.rule\.vouchers-oldest-first/.exec(stdout)?.[1]];
  };
  expect(await checked({ wallet_order: 'newest_first' })).toEqual([0, 'notice']);
  expect(await checked({ wallet_order: 'oldest_first' })).toEqual([1, 'error']);
});

it('OP-46: which whole number a fraction of a point counts as', async () => {
  const sandbox = await testSandbox();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { point_value_inr: '3' } } }));
  let paid = 0;
  const look = async () => {
    paid += 1;
    const { points } = ok(await pay(sandbox, { transactionId: `TXN-${paid}`, paymentAmount: '150' }));
    const placed = ok(await order(sandbox));
    return [points, placed.points.redeemPoints];
  };
  // The payment earns 1.5 points. The item costs 500 INR at 3 INR per point.
  const rounding = { earned_rounding: 'nearest', price_rounding: 'down' } as const;
  expect(await around(sandbox, 'OP-46', rounding, look)).toEqual([
    [1, 167],
    [2, 166],
  ]);
});

it('OP-47: the validity of a voucher', async () => {
  const sandbox = await testSandbox();
  const look = async () => {
    ok(await order(sandbox));
    await advance(sandbox, 2);
    return (await walletOf(sandbox)).at(-1)?.validityEndDate;
  };
  expect(await around(sandbox, 'OP-47', { voucher_validity: 90 }, look)).toEqual([
    '2027-01-12 10:00:02',
    '2026-04-12 10:00:04',
  ]);
});

it('OP-264: each point lists its settings, and an answer counts in its own workspace only', async () => {
  const sandbox = await testSandbox();
  const other = await workspaceOf(sandbox);
  const { items } = ok(await sandbox.control.GET('/open-points'));
  const settable = items.filter(({ settings }) => settings.length > 0);
  expect(settable.map(({ id }) => id).join(' ')).toBe(
    'OP-02 OP-04 OP-09 OP-11 OP-12 OP-18 OP-22 OP-24 OP-27 OP-30 OP-31 OP-46 OP-47 OP-95',
  );
  expect(settable.find(({ id }) => id === 'OP-18')?.settings).toEqual(['otp_lifetime', 'otp_tries']);
  ok(await settle(sandbox, 'OP-47', { voucher_validity: 90 }));
  const validity = async ({ control }: Pick<TestSandbox, 'control'>) =>
    ok(await control.GET('/workspace')).settings.voucher_validity;
  expect([await validity(sandbox), await validity(other)]).toEqual([90, 365]);
});

it.each([
  ['OP-02', { company_token_lifetime: 0 }, 'company_token_lifetime must be at least 1'],
  ['OP-11', { limit_above_maximum: 'ignore' }, 'limit_above_maximum must be one of "refuse", "clamp"'],
  ['OP-18', { otp_tries: 11 }, 'otp_tries must be at most 10'],
  ['OP-24', { retry_delays: [5, 'soon'] }, 'retry_delays/1 must be an integer'],
  ['OP-27', { wallet_order: 'random' }, 'wallet_order must be one of "oldest_first", "newest_first"'],
  ['OP-46', { earned_rounding: 'even' }, 'earned_rounding must be one of "down", "up", "nearest"'],
])('OP-264: a wrong value of %s is refused, and nothing changes', async (point, value, problem) => {
  const sandbox = await testSandbox();
  const settings = async () => ok(await sandbox.control.GET('/workspace')).settings;
  const before = await settings();
  const { response, error } = await settle(sandbox, point, value as Value);
  expect([response.status, error?.message]).toEqual([
    400,
    expect.stringContaining(`/answers/${point}/value/${problem}`),
  ]);
  expect(await settings()).toEqual(before);
});

it('OP-250: a sign-in at the client does not rely on what the platform waits for', async () => {
  const sandbox = await testSandbox();
  await requestCode(sandbox);
  const { items } = ok(await sandbox.control.GET('/open-points', { params: { query: { relied_on: 'yes' } } }));
  expect(items.map(({ id }) => id)).toEqual(['OP-18']);
});
