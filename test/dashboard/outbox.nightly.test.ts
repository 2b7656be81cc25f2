/** Tests in a real browser that messages appear in the dashboard's outbox as they arrive. */
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { advance, order, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { shell } from '../harness/shell.ts';
import { copied, screens, statusMessage, waitForText } from './screens.ts';

const uid = 'CUST0007';
const onScreen = screens();

async function otp({ auth }: TestSandbox, customer_id: string): Promise<void> {
  ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id } }));
}

it('shows one-time passwords and vouchers as they arrive, and copies them (OP-36)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  await onScreen(sandbox, '/outbox', async (page) => {
    await waitForText(page, 'No messages yet');
    expect(await inspect(page, 'dashboard-outbox-empty')).toEqual([]);
    const command = await page.getByLabel('Command that requests a one-time password').innerText();
    expect(JSON.parse((await shell(command)).stdout)).toMatchObject({ success: true, expires_in: 300 });
    await statusMessage(page, `New: one-time password for ${uid}.`).waitFor();
    await otp(sandbox, 'CUST0010');
    await statusMessage(page, 'New: one-time password for CUST0010, and 1 more.').waitFor();
    ok(await order(sandbox, { uid, line_items: [voucher] }));
    await advance(sandbox, 2);
    await waitForText(page, '3 of 3 messages');
    const { items } = ok(await control.GET('/messages'));
    expect(items.map(({ kind }) => kind)).toEqual(['voucher', 'otp', 'otp']);
    const messages = page.locator('.message');
    expect(await messages.locator('p:not(.ways)').allTextContents()).toEqual(items.map(({ text }) => text));
    const heads = await messages.locator('.head').allTextContents();
    expect(heads).toEqual(items.map(({ channel, mobile }) => expect.stringContaining(`${channel} to ${mobile}, `)));
    expect(await messages.locator('.otp').allTextContents()).toEqual(items.flatMap((message) => message.otp ?? []));
    expect(await messages.locator('.badge').allTextContents()).toEqual(['new', 'new', 'new']);
    expect(await inspect(page, 'dashboard-outbox')).toEqual([]);
    expect(await copied(page, sandbox, `Copy password for ${uid}`)).toBe(items[2]?.otp);
    expect(await copied(page, sandbox, `Copy message to ${uid}`)).toBe(items[0]?.text);
    await page.reload();
    await waitForText(page, '3 of 3 messages');
    expect(await messages.locator('.badge').count()).toBe(0);
  });
}, 120_000);

it('marks vouchers that have expired (OP-161)', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox, { uid, line_items: [voucher] }));
  await advance(sandbox, 2);
  await onScreen(sandbox, '/outbox', async (page) => {
    const badges = page.locator('.message .badge');
    await waitForText(page, '1 of 1 messages');
    expect(await badges.count()).toBe(0);
    await advance(sandbox, 365 * 86_400);
    await page.reload();
    await badges.waitFor();
    expect(await badges.allTextContents()).toEqual(['expired']);
  });
}, 60_000);

it('the address stores the filters', async () => {
  const sandbox = await testSandbox();
  for (const customer of [uid, 'CUST0010', 'CUST0010']) await otp(sandbox, customer);
  await onScreen(sandbox, '/outbox', async (page) => {
    await page.getByRole('link', { name: uid }).click();
    await waitForText(page, '1 of 3 messages');
    expect(new URL(page.url()).search).toBe(`?uid=${uid}`);
    await page.goto(`${sandbox.urls.dashboard}/outbox?uid=CUST0010&kind=otp`);
    await waitForText(page, '2 of 3 messages');
    expect(await page.getByLabel('Customer').inputValue()).toBe('CUST0010');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Voucher');
    await waitForText(page, 'No matches');
    expect(new URL(page.url()).search).toBe('?uid=CUST0010&kind=voucher');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await waitForText(page, '3 of 3 messages');
  });
}, 60_000);

it("shows messages that a client's own server sends through the gateway, and the sender of each (OP-164, OP-167)", async () => {
  const sandbox = await testSandbox();
  const gateway = sandbox.gateway();
  await otp(sandbox, uid);
  await onScreen(sandbox, '/outbox', async (page) => {
    await waitForText(page, '1 of 1 messages');
    const body = { channel: 'sms', to: '+919876543210', text: '493027 is your code.', reference_id: 'REF-7' } as const;
    ok(await gateway.POST('/v1/messages', { body }));
    await statusMessage(page, 'New: one-time password for *********3210.').waitFor();
    const hello = { ...body, channel: 'whatsapp', customer_id: 'ANN', text: 'Hello.' } as const;
    ok(await gateway.POST('/v1/messages', { body: hello }));
    await statusMessage(page, 'New: other message for ANN, and 1 more.').waitFor();
    const messages = page.locator('.message');
    const heads = await messages.locator('.head .quiet').allTextContents();
    expect(heads.map((head) => head.split(', ')[0])).toEqual([
      'WhatsApp to *********3210 through the gateway',
      'SMS to *********3210 through the gateway',
      expect.stringMatching(/^SMS to \*{6}\d{4}$/),
    ]);
    expect((await messages.locator('.otp').allTextContents())[0]).toBe('493027');
    const references = await messages.locator('code').allTextContents();
    expect(references).toEqual(['REF-7', 'REF-7', expect.stringMatching(/^OTP-/)]);
    await page.getByRole('combobox', { name: 'Sent by' }).selectOption('Message gateway');
    await waitForText(page, '2 of 3 messages');
    expect(new URL(page.url()).search).toBe('?source=gateway');
    expect(await inspect(page, 'dashboard-outbox-gateway')).toEqual([]);
    await page.getByRole('link', { name: 'ANN' }).click();
    await waitForText(page, '1 of 3 messages');
  });
}, 60_000);
