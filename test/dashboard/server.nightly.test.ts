/** Tests the "Your server" screen in a real browser, against test servers that deviate from the contract or fail, and are then corrected. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { failing, sentCalls } from '../harness/faults.ts';
import { hostile } from '../harness/hostile.ts';
import { closedPort, serve } from '../harness/http-server.ts';
import { inspect, pagesOfBrowser } from '../harness/inspecting.ts';
import { advance, kettle, order, pay } from '../harness/orders.ts';
import { PartnerServer, type Wrong } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { send } from '../harness/visitor.ts';
import { open, statusMessage } from './screens.ts';

const inPage = pagesOfBrowser();

const check = (page: Page, operation: string) =>
  page.locator('.check').filter({ has: page.getByText(operation, { exact: true }) });

/** The response of the partner's server for each path. Other paths return 404. */
type Responses = Record<string, { readonly status?: number; readonly body: unknown }>;

const success = { body: { success: true, status: 200 } };

/** Starts a partner's server. Returns its address, and the URL and authorization of each request it receives. */
async function partner(responses: Responses) {
  const requests: string[] = [];
  const respond = (url: string, response: ServerResponse) => {
    const { status = 200, body } = responses[url.split('?')[0] ?? ''] ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const address = await serve(({ url = '', headers }, _, response) => {
    requests.push(`${url} ${headers.authorization}`);
    respond(url, response);
  });
  return { address, requests };
}

/** Returns the reference client's profile and points, with a different balance. */
async function profileWith({ control }: TestSandbox, balance: unknown) {
  const [customer] = ok(await control.GET('/customers')).items;
  return { body: { profile: customer?.profile, points: { ...customer?.points, balance } } };
}

it('a partner server replaces the reference client by its address, and each operation is ticked off once it works (OP-62)', async () => {
  const sandbox = await testSandbox();
  const { control, urls } = sandbox;
  const responses: Responses = {
    '/getProfileAndPoints': await profileWith(sandbox, '2500'),
    '/saveRedeemDetails': success,
    '/updateRedeemStatus': success,
    '/creditPoints': { status: 503, body: {} },
    '/api/v1/auth/generate-otp': {
      body: { success: true, status: 200, reference_id: 5, expires_in: 300, mobile: '******0001' },
    },
  };
  const { address, requests } = await partner(responses);
  await inPage(async (page) => {
    await open(page, sandbox, '/server');
    await page.getByText('reference client', { exact: true }).waitFor();
    await statusMessage(page, '0 of 9 with messages as specified').waitFor();
    expect(await page.locator('.check .status').allTextContents()).toEqual(Array(9).fill('never called'));
    expect(await inspect(page, 'dashboard-server-empty')).toEqual([]);
    // Calls to the reference client do not count towards the server that replaces it.
    await check(page, 'creditPoints').getByRole('button', { name: 'Report payment' }).click();
    await check(page, 'creditPoints').getByText('messages as specified').waitFor();

    await page.getByRole('textbox', { name: 'Address of your server' }).fill('http://169.254.169.254/');
    await page.getByRole('button', { name: 'Save address' }).click();
    await page.locator('.problem').filter({ hasText: '/settings/client_url' }).waitFor();
    await page.getByRole('textbox', { name: 'Address of your server' }).fill(address);
    await page.getByLabel('Service token').fill('my-service-token');
    await page.getByRole('button', { name: 'Save address' }).click();
    await statusMessage(page, 'Saved. The platform calls this address from now on.').waitFor();
    expect(ok(await control.GET('/workspace')).settings).toMatchObject({
      client_url: address,
      client_token: 'my-service-token',
    });
    await statusMessage(page, '0 of 9 with messages as specified').waitFor();
    await page.getByText('2 calls in the log went to another address').waitFor();

    const profile = check(page, 'getProfileAndPoints');
    await profile.getByRole('button', { name: 'Place order' }).click();
    await profile.getByText('violates the contract').waitFor();
    expect(requests).toEqual(['/getProfileAndPoints?uid=CUST0001 Bearer my-service-token']);
    const [deviation] = await profile.locator('.finding-list li').allTextContents();
    expect(deviation?.replaceAll(/\s+/g, ' ').trim()).toBe(
      'violates the interface /body/points/balanceBasisstated by the interface: R10Expectedmust be an integerActual"2500"',
    );
    const origin = new URL(urls.sandbox).origin;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await profile.getByRole('button', { name: 'Copy as curl' }).click();
    await profile.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(`curl -i -X POST '${address}/getProfileAndPoints?uid=CUST0001'`);

    await check(page, 'creditPoints').getByRole('button', { name: 'Report payment' }).click();
    await check(page, 'creditPoints').locator('.status').getByText('failed').waitFor();
    await send(`${urls.microsite}/codes`, { customer_id: 'CUST0001' });
    const otp = check(page, 'generateOtp');
    await otp.getByText('violates an assumption').first().waitFor();
    expect((await otp.locator('.finding-list').textContent())?.replaceAll(/\s+/g, ' ').trim()).toBe(
      'violates an assumption /body/reference_idBasisassumed by this sandbox: OP-18Expectedmust be a stringActual5',
    );
    const delivery = page.locator('.row').filter({ hasText: 'Credit' });
    await delivery.filter({ hasText: '1 attempt' }).waitFor();
    expect(await inspect(page, 'dashboard-server-deviating')).toEqual([]);

    responses['/getProfileAndPoints'] = await profileWith(sandbox, 2500);
    responses['/creditPoints'] = success;
    await profile.getByRole('button', { name: 'Place order' }).click();
    await profile.getByText('messages as specified').waitFor();
    // The payment also called this operation.
    await profile.getByText('2 of 3 calls failed or violated the contract').waitFor();
    await check(page, 'saveRedeemDetails').getByText('messages as specified').waitFor();
    await check(page, 'updateRedeemStatus').getByRole('button', { name: 'Deliver newest order' }).click();
    await check(page, 'updateRedeemStatus').getByText('messages as specified').waitFor();
    expect(ok(await control.GET('/orders')).items[0]?.order.status).toBe('Delivered');
    await delivery.getByRole('button', { name: 'Replay delivery' }).click();
    await statusMessage(page, 'Due now.').waitFor();
    await page.getByRole('button', { name: 'Run due jobs' }).click();
    await page.getByText('No pending deliveries').waitFor();
    await statusMessage(page, '4 of 9 with messages as specified').waitFor();
    await profile.getByRole('link').click();
    await page.getByRole('heading', { level: 2, name: 'getProfileAndPoints' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Use reference client' }).click();
    await page.getByText('reference client', { exact: true }).waitFor();
    await statusMessage(page, '2 of 9 with messages as specified').waitFor();
    expect(ok(await control.GET('/workspace')).settings.client_url).toBe(urls.client);
  });
}, 60_000);

it('Check connection says what to change, and that nothing is to be changed', async () => {
  const sandbox = await testSandbox();
  const { address } = await partner({});
  await inPage(async (page) => {
    await open(page, sandbox, '/server');
    await page.getByRole('button', { name: 'Check connection' }).click();
    await statusMessage(page, 'The platform can call it.').waitFor();
    await page.getByText('Basic credentials: ').waitFor();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: address } } }));
    await page.getByRole('button', { name: 'Use reference client' }).waitFor();
    await page.getByRole('button', { name: 'Check connection' }).click();
    await statusMessage(page, 'Something must be changed.').waitFor();
    await page.getByText('Implement POST /getProfileAndPoints, or name the address that it is below.').waitFor();
    expect(await inspect(page, 'dashboard-server-connection')).toEqual([]);
  });
}, 60_000);

