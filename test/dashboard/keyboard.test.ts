/** Tests keyboard control of the dashboard: the mapping from keys to commands, and its effect in a real browser. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it, test } from 'vitest';
import { browserOfFile, watched } from '../harness/browser.ts';
import { redeem } from '../harness/orders.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { browserModule } from './screens.ts';

const { commandOf, destinations } = await browserModule<{
  commandOf(press: object, now: object): { kind: string; screen?: string } | undefined;
  destinations(text: string, screens: readonly object[], operations: readonly object[]): readonly object[];
}>('keyboard/keys.ts');

const browser = browserOfFile();

describe('keys', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const idle = { isTyping: false, hasDialog: false, afterPrefix: false, isOn: true };
  const commandFor = (key: string, now: object = {}, modifiers: object = {}) =>
    commandOf({ ...plain, key, ...modifiers }, { ...idle, ...now });

  test('a single key is a command, but not in a field, a dialog or with a modifier, nor when turned off', () => {
    const kinds = ['/', '?', 'j', 'k', 'g', 'x', 'toString'].map((key) => commandFor(key)?.kind);
    expect(kinds).toEqual(['search', 'help', 'next', 'previous', 'prefix', undefined, undefined]);
    for (const now of [{ isTyping: true }, { hasDialog: true }, { isOn: false }])
      expect(commandFor('j', now)).toBe(undefined);
    for (const modifier of ['altKey', 'ctrlKey']) expect(commandFor('j', {}, { [modifier]: true })).toBe(undefined);
  });

  test('g and a letter open a screen; Ctrl+K and Escape work with single keys turned off', () => {
    expect(commandFor('t', { afterPrefix: true })).toEqual({ kind: 'go', screen: 'traffic' });
    expect(commandFor('t')).toBe(undefined);
    expect(commandFor('K', { isOn: false, isTyping: true }, { metaKey: true })).toEqual({ kind: 'palette' });
    expect(commandFor('Escape', { isOn: false })).toEqual({ kind: 'close' });
    expect(commandFor('Escape', { hasDialog: true })).toBe(undefined);
  });

  test('the palette finds screens by name, and offers a search for any other text', () => {
    const screens = [
      { name: 'Traffic', href: '/dashboard/traffic' },
      { name: 'Redemptions', href: '/dashboard/redemptions' },
    ];
    expect(destinations(' ', screens, [])).toEqual(screens);
    expect(destinations('RDM-1/2', screens, [])).toEqual([
      { name: 'Redemption RDM-1/2', href: '/dashboard/redemptions/RDM-1%2F2' },
      { name: 'Search traffic for RDM-1/2', href: '/dashboard/traffic?q=RDM-1%2F2' },
      { name: 'Search redemptions for RDM-1/2', href: '/dashboard/redemptions?q=RDM-1%2F2' },
      { name: 'Search orders for RDM-1/2', href: '/dashboard/ledger?view=orders&q=RDM-1%2F2' },
      { name: 'Search customers for RDM-1/2', href: '/dashboard/ledger?q=RDM-1%2F2' },
    ]);
  });

  test('the palette opens customers and orders by code; with documentation, it opens operations and searches the documentation', () => {
    const first = (text: string, operations: readonly object[] = []) => destinations(text, [], operations)[0];
    expect(first('CUST0007')).toEqual({ name: 'Customer CUST0007', href: '/dashboard/ledger?uid=CUST0007' });
    expect(first('ORD-1')).toEqual({ name: 'Order ORD-1', href: '/dashboard/ledger?view=orders&order=ORD-1' });
    const operations = ['generateOtp', 'verifyOtp', 'redeemPoints'].map((operation) => ({ operation, api: 'client' }));
    const results = destinations('otp', [], operations);
    expect(results.slice(0, 2)).toEqual([
      { name: 'Operation generateOtp', href: '/docs/reference/client#operation/generateOtp' },
      { name: 'Operation verifyOtp', href: '/docs/reference/client#operation/verifyOtp' },
    ]);
    expect(results.at(-1)).toEqual({ name: 'Search documentation for otp', href: '/docs/?search=otp' });
  });
});

it('the keyboard reaches screens, rows, search, help and palette, and Escape goes back', async () => {
  const sandbox = await testSandbox();
  await redeem(sandbox, { uid: 'CUST0007', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
  const context = await browser().newContext();
  const { page, complaints } = await watched(context);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.goto(`${sandbox.urls.dashboard}/`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await press('g', 't');
  await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
  await page.locator('.windowed li').nth(2).waitFor();
  await press('j');
  await page.locator('.windowed li:nth-child(1) a:focus').waitFor();
  await press('j', 'j');
  await page.locator('.windowed li:nth-child(3) a:focus').waitFor();
  await press('k', 'Enter');
  await page.waitForURL(/seq=/);
  await press('Escape');
  await page.waitForURL(`${sandbox.urls.dashboard}/traffic`);
  await press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await page.keyboard.type('g?j');
  await page.waitForURL(/q=g%3Fj/);

  await press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  // Text typed immediately after the key appears in the palette.
  await page.keyboard.type('redem');
  await palette.getByRole('link', { name: 'Search redemptions for redem' }).waitFor();
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  await press('Enter');
  await page.getByRole('heading', { name: 'Redemptions', level: 1 }).waitFor();
  await palette.waitFor({ state: 'detached' });
  await press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  expect((await help.locator('dl > div').allInnerTexts()).length).toBe(15);
  await help.getByRole('checkbox').uncheck();
  await press('Escape');
  await help.waitFor({ state: 'detached' });
  await press('?', 'Control+k');
  await palette.waitFor();
  expect(await help.count()).toBe(0);

  // A dialog's close event arrives late. Another dialog may be open by then, and must stay open.
  await palette.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await help.waitFor();
  await page.evaluate(() => {
    document.querySelector('dialog')?.close();
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    return new Promise((later) => setTimeout(later, 0));
  });
  await page.evaluate(() => new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later))));
  expect([await palette.count(), await help.count(), complaints]).toEqual([1, 0, []]);
  await context.close();
}, 120_000);
