/** Tests the reference console in a real browser, on the pages that `tools/docs` builds and a sandbox serves. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeReference } from '../../tools/docs/reference.ts';
import { browserOfFile } from '../harness/browser.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { shell } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';
import { desktop, forms, open, phone, show, type View } from './views.ts';

const browser = browserOfFile();
let docs = '';

beforeAll(async () => {
  docs = await mkdtemp(join(tmpdir(), 'console-'));
  await writeReference(docs);
  for (const name of ['icon.svg', 'inter.woff2', 'pages/font.css'])
    await copyFile(join(root, 'sandbox/sites/assets', name), join(docs, basename(name)));
}, 300_000);

afterAll(() => rm(docs, { recursive: true }));

const startWithDocs = () => testSandbox({ docs });

/** Opens the reference at an operation, and opens the operation's panel with the keyboard. */
async function openPanel(origin: string, api: string, operation: string, view: View = desktop) {
  const { page, problems } = await open(browser(), `${origin}/docs/reference/${api}#operation/${operation}`, view);
  const panel = panelOf(page, operation);
  await panel.locator('summary').first().focus();
  await page.keyboard.press('Enter');
  await panel.locator('.workspace > *').first().waitFor();
  return { page, problems, panel, send: panel.getByRole('button', { name: 'Send', exact: true }) };
}

function panelOf(page: Page, operation: string) {
  return page.locator('details.console', { has: page.getByText(`Send ${operation}`, { exact: true }) });
}

it('an order is sent by keyboard, and its redemption and its trace are opened from the response', async () => {
  const { origin, control } = await startWithDocs();
  const { page, problems, panel, send } = await openPanel(origin, 'rewards', 'createRedemptionOrder');
  await send.focus();
  await page.keyboard.press('Enter');
  await panel.getByText('No findings').waitFor();
  await panel.locator('.send:focus').waitFor();
  expect(await panel.getByRole('status').innerText()).toMatch(/^200 OK in \d+ ms$/);
  expect(await panel.getByLabel('Response body').innerText()).toMatch(/^\{\n {2}"order_id": "ORD-/);
  await panel.getByText('Request as sent', { exact: true }).click();
  const sent = await panel.getByLabel('Request as sent').innerText();
  expect(sent).toMatch(/^POST http:\S+\/rewards\/v1\/partner\/redeemptiononskus\nIdempotency-Key: [0-9a-f]{32}\n/);
  expect(sent).toMatch(/\nAuthorization: [^{\n]+\n/);
  const command = await panel.getByLabel('Request as curl').innerText();
  const again = await shell(command.replace('curl -i', 'curl -s'));
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(await panel.getByLabel('Response body').innerText()));
  await panel.getByText('Response headers').click();
  expect(await panel.getByLabel('Response headers').innerText()).toMatch(/^x-trace-id: [0-9a-f]{32}$/m);

  const { data } = await control.GET('/orders');
  const [code = ''] = data?.items.flatMap(({ order }) => order.lines.map(({ redeemCode }) => redeemCode)) ?? [];
  const opened = page.context().waitForEvent('page');
  await panel.getByRole('link', { name: `Open redemption ${code}` }).click();
  const redemption = await opened;
  await redemption.getByRole('heading', { name: code }).waitFor();
  const traced = page.context().waitForEvent('page');
  await panel.getByRole('link', { name: 'Open trace in the dashboard' }).click();
  await (await traced).getByText('createRedemptionOrder').first().waitFor();
  expect(page.url()).toBe(`${origin}/docs/reference/rewards#/orders/createredemptionorder`);
  expect(problems).toEqual([]);
  await page.context().close();
});

it('the panel is accessible and fits the screen, closed and with a response', async () => {
  const { origin } = await startWithDocs();
  const { page, problems, panel, send } = await openPanel(origin, 'rewards', 'createRedemptionOrder', phone);
  await send.click();
  await panel.getByText('No findings').waitFor();
  for (const form of forms) {
    await show(page, form);
    const { violations } = await new AxeBuilder({ page }).include('details.console').analyze();
    const across = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ form, violations, across }).toEqual({ form, violations: [], across: form.width });
  }
  expect(problems).toEqual([]);
  await page.context().close();
});