it('version 2.0 is ticked off too; a refusal that the contract allows is no tick, and its message appears as text', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const message = hostile.find((text) => text.startsWith('<img')) ?? '';
  const refusal = {
    success: false,
    status: 422,
    data: { name: 'Unprocessable entity', message, code: 0, status: 422, type: 'X' },
  };
  await inPage(async (page) => {
    await open(page, sandbox, '/server?uid=CUST0007');
    await check(page, 'reversePoints').getByRole('button', { name: 'Place a rejected v2.0 order' }).click();
    await statusMessage(page, 'The clock advanced by 2 seconds.').waitFor();
    for (const operation of ['getCustomerPoints', 'redeemPoints', 'reversePoints']) {
      await check(page, operation).getByText('messages as specified').waitFor();
    }
    expect(ok(await control.GET('/orders')).items.map(({ uid }) => uid)).toEqual(['CUST0007']);
    const { address } = await partner({ '/getProfileAndPoints': { status: 422, body: refusal } });
    ok(await control.PATCH('/workspace', { body: { settings: { client_url: address } } }));
    await statusMessage(page, '0 of 9 with messages as specified').waitFor();
    await page.getByLabel('Test customer').fill('CUST0008');
    await expect.poll(() => page.url()).toMatch(/\?uid=CUST0008$/);
    const profile = check(page, 'getProfileAndPoints');
    await profile.getByRole('button', { name: 'Place order' }).click();
    await profile.getByText('refused', { exact: true }).waitFor();
    await profile.locator('.notice').getByText(message).waitFor();
    ok(await control.PATCH('/workspace', { body: { settings: { client_url: await closedPort() } } }));
    await profile.getByText('never called').waitFor();
    await profile.getByRole('button', { name: 'Place order' }).click();
    await profile.getByText('failed', { exact: true }).waitFor();
    await profile.getByText('No response: ECONNREFUSED. Is your server running at that address?').waitFor();
    expect(await inspect(page, 'dashboard-server-refused')).toEqual([]);
  });
}, 60_000);

