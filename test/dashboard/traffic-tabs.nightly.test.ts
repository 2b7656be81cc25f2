/** Tests the tabs of a call in the dashboard: their contents, keyboard navigation and phone layout. */
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { redeem, voucher } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { screens } from './screens.ts';

const phone = { width: 390, height: 844 };
const onScreen = screens(phone);

it('OP-226: a call has its request, its response, its changes and its findings in tabs, with masked headers', async () => {
  const sandbox = await testSandbox();
  await redeem(sandbox, { line_items: [voucher], uid: 'CUST0007' });
  const { items } = ok(await sandbox.control.GET('/activity'));
  const saveCall = items.find((one) => one.kind === 'call_in' && one.operation === 'saveRedeemDetails');
  await onScreen(sandbox, `/traffic?seq=${saveCall?.seq}`, async (page) => {
    const tab = (name: string) => page.getByRole('tab', { name });
    const selectedTab = () => page.getByRole('tab', { selected: true }).innerText();
    await tab('Request').waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Request', 'Response', 'Changes 1', 'Findings']);
    expect(await page.getByText('platform → client').first().isVisible()).toBe(true);
    const headers = await page.getByRole('tabpanel').locator('.headers').innerText();
    expect(headers).toMatch(/authorization\s+Bearer string of \d+ \(masked\)/);
    expect(headers).toMatch(/traceparent\s+00-[0-9a-f]{32}-/);
    expect(await inspect(page, 'dashboard-traffic-call')).toEqual([]);

    // Arrow keys switch between tabs, and the URL stores the open tab.
    await page.setViewportSize(phone);
    await tab('Request').focus();
    await page.keyboard.press('ArrowRight');
    expect(await selectedTab()).toBe('Response');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Response');
    await page.getByRole('tabpanel', { name: 'Response' }).getByText('x-trace-id').waitFor();
    await page.keyboard.press('End');
    expect(await selectedTab()).toBe('Findings');
    await page.getByText('messages as specified').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await selectedTab()).toBe('Request');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await selectedTab()).toBe('Changes 1');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tabpanel');
    await page.getByRole('tabpanel').getByText('redemption.deducted').waitFor();
    expect(page.url()).toMatch(/&tab=changes$/);
    await page.reload();
    await page.getByRole('tabpanel', { name: 'Changes' }).waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    expect(new URL(page.url()).search).toBe('');
  });
}, 60_000);