it('with a pasted admin token, calls and the dashboard go to that workspace', async () => {
  const { origin, control } = await startWithDocs();
  const { data: other } = await control.POST('/workspaces', { body: { name: 'pasted' } });
  const { page, problems, panel, send } = await openPanel(origin, 'sandbox', 'settle');
  await panel.getByText('Workspace: demo').click();
  await panel.getByLabel('Admin token of another workspace').fill(other?.admin_token ?? '');
  await page.keyboard.press('Enter');
  await panel.getByText(`Workspace: ${other?.id}`).waitFor();
  await send.click();
  await panel.getByText('No findings').waitFor();
  const opened = page.context().waitForEvent('page');
  await panel.getByRole('link', { name: 'Open trace in the dashboard' }).click();
  const dashboard = await opened;
  await dashboard.getByText('1 of 1 calls and changes').waitFor();
  const token = other?.admin_token ?? '';
  expect([page, dashboard].filter((one) => one.url().includes(token))).toEqual([]);
  const { data: inDemo } = await control.GET('/activity');
  expect(inDemo?.items.map((entry) => 'operation' in entry && entry.operation)).toEqual(['createWorkspace']);

  const readPanel = panelOf(page, 'getWorkspace');
  await page.locator('#sidebar a', { hasText: 'Show addresses, credentials and settings' }).click();
  await readPanel.locator('summary').first().click();
  await readPanel.getByRole('button', { name: 'Send', exact: true }).click();
  await readPanel.getByText('The activity log does not record this call.').waitFor();
  expect(JSON.parse(await readPanel.getByLabel('Response body').innerText())).toMatchObject({ id: other?.id });
  await readPanel.getByText(`Workspace: ${other?.id}`).click();
  await readPanel.getByRole('button', { name: 'Use the demo workspace' }).click();
  await readPanel.getByText('Workspace: demo').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

it('violations of a call are listed, and a variable without a value is reported before anything is sent', async () => {
  const { origin, control } = await startWithDocs();
  const { page, panel, send } = await openPanel(origin, 'rewards', 'createRedemptionOrder');
  await panel.getByRole('textbox', { name: 'Body' }).fill('{ "uid": "CUST0007", "line_items": "none" }');
  await send.click();
  await panel.getByRole('heading', { name: /^Findings \(\d+\)$/ }).waitFor();
  const { data } = await control.GET('/findings');
  expect(await panel.locator('.findings code').allInnerTexts()).toEqual(data?.items.map(({ code }) => code));
  expect(data?.items.map(({ pointer }) => pointer)).toContain('/body/line_items');
  await panel.getByRole('textbox', { name: 'Body' }).fill('{ "uid": "{{ORDER_ID}}" }');
  await send.click();
  const text =
    '{{ORDER_ID}} has no value yet. Send createRedemptionOrder first, or replace it with a value of your own.';
  await panel.getByText(text).waitFor();
  await page.context().close();
});

it('a stream appears as it arrives, until the reader stops it', async () => {
  const { origin } = await startWithDocs();
  const { page, panel, send } = await openPanel(origin, 'sandbox', 'streamActivity');
  await send.focus();
  await page.keyboard.press('Enter');
  await panel.getByText('200 OK').waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText('You stopped the response here.').waitFor();
  await panel.locator('.send:focus').waitFor();
  await page.context().close();
});

it('OP-272: on a static site the panel asks for a sandbox, and for a token where the sandbox requires one', async () => {
  const { origin, workspace } = await startWithDocs();
  const { page } = await open(browser(), `${origin}/docs/reference/rewards`, desktop);
  const missing = '**/sandbox/v1/{health,workspace}';
  await page.route(missing, (route) => route.fulfill({ status: 404, body: 'There is no such page.' }));
  await page.goto(`${origin}/docs/reference/rewards#operation/companyAuth`);
  await page.reload();
  const panel = panelOf(page, 'companyAuth');
  const send = panel.getByRole('button', { name: 'Send', exact: true });
  await panel.locator('summary').click();
  await panel.getByText('No sandbox serves this page.').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await page.unroute(missing);

  await page.route('**/sandbox/v1/workspace', (route) => {
    const isOpen = route.request().headers().authorization === `Bearer ${workspace.admin_token}`;
    return isOpen ? route.continue() : route.fulfill({ status: 401, headers: { 'X-Trace-Id': '1' }, body: '{}' });
  });
  await page.reload();
  await panel.locator('summary').click();
  await panel.getByText('This sandbox requires an admin token').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await panel.getByLabel('Admin token').fill(workspace.admin_token);
  await page.keyboard.press('Enter');
  await panel.getByText('Workspace: demo').waitFor();
  await send.click();
  await panel.getByText('No findings').waitFor();
  expect(JSON.parse(await panel.getByLabel('Response body').innerText())).toMatchObject({ token: expect.any(String) });
  await page.context().close();
});

it('a wrong token keeps the workspace, and an ended one leads back to the demo workspace', async () => {
  const { origin, control } = await startWithDocs();
  const { page, panel, send } = await openPanel(origin, 'sandbox', 'settle');
  await panel.getByText('Workspace: demo').click();
  await panel.getByLabel('Admin token of another workspace').fill('x');
  await panel.getByRole('button', { name: 'Use this workspace' }).click();
  await panel.getByText('No workspace has this admin token. Calls go where they went before.').waitFor();
  await send.click();
  await panel.getByText('200 OK').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('sandbox-admin-token'))).toBe(null);

  const { data: other } = await control.POST('/workspaces', { body: {} });
  await panel.getByLabel('Admin token of another workspace').fill(other?.admin_token ?? '');
  await panel.getByRole('button', { name: 'Use this workspace' }).click();
  await panel.getByText(`Workspace: ${other?.id}`).waitFor();
  await control.DELETE('/workspaces/{id}', { params: { path: { id: other?.id ?? '' } } });
  await send.click();
  await panel.getByText('no longer opens a workspace').waitFor();
  await panel.getByRole('button', { name: 'Use the demo workspace' }).click();
  await panel.getByText('Workspace: demo').waitFor();
  await send.click();
  await panel.getByText('200 OK').waitFor();
  await page.context().close();
});