it('parked deliveries are replayed, one or all; the attempts of a webhook are listed (OP-24, OP-85)', async () => {
  const sandbox = await testSandbox();
  const { control, rewards } = sandbox;
  const hook: { status: number } = { status: 500 };
  let silent = true;
  await stubClient(sandbox, ({ operation }) => (silent && operation === 'creditPoints' ? 'drop' : 'pass'));
  const address = await serve((_, __, response) => void response.writeHead(hook.status).end());
  const url = `${address}/hooks`;
  const webhook = ok(await rewards(await sandbox.companyToken()).POST('/v1/partner/webhooks', { body: { url } }));
  await inPage(async (page) => {
    await open(page, sandbox, '/server');
    await page.getByRole('link', { name: url }).click();
    await page.getByText('No attempts yet').waitFor();
    ok(await control.POST('/triggers/catalogue_change', { body: {} }));
    for (const transactionId of ['UPI-1', 'UPI-2']) {
      ok(await control.POST('/triggers/payment', { body: { transactionId } }));
    }
    ok(await control.POST('/clock/advance', { body: { seconds: 10 * 86_400 } }));
    const parked = page.locator('.row').filter({ hasText: 'parked' });
    await parked.filter({ hasText: 'UPI-2' }).waitFor();
    await page.locator('.row').filter({ hasText: 'attempt 8' }).waitFor();
    await page.getByText('the platform does not call this operation until').waitFor();
    expect(await inspect(page, 'dashboard-server-parked')).toEqual([]);
    const webhookAddress = page.url();
    expect(webhookAddress).toContain(`webhook=${webhook.webhook_id}`);
    silent = false;
    await parked.filter({ hasText: 'UPI-1' }).getByRole('button', { name: 'Replay delivery' }).click();
    await page.getByRole('button', { name: 'Run due jobs' }).click();
    await page.locator('.row').filter({ hasText: 'UPI-1' }).waitFor({ state: 'detached' });
    hook.status = 204;
    await page.goto('about:blank');
    await page.goto(webhookAddress);
    await page.getByRole('button', { name: 'Replay parked deliveries' }).click();
    await page.getByRole('button', { name: 'Run due jobs' }).click();
    await page.getByText('No pending deliveries').waitFor();
    await page.locator('.row').filter({ hasText: 'delivered' }).first().waitFor();
    expect(ok(await control.GET('/deliveries')).items).toEqual([]);
  });
}, 60_000);

it('OP-118: a call that met a fault counts neither for the server nor against it', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, () => 'pass');
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  await failing(sandbox, { target: 'creditPoints', fault: 'status', status: 503, times: 1 });
  await failing(sandbox, { target: 'getProfileAndPoints', fault: 'lost_reply', times: 1 });
  ok(await pay(sandbox, { transactionId: 'TXN-2' }));
  await order(sandbox);
  await advance(sandbox, 0);
  expect((await sentCalls(sandbox, 'creditPoints')).map(({ status }) => status)).toEqual([200, 503]);
  const reads = (await sentCalls(sandbox, 'getProfileAndPoints')).map(({ status }) => status);
  expect(reads).toEqual([200, null, 200]);
  await inPage(async (page) => {
    await open(page, sandbox, '/server');
    await check(page, 'creditPoints').getByText('messages as specified').waitFor();
    await check(page, 'creditPoints').getByText('1 more encountered a fault and was not checked').waitFor();
    expect(await check(page, 'getProfileAndPoints').getByText('failed').count()).toBe(0);
  });
}, 60_000);

it('OP-118: an operation that was called only under a fault is not marked as never called', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, () => 'pass');
  await failing(sandbox, { target: 'creditPoints', fault: 'duplicate', times: 1 });
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  expect((await sentCalls(sandbox, 'creditPoints')).map(({ status }) => status)).toEqual([200]);
  await inPage(async (page) => {
    await open(page, sandbox, '/server');
    await check(page, 'creditPoints').getByText('called with faults only').waitFor();
    expect(await check(page, 'creditPoints').getByText('never called').count()).toBe(0);
  });
}, 60_000);

it.each<[wrong: Wrong, operation: string, what: string]>([
  ['credits twice on a repeat', 'creditPoints', 'CUST0001: credited twice?'],
  ['deducts twice on a repeat', 'saveRedeemDetails', 'CUST0001: deducted twice?'],
])(
  'OP-110: a server that %s has a ledger mismatch next to its messages at %s',
  async (wrong, operation, what) => {
    const sandbox = await testSandbox();
    const server = await new PartnerServer(wrong).standIn(sandbox);
    server.plan.push({ operation, reaction: 'lose' });
    ok(await order(sandbox, { line_items: [kettle], shipping_address: '4 Mill Road, Pune' }));
    await advance(sandbox, 10);
    ok(await pay(sandbox));
    await advance(sandbox, 10);
    ok(await sandbox.control.GET('/reconciliation'));
    await inPage(async (page) => {
      await open(page, sandbox, '/server');
      const row = check(page, operation);
      await row.getByText('ledger mismatch').waitFor();
      await row.getByText('messages as specified').waitFor();
      await row.locator('.notice').getByText(what).waitFor();
      expect(await page.getByText('ledger mismatch').count()).toBe(1);
      expect(await inspect(page, `dashboard-server-mismatch-${operation}`)).toEqual([]);
    });
  },
  60_000,
);
