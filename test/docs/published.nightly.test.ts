/** Tests the documentation on a static host, under a path prefix and in two versions (OP-271). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { execPath } from 'node:process';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publish } from '../../tools/docs/publish.ts';
import { browserOfFile } from '../harness/browser.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';
import { desktop, open, phone } from './views.ts';

const prefix = '/some/prefix/';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

const browser = browserOfFile();
let folder = '';
let origin = '';

/** A plain file server that serves only files by name and folders by their index page. */
const server = createServer(({ url = '', method }, response) => {
  const { pathname } = new URL(url, 'http://host');
  const inside = decodeURIComponent(pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '\0');
  const file = inside.includes('\0')
    ? ''
    : join(folder, inside, inside.endsWith('/') || inside === '' ? 'index.html' : '');
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end('not found');
  response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain' });
  response.end(method === 'HEAD' ? undefined : readFileSync(file));
});

beforeAll(async () => {
  const { status, stderr } = spawnSync(execPath, ['tools/docs/build.ts', '--if-changed'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The documentation does not build: ${stderr}`);
  folder = mkdtempSync(join(tmpdir(), 'docs-published-'));
  for (const version of ['1.9.0', '1.10.0']) publish(join(root, 'docs/site'), folder, version);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}, 300_000);

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const site = () => `${origin}${prefix}latest/`;

/** Returns the addresses in a file of the site, resolved against the file's own location. */
function linksIn(text: string, url: string): string[] {
  const patterns: Readonly<Record<string, RegExp>> = {
    '.html': /\s(?:href|src|data-contract|data-console)="([^"]*)"|;\s*url=([^"]*)"/g,
    '.md': /\]\(([^)\s]+)\)/g,
    '.txt': /\]\(([^)\s]+)\)/g,
    '.css': /url\(["']?([^"')]+)/g,
    '.json': /\]\((\.[^)\s"\\]+)\)/g,
  };
  const { pathname } = new URL(url);
  const kind = pathname.endsWith('/') ? '.html' : extname(pathname);
  // Downloadable contracts are published as generated, so their links are not checked.
  const pattern = pathname.includes('/downloads/') ? undefined : patterns[kind];
  const plain = kind === '.md' ? text.replaceAll(/^```.*?^```|`[^`\n]*`/gms, '') : text;
  const base = pathname.includes('/reference/') && kind === '.json' ? url.replace(/json$/, 'html') : url;
  return [...(pattern === undefined ? [] : plain.matchAll(pattern))].map(
    ([, one, other]) => new URL((one ?? other ?? '').replaceAll('&amp;', '&'), base).href,
  );
}

it('OP-271: every link, asset and fragment below a prefix leads somewhere', async () => {
  const texts = new Map<string, string | undefined>();
  const dead: string[] = [];
  const waiting = [
    [site(), 'the start'],
    [`${site()}llms.txt`, 'the start'],
  ];
  for (const [address = '', from] of waiting) {
    const { origin: host, pathname, hash } = new URL(address);
    if (host !== origin) continue;
    const url = `${origin}${pathname}`;
    if (!texts.has(url)) {
      const reply = await fetch(url);
      texts.set(url, reply.ok ? await reply.text() : undefined);
      waiting.push(...linksIn(texts.get(url) ?? '', url).map((link) => [link, url]));
    }
    const text = texts.get(url);
    // The reference renders its fragments in the browser. A Markdown file has the fragments of its page.
    const isDrawn = /^#(?:operation)?\//.test(hash) || !/(?:\.html|\/)$/.test(pathname);
    const id = decodeURIComponent(hash.slice(1));
    if (text === undefined) dead.push(`${address}, in ${from}`);
    else if (id !== '' && !isDrawn && !text.includes(` id="${id}"`)) dead.push(`${address}: no such place, in ${from}`);
  }
  expect(dead).toEqual([]);
  expect(texts.size).toBeGreaterThan(150);
  for (const page of [
    'errors.html',
    'errors.md',
    'reference/rewards.md',
    'reference/rewards.html',
    'reference/rewards.json',
  ])
    expect([page, texts.has(site() + page)]).toEqual([page, true]);
});

it('OP-271: pages of different folders lead to each other in the browser, and the search finds a page', async () => {
  const { page, problems } = await open(browser(), `${site()}operations/creditPoints.html`, desktop);
  await page.locator('.VPSidebar a', { hasText: 'Webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  expect(page.url()).toBe(`${site()}webhooks.html`);
  await page.locator('.VPSidebar a', { hasText: 'saveRedeemDetails' }).click();
  await page.waitForURL(`${site()}operations/saveRedeemDetails.html`);
  await page.locator('.vp-doc a[href*="requirements.html#"]').first().click();
  await page.waitForURL(/\/latest\/requirements\.html#/);
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill('verify webhook signature');
  await page.locator('.results a').first().click();
  await page.waitForURL(`${site()}webhooks.html#verify`);
  // Samples retain a sandbox's address, because the page's host is not a sandbox.
  expect(await page.locator('.vp-doc').innerText()).not.toContain(origin);
  await page.context().close();
  expect(problems).toEqual([]);
});

it('OP-271: the version menu leads to the page in another version, on guides and references, in both sizes', async () => {
  const choose = async (page: Page, folder: string) => {
    const menu = page.getByRole('combobox', { name: 'Version' }).first();
    await menu.waitFor();
    expect(await menu.locator('option').allInnerTexts()).toEqual(['1.10.0 (latest)', '1.9.0']);
    await menu.selectOption(folder);
  };
  const { page, problems } = await open(browser(), `${site()}webhooks.html#verify`, desktop);
  await choose(page, '1.9.0');
  await page.waitForURL(`${origin}${prefix}1.9.0/webhooks.html#verify`);
  await page.goto(`${origin}${prefix}1.9.0/reference/rewards.html`);
  await choose(page, 'latest');
  await page.waitForURL(`${site()}reference/rewards.html`);
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Pages' }).click();
  expect(await page.getByRole('combobox', { name: 'Version' }).isVisible()).toBe(true);
  await page.context().close();
  expect(problems).toEqual([]);
});

it('OP-271: the console of a published page asks for the address of a sandbox, says how to start one, and calls it', async () => {
  const refusing = await testSandbox();
  const allowing = await testSandbox({ allowedOrigins: [origin] });
  const { page } = await open(browser(), `${site()}reference/rewards.html#operation/companyAuth`, desktop);
  const panel = page.locator('details.console', { has: page.getByText('Send companyAuth', { exact: true }) });
  await panel.locator('summary').first().click();
  const address = panel.getByLabel('Address of your sandbox');
  expect(await address.inputValue()).toBe('http://127.0.0.1:4010');
  expect(await panel.getByLabel('Command').innerText()).toBe(
    `npx --no-install rewards-sandbox --allow-origin ${origin}`,
  );
  const send = panel.getByRole('button', { name: 'Send', exact: true });
  expect(await send.isDisabled()).toBe(true);

  await address.fill(refusing.origin);
  await page.keyboard.press('Enter');
  await panel.getByText(`No sandbox at ${refusing.origin} accepts calls from this page.`).waitFor();

  await address.fill(allowing.origin);
  await page.keyboard.press('Enter');
  await panel.getByText('This sandbox requires an admin token').waitFor();
  await panel.getByLabel('Admin token').fill(allowing.workspace.admin_token);
  await page.keyboard.press('Enter');
  await panel.getByText('Workspace: demo').waitFor();
  await send.click();
  await panel.getByText('No findings').waitFor();
  expect(await panel.getByRole('link', { name: 'Open trace' }).getAttribute('href')).toMatch(
    `${allowing.origin}/dashboard/traffic?q=`,
  );

  // The browser stores the address.
  await page.reload();
  await panel.locator('summary').first().click();
  await panel.getByText(`Sandbox: ${allowing.origin}`).waitFor();
  await panel.getByText('Workspace: demo').waitFor();
  await page.context().close();
});
