/** Tests the requirements on calls to the platform, which are checked in the sandbox's log, and on webhook verification. */
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { Input, Report } from '../../sandbox/certification/verdict.ts';
import { serve } from '../harness/http-server.ts';
import { advance, order, pay } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { certifyServer, partner } from './judged.ts';

async function verdictOf(input: Partial<Input>, only: string): Promise<Report['verdicts'][number] | undefined> {
  const report = await certifyServer(await partner(), { ...input, only: [only], customers: ['CUST0001'] });
  return report.verdicts.find(({ id }) => id === only);
}

/** Returns the input to judge by a sandbox's log. */
function inputOf({ origin, workspace }: TestSandbox) {
  return { sandbox: { url: origin, admin_token: workspace.admin_token }, customers: ['CUST0001'] };
}

/** Returns the verdict on one requirement, based on a sandbox's log. */
function byLog(sandbox: TestSandbox, only: string) {
  return verdictOf(inputOf(sandbox), only);
}

/** Signs in as the company, the way a partner does. */
async function signedIn({ rewards, credentials }: TestSandbox) {
  const { token } = ok(await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } }));
  return rewards(token);
}

/** Reads the given number of catalogue pages. */
async function read(rewards: Awaited<ReturnType<typeof signedIn>>, pages: number): Promise<void> {
  let cursor: string | null | undefined;
  for (let page = 0; page < pages && cursor !== null; page += 1) {
    const query = { limit: 50, ...(cursor !== undefined && { cursor }) };
    cursor = ok(await rewards.GET('/v1/partner/rewards', { params: { query } })).next_cursor;
  }
}

type Drive = (sandbox: TestSandbox) => Promise<unknown>;

/** Reads the catalogue once in each session, for a number of sessions. `seconds` pass after each. */
function readOften(sessions: number, seconds: number): Drive {
  return async (sandbox) => {
    for (let reading = 0; reading < sessions; reading += 1) {
      await read(await signedIn(sandbox), 1);
      await advance(sandbox, seconds);
    }
  };
}

/** Sends two payments with the same id. The second has these changes. */
function payTwice(changes: Parameters<typeof pay>[1]): Drive {
  return async (sandbox) => {
    await pay(sandbox);
    await pay(sandbox, changes);
  };
}

const readPages =
  (pages: number): Drive =>
  async (sandbox) =>
    read(await signedIn(sandbox), pages);

async function callBeforeSignIn(sandbox: TestSandbox): Promise<void> {
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  await signedIn(sandbox);
}

