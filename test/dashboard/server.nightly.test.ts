/** Tests the "Your server" screen in a real browser, against test servers that deviate from the contract or fail, and are then corrected. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { failing, sentCalls } from '../harness/faults.ts';
import { hostile } from '../harness/hostile.ts';
import { closedPort, serve } from '../harness/http-server.ts';
import { inspect } from '../harness/inspecting.ts';
import { advance, kettle, order, pay } from '../harness/orders.ts';
import { PartnerServer, type Wrong } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { send } from '../harness/visitor.ts';
import { copied, fill, press, reveal, row, screens, sees, statusMessage } from './screens.ts';

const onScreen = screens();

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
  await onScreen(sandbox, '/server', async (page) => {
    await page.getByText('reference client', { exact: true }).waitFor();
    await statusMessage(page, '0 of 9 with messages as specified').waitFor();
    expect(await page.locator('.check .status').allTextContents()).toEqual(Array(9).fill('never called'));
    expect(await inspect(page, 'dashboard-server-empty')).toEqual([]);
    // Calls to the reference client do not count towards the server that replaces it.
    await reveal(check(page, 'creditPoints'), 'Report payment', 'messages as specified');

    await page.getByRole('textbox', { name: 'Address of your server' }).fill('http://169.254.169.254/');
    await page.getByRole('button', { name: 'Save address' }).click();
    await page.locator('.problem').filter({ hasText: '/settings/client_url' }).waitFor();
    await fill(page, { 'Address of your server': address, 'Service token': 'my-service-token' });
    await press(page, 'Save address', 'Saved. The platform calls this address from now on.');
    expect(ok(await control.GET('/workspace')).settings).toMatchObject({
      client_url: address,
      client_token: 'my-service-token',
    });
    await statusMessage(page, '0 of 9 with messages as specified').waitFor();
    await page.getByText('2 calls in the log went to another address').waitFor();

    const profile = check(page, 'getProfileAndPoints');
    await reveal(profile, 'Place order', 'violates the contract');
    expect(requests).toEqual(['/getProfileAndPoints?uid=CUST0001 Bearer my-service-token']);
    const [deviation] = await profile.locator('.finding-list li').allTextContents();
    expect(deviation?.replaceAll(/\s+/g, ' ').trim()).toBe(
      'violates the interface /body/points/balanceBasisstated by the interface: R10Expectedmust be an integerActual"2500"',
    );
    const command = await copied(page, sandbox, 'Copy as curl getProfileAndPoints');
    expect(command).toContain(`curl -i -X POST '${address}/getProfileAndPoints?uid=CUST0001'`);

    await check(page, 'creditPoints').getByRole('button', { name: 'Report payment' }).click();
    await check(page, 'creditPoints').locator('.status').getByText('failed').waitFor();
    await send(`${urls.microsite}/codes`, { customer_id: 'CUST0001' });
    const otp = check(page, 'generateOtp');
    await otp.getByText('violates an assumption').first().waitFor();
    expect((await otp.locator('.finding-list').textContent())?.replaceAll(/\s+/g, ' ').trim()).toBe(
      'violates an assumption /body/reference_idBasisassumed by this sandbox: OP-18Expectedmust be a stringActual5',
    );
    const delivery = row(page, 'Credit');
    await delivery.filter({ hasText: '1 attempt' }).waitFor();
    expect(await inspect(page, 'dashboard-server-deviating')).toEqual([]);

    responses['/getProfileAndPoints'] = await profileWith(sandbox, 2500);
    responses['/creditPoints'] = success;
    await reveal(profile, 'Place order', 'messages as specified');
    // The payment also called this operation.
    await profile.getByText('2 of 3 calls failed or violated the contract').waitFor();
    await check(page, 'saveRedeemDetails').getByText('messages as specified').waitFor();
    await reveal(check(page, 'updateRedeemStatus'), 'Deliver newest order', 'messages as specified');
    expect(ok(await control.GET('/orders')).items[0]?.order.status).toBe('Delivered');
    await press(page, 'Replay delivery', 'Due now.');
    await reveal(page, 'Run due jobs', 'No pending deliveries');
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
  await onScreen(sandbox, '/server', async (page) => {
    await press(page, 'Check connection', 'The platform can call it.');
    await page.getByText('Basic credentials: ').waitFor();
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: address } } }));
    await page.getByRole('button', { name: 'Use reference client' }).waitFor();
    await press(page, 'Check connection', 'Something must be changed.');
    await page.getByText('Implement POST /getProfileAndPoints, or name the address that it is below.').waitFor();
    expect(await inspect(page, 'dashboard-server-connection')).toEqual([]);
  });
}, 60_000);

it('version 2.0 is ticked off too; a refusal that the contract allows is no tick, and its message appears as text', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const message = hostile.find((text) => text.startsWith('<img')) ?? '';
  const data = { name: 'Unprocessable entity', message, code: 0, status: 422, type: 'X' };
  const refusal = { success: false, status: 422, data };
  await onScreen(sandbox, '/server?uid=CUST0007', async (page) => {
    await check(page, 'reversePoints').getByRole('button', { name: 'Place a v2.0 order to be rejected' }).click();
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
  await onScreen(sandbox, '/server', async (page) => {
    await page.getByRole('link', { name: url }).click();
    await page.getByText('No attempts yet').waitFor();
    ok(await control.POST('/triggers/catalogue_change', { body: {} }));
    for (const transactionId of ['UPI-1', 'UPI-2']) {
      ok(await control.POST('/triggers/payment', { body: { transactionId } }));
    }
    ok(await control.POST('/clock/advance', { body: { seconds: 10 * 86_400 } }));
    const parked = row(page, 'parked');
    await parked.filter({ hasText: 'UPI-2' }).waitFor();
    await row(page, 'attempt 8').waitFor();
    await page.getByText('the platform does not call this operation until').waitFor();
    expect(await inspect(page, 'dashboard-server-parked')).toEqual([]);
    const webhookAddress = page.url();
    expect(webhookAddress).toContain(`webhook=${webhook.webhook_id}`);
    silent = false;
    await parked.filter({ hasText: 'UPI-1' }).getByRole('button', { name: 'Replay delivery' }).click();
    await page.getByRole('button', { name: 'Run due jobs' }).click();
    await row(page, 'UPI-1').waitFor({ state: 'detached' });
    hook.status = 204;
    await page.goto('about:blank');
    await page.goto(webhookAddress);
    await page.getByRole('button', { name: 'Replay parked deliveries' }).click();
    await reveal(page, 'Run due jobs', 'No pending deliveries');
    await row(page, 'delivered').first().waitFor();
    expect(ok(await control.GET('/deliveries')).items).toEqual([]);
  });
}, 60_000);

it('OP-118: a call that met a fault counts neither for the server nor against it, but the operation was called', async () => {
  const sandbox = await testSandbox();
  await stubClient(sandbox, () => 'pass');
  await failing(sandbox, { target: 'creditPoints', fault: 'duplicate', times: 1 });
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  await onScreen(sandbox, '/server', async (page) => {
    const credit = check(page, 'creditPoints');
    await credit.getByText('called with faults only').waitFor();
    expect(await credit.getByText('never called').count()).toBe(0);
    ok(await pay(sandbox, { transactionId: 'TXN-2' }));
    await advance(sandbox, 0);
    await failing(sandbox, { target: 'creditPoints', fault: 'status', status: 503, times: 1 });
    await failing(sandbox, { target: 'getProfileAndPoints', fault: 'lost_reply', times: 1 });
    ok(await pay(sandbox, { transactionId: 'TXN-3' }));
    await order(sandbox);
    await advance(sandbox, 0);
    expect((await sentCalls(sandbox, 'creditPoints')).map(({ status }) => status)).toEqual([200, 200, 503]);
    const reads = (await sentCalls(sandbox, 'getProfileAndPoints')).map(({ status }) => status);
    expect(reads).toEqual([200, 200, null, 200]);
    await sees(credit, 'messages as specified', '2 more encountered a fault and were not checked');
    expect(await check(page, 'getProfileAndPoints').getByText('failed').count()).toBe(0);
  });
}, 60_000);

it.each<[wrong: Wrong, operation: string, what: string]>([
  ['credits twice on a repeat', 'creditPoints', 'CUST0001: credited twice?'],
  ['deducts twice on a repeat', 'saveRedeemDetails', 'CUST0001: deducted twice?'],
])('OP-110: a server that %s has a ledger mismatch next to its messages at %s', async (wrong, operation, what) => {
  const sandbox = await testSandbox();
  const server = await new PartnerServer(wrong).standIn(sandbox);
  server.plan.push({ operation, reaction: 'lose' });
  ok(await order(sandbox, { line_items: [kettle], shipping_address: '4 Mill Road, Pune' }));
  await advance(sandbox, 10);
  ok(await pay(sandbox));
  await advance(sandbox, 10);
  ok(await sandbox.control.GET('/reconciliation'));
  await onScreen(sandbox, '/server', async (page) => {
    const line = check(page, operation);
    await sees(line, 'ledger mismatch', 'messages as specified');
    await line.locator('.notice').getByText(what).waitFor();
    expect(await page.getByText('ledger mismatch').count()).toBe(1);
    expect(await inspect(page, `dashboard-server-mismatch-${operation}`)).toEqual([]);
  });
});