it('with an own server, the credential that works is chosen, and the way to a customer’s token is named', async () => {
  const sandbox = await startWithDocs();
  const { origin, control } = sandbox;
  await new PartnerServer().standIn(sandbox);
  const { page, panel, send } = await openPanel(origin, 'rewards', 'createRedemptionOrder');
  await panel.getByText('Customers sign in at your server').waitFor();
  expect(await panel.getByLabel('Credential').inputValue()).toBe('companyToken');
  await send.click();
  await panel.getByText('200 OK').waitFor();
  await panel.getByText('Workspace: demo').click();
  await panel.getByText('The client is your server at http://127.0.0.1:').waitFor();
  await control.PATCH('/workspace', { body: { settings: { client_url: null } } });
  await panel.getByRole('button', { name: 'Use the demo workspace' }).click();
  await panel.getByText('Customers sign in at your server').waitFor({ state: 'hidden' });
  expect(await panel.getByLabel('Credential').inputValue()).toBe('customerToken');
  await page.context().close();
});

it('a sandbox that was stopped is named, and the panel works again once it is back', async () => {
  const sandbox = await startWithDocs();
  const { origin } = sandbox;
  const { page } = await open(browser(), `${origin}/docs/reference/sandbox`, desktop);
  await page.goto(`${origin}/docs/reference/sandbox#operation/settle`);
  const panel = panelOf(page, 'settle');
  await panel.waitFor();
  await sandbox.close();
  await panel.locator('summary').first().click();
  await panel.getByText('The sandbox does not respond. Start it again, then try again.').waitFor();
  await testSandbox({ docs, port: Number(new URL(origin).port) });
  await panel.getByRole('button', { name: 'Try again' }).click();
  await panel.getByText('Workspace: demo').waitFor();
  await panel.getByRole('button', { name: 'Send', exact: true }).click();
  await panel.getByText('200 OK').waitFor();
  await page.context().close();
});

it('the reference says what is answered to an open point, in what Redoc draws at each operation, and quotes it', async () => {
  const { origin, control } = await startWithDocs();
  const given = { by: 'Jane "J" Doe', date: '2026-11-28' };
  const answers = {
    'OP-02': { ...given, answer: 'agreed' },
    'OP-05': { ...given, answer: 'differs', text: '\\"} a { color: red }' },
  } as const;
  expect((await control.PUT('/open-points/answers', { body: { answers } })).response.status).toBe(200);
  const shown = async (operation: string, id: string) => {
    const { page, problems } = await open(
      browser(),
      `${origin}/docs/reference/rewards#operation/${operation}`,
      desktop,
    );
    const found = await page.waitForFunction((end) => {
      const link = document.querySelector(`a[href$="#${end}"]`);
      const text = link === null ? 'none' : getComputedStyle(link, '::after').content;
      return text === 'none' ? undefined : text;
    }, id);
    expect(problems).toEqual([]);
    return found.jsonValue();
  };
  expect(await shown('companyAuth', 'op-02')).toBe('" (agreed on 2026-11-28 by Jane \\"J\\" Doe)"');
  expect(await shown('createRedemptionOrder', 'op-05')).toBe(
    '" (differs on 2026-11-28 by Jane \\"J\\" Doe: \\\\\\"} a { color: red })"',
  );
});