async function signInWithoutSecret({ urls }: TestSandbox): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${urls.rewards}/v1/company/auth`, { method: 'POST', headers, body: '{}' });
}

const rows: readonly [string, string, Drive, 'pass' | 'fail' | 'not_applicable'][] = [
  ['CAL-01', 'signed in first', readPages(1), 'pass'],
  ['CAL-01', 'called before it had signed in', callBeforeSignIn, 'fail'],
  ['CAL-01', 'never called', async () => {}, 'not_applicable'],
  ['CAL-02', 'read all pages', readPages(99), 'pass'],
  ['CAL-02', 'read the first page only', readPages(1), 'fail'],
  ['CAL-02', 'read no catalogue', signedIn, 'not_applicable'],
  ['CAL-03', 'read it once', readPages(99), 'pass'],
  ['CAL-03', 'read it every day', readOften(5, 24 * 3600), 'pass'],
  ['CAL-03', 'read it four times in a day', readOften(4, 0), 'fail'],
  ['CAL-04', 'met no 429', signedIn, 'not_applicable'],
  ['CAL-04', 'waited after a 429', (sandbox) => overQuota(sandbox, 3600), 'pass'],
  ['CAL-04', 'went on after a 429', (sandbox) => overQuota(sandbox, 5), 'fail'],
  ['CAL-05', 'had nothing delivered', signedIn, 'not_applicable'],
  ['CAL-05', 'read the wallet after a delivery', (sandbox) => deliverVoucher(sandbox, true), 'pass'],
  ['CAL-06', 'sent no payment', signedIn, 'not_applicable'],
  ['CAL-06', 'sent a payment, and repeated it', payTwice({}), 'pass'],
  ['CAL-06', 'sent two payments under one id', payTwice({ paymentAmount: '2000' }), 'fail'],
  ['CAL-07', 'called as the contract says', readPages(1), 'pass'],
  ['CAL-07', 'signed in without its secret', signInWithoutSecret, 'fail'],
];

/** Uses up the quota, receives a 429, and calls again after the given number of seconds of sandbox time. */
async function overQuota(sandbox: TestSandbox, seconds: number): Promise<void> {
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 2 } } }));
  const rewards = await signedIn(sandbox);
  for (let call = 0; call < 3; call += 1) await rewards.GET('/v1/partner/rewards');
  await advance(sandbox, seconds);
  await (seconds < 3600 ? rewards : await signedIn(sandbox)).GET('/v1/partner/rewards');
}

/** Delivers a voucher, and optionally reads the customer's wallet. */
async function deliverVoucher(sandbox: TestSandbox, wallet: boolean): Promise<void> {
  ok(await order(sandbox));
  await advance(sandbox, 2);
  const query = { uid: 'CUST0001' };
  if (wallet) ok(await (await signedIn(sandbox)).GET('/getwalletdetail', { params: { query } }));
}

it.each(rows)('%s: a server that %s', async (id, _, drive, expected) => {
  const sandbox = await testSandbox();
  await drive(sandbox);
  expect((await byLog(sandbox, id))?.verdict).toBe(expected);
});

it('CAL-01, CAL-07: calls before the server was connected do not count', async () => {
  const sandbox = await testSandbox();
  await sandbox.rewards('nobody').GET('/v1/partner/rewards');
  const company = await signedIn(sandbox);
  await company.GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
  const judge = async () => [await byLog(sandbox, 'CAL-01'), await byLog(sandbox, 'CAL-07')];
  expect(await judge()).toMatchObject([{ verdict: 'fail' }, { verdict: 'fail' }]);
  const { url: client_url } = await partner();
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  const none = {
    verdict: 'not_applicable',
    reason: 'The log contains no calls from the server to the platform since the server was connected.',
  };
  expect(await judge()).toMatchObject([none, none]);
  await read(await signedIn(sandbox), 1);
  expect(await judge()).toMatchObject([{ verdict: 'pass' }, { verdict: 'pass' }]);
});

it('CAL-05: the failure names the delivery without a follow-up, and the missing call to the platform', async () => {
  const sandbox = await testSandbox();
  await deliverVoucher(sandbox, false);
  const report = await certifyServer(await partner(), { ...inputOf(sandbox), only: ['CAL-05'] });
  expect(report.failures).toMatchObject([
    {
      message: expect.stringMatching(
        /^The wallet was not read after a voucher delivery: log entry (\d+) delivered RDM-\S+ to CUST0001 at \S+, and no getWalletDetail call for CUST0001 follows\.$/,
      ),
      pointer: expect.stringMatching(/^\/activity\/\d+$/),
      contract: { file: 'openapi/rewards.yaml' },
      actual: 'no such call',
    },
  ]);
});

it('requirements are not selected, rather than failed, if the sandbox cannot be read', async () => {
  const { origin } = await testSandbox({ adminToken: 'at_of_the_sandbox' });
  const verdict = await verdictOf({ sandbox: { url: origin, admin_token: 'at_of_another' } }, 'CAL-01');
  expect(verdict).toMatchObject({
    verdict: 'not_selected',
    reason: 'The sandbox returned 401. Check the admin token.',
  });
});

/** Starts a webhook receiver that performs the full verification or skips a part. */
async function hook(
  omitted?: 'everything' | 'signature' | 'age' | 'and refuses everything',
  by = { value: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
): Promise<NonNullable<Input['webhook']>> {
  const url = await serve((request, body, response) => {
    response.writeHead(isAccepted(request.headers as Record<string, string>, body) ? 204 : 401).end();
  });
  const isAccepted = (headers: Record<string, string>, body: string): boolean => {
    if (omitted === 'everything' || omitted === 'and refuses everything') return omitted === 'everything';
    const age = Date.now() / 1000 - Number(headers['webhook-timestamp']);
    if (omitted === 'signature') return age < 300;
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const right = new Webhook(by.value).sign(headers['webhook-id'] ?? '', at, body);
    return headers['webhook-signature'] === right && (omitted === 'age' || age < 300);
  };
  return { url: `${url}/hooks/catalogue?from=rewards`, secret: by.value };
}

const webhookIds = ['CAL-08', 'CAL-09', 'CAL-10'];
const webhookVerdicts = ({ verdicts }: Report) =>
  webhookIds.map((id) => verdicts.find((verdict) => verdict.id === id)?.verdict);

it.each([
  [undefined, ['pass', 'pass', 'pass']],
  ['everything', ['pass', 'fail', 'fail']],
  ['signature', ['pass', 'fail', 'pass']],
  ['age', ['pass', 'pass', 'fail']],
  ['and refuses everything', ['fail', 'pass', 'pass']],
] as const)('OP-26: a webhook receiver that does not verify %s', async (omitted, expected) => {
  const webhook = await hook(omitted);
  const input = { only: webhookIds, customers: ['CUST0001'], webhook };
  const report = await certifyServer(await partner(), input, { now: () => Date.now() });
  expect(webhookVerdicts(report)).toEqual(expected);
  const [failure] = report.failures;
  if (failure !== undefined) expect(failure.exchanges[0]?.url).toBe(webhook.url);
  expect(JSON.stringify(report)).not.toContain(webhook.secret);
});

it.each([
  [undefined, ['pass', 'pass', 'pass']],
  ['everything', ['pass', 'fail', 'fail']],
] as const)(
  'OP-171: the sandbox calls the webhook that is registered there, which does not verify %s',
  async (omitted, expected) => {
    const sandbox = await testSandbox();
    const secret = { value: '' };
    const { url } = await hook(omitted, secret);
    const registered = ok(await (await signedIn(sandbox)).POST('/v1/partner/webhooks', { body: { url } }));
    secret.value = registered.secret;
    const report = await certifyServer(await partner(), { ...inputOf(sandbox), only: webhookIds });
    expect(webhookVerdicts(report)).toEqual(expected);
    for (const { exchanges } of report.failures) expect(exchanges[0]?.url).toBe(url);
  },
);

it('without a registered webhook the requirements about webhooks do not apply', async () => {
  expect(await byLog(await testSandbox(), 'CAL-09')).toMatchObject({
    verdict: 'not_applicable',
    reason: expect.stringMatching(/^No webhook is registered at http:/),
  });
});
