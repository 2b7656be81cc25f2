/** Tests the built documentation, as files and in a browser. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contractNames, contractsOf, interfaceContracts } from '../../sandbox/apis/registry.ts';
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import { clientTable, flatTable } from '../../sandbox/contract/failure-tables.ts';
import { magicCustomers, magicItems } from '../../sandbox/magic/table.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { journeys } from '../../sandbox/workflows/respect.ts';
import { statementIds } from '../../tools/docs/citations.ts';
import { brunoArchive } from '../../tools/docs/collections/bruno.ts';
import { httpFile } from '../../tools/docs/collections/http-file.ts';
import { collection } from '../../tools/docs/collections/postman.ts';
import { advice } from '../../tools/docs/error-advice.ts';
import { deadLinks } from '../../tools/docs/links.ts';
import { movedNames } from '../../tools/docs/moved.ts';
import { behaviours, openPoints } from '../../tools/docs/register.ts';
import { browserOfFile } from '../harness/browser.ts';
import { root } from '../harness/sources.ts';
import { testReference } from './reference-pages.ts';
import { testSearch } from './search-queries.ts';
import { desktop, open, phone, show, type View } from './views.ts';

const site = join(root, 'docs/site');
const shots = join(root, 'test/screenshots');
const browser = browserOfFile();
let sandbox: Sandbox;

beforeAll(async () => {
  const { status, stderr } = spawnSync(execPath, ['tools/docs/build.ts'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The documentation does not build: ${stderr}`);
  mkdirSync(shots, { recursive: true });
  sandbox = await startSandbox({ port: 0, clock: 'frozen', docs: site });
}, 300_000);

afterAll(() => sandbox?.close());

const html = (page: string) => readFileSync(join(site, `${page}.html`), 'utf8');
const ids = (page: string) => new Set([...html(page).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));

describe('what programs read', () => {
  const pages = () =>
    globSync(['*.html', 'operations/*.html', 'reference/*.html'], { cwd: site }).filter(
      (name) => name !== '404.html' && !movedNames.includes(name.replace('.html', '')),
    );
  const text = (name: string) => readFileSync(join(site, name), 'utf8');
  const json = (name: string) => JSON.parse(text(`downloads/${name}.json`));

  it('each page has a Markdown version that its HTML names, and no HTML remains in it', () => {
    for (const page of pages()) {
      const name = page.replace(/html$/, 'md');
      expect({
        page,
        named: text(page).includes(
          `<link rel="alternate" type="text/markdown" href="${name.includes('/') ? '../' : './'}${name}">`,
        ),
      }).toEqual({
        page,
        named: true,
      });
      const plain = text(name)
        .replace(/^```.*?^```/gms, '')
        .replace(/`[^`\n]*`/g, '');
      expect({ page, html: plain.match(/<\/?(?:span|div|p|strong|svg|a)\b[^>]*>|\{#[\w-]+\}/g) ?? [] }).toEqual({
        page,
        html: [],
      });
      expect(text(name)).toMatch(/^# \S/);
    }
  });

  it('links of the Markdown lead to files of the site, to Markdown where there is some', () => {
    const names = [...pages().map((page) => page.replace(/html$/, 'md')), 'llms.txt'];
    const dead = names.flatMap((name) =>
      [...text(name).matchAll(/\]\((\.[^)#\s]*)/g)].flatMap(([, address = '']) => {
        const file = new URL(address, `http://site/${name}`).pathname.slice(1);
        const hasMarkdown = file.endsWith('.html') && existsSync(join(site, file.replace(/html$/, 'md')));
        return existsSync(join(site, file)) && !hasMarkdown ? [] : [`${name}: ${address}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it('llms.txt names every page once, with a description, and no page in Markdown has a component of the HTML', () => {
    const listed = [...text('llms.txt').matchAll(/^- \[[^\]]+\]\(\.\/([\w/-]+\.md)\): \S.*[.]$/gm)].map(
      ([, name]) => name,
    );
    expect(listed.sort()).toEqual(
      pages()
        .map((page) => page.replace(/html$/, 'md'))
        .sort(),
    );
    for (const page of listed)
      expect([page, /<[A-Z]\w+/.exec(text(page ?? '').replaceAll(/```.*?```|`[^`\n]*`/gs, ''))?.[0]]).toEqual([
        page,
        undefined,
      ]);
  });

  it('errors, magic values and requirements are complete as JSON', () => {
    const kinds = [...new Set([...Object.keys(flatTable), ...Object.keys(clientTable)])].sort();
    expect(
      json('errors')
        .map(({ kind }: { kind: string }) => kind)
        .sort(),
    ).toEqual(kinds);
    const points = json('errors').find(({ kind }: { kind: string }) => kind === 'points_changed');
    expect(points).toEqual({
      kind: 'points_changed',
      ...advice.points_changed,
      platform: seenAt(flatTable, 'points_changed'),
      client: seenAt(clientTable, 'points_changed'),
      page: '/docs/errors#points_changed',
    });
    expect(json('magic-values')).toMatchObject({ items: magicItems, customers: magicCustomers });
    expect(json('requirements')).toEqual(loadRequirements());
  });
});

/** Returns the status and code of an error in a table, or `null` if the table does not contain it. */
function seenAt(table: object, kind: string) {
  const { status, code } = (table as Record<string, { status: number; code: number }>)[kind] ?? {};
  return status === undefined ? null : { status, code };
}

describe('pages made from the sources', () => {
  it('errors: one anchor for each failure of both tables, and no other advice', () => {
    const kinds = [...new Set([...Object.keys(flatTable), ...Object.keys(clientTable)])].sort();
    expect(Object.keys(advice).sort()).toEqual(kinds);
    expect(kinds.filter((kind) => !ids('errors').has(kind))).toEqual([]);
  });

  it('open points: one row with an anchor for each row of the register, with what to ask, in the Markdown too', () => {
    const rows = [...html('open-points').matchAll(/<tr><td[^>]*><a id="(.*?)".*?<\/tr>/g)];
    expect(rows.map(([, id]) => id)).toEqual(openPoints.map(({ id }) => id.toLowerCase()));
    const [, register = ''] = readFileSync(join(site, 'open-points.md'), 'utf8').split('## All points');
    const lines = register.split('\n');
    const incomplete = openPoints.filter(({ id, title, next }, index) => {
      const action = next.replaceAll(/\bOP-.*/gs, '');
      const line = lines.find((text) => text.startsWith(`| [${id}](#${id.toLowerCase()}) ${title} `)) ?? '';
      const inPage = rows[index]?.[0].replace(/<[^>]*>/g, '').includes(action.split(/[`']/)[0] ?? '');
      return !line.includes(action) || !inPage;
    });
    expect(incomplete).toEqual([]);
  });

  it('behaviour: a section for each row, to which its id on the page of open points leads', () => {
    const [page, points] = [html('behaviour'), html('open-points')];
    const ids = behaviours.map(({ id }) => id.toLowerCase());
    expect(ids.filter((id) => !page.includes(`<h3 id="${id}"`))).toEqual([]);
    expect(ids.filter((id) => !points.includes(`<a id="${id}"></a><a href="./behaviour.html#${id}"`))).toEqual([]);
  });

  it('P3: the interface: one anchor for each statement, the edition among them, and their fields', () => {
    expect(statementIds.filter((id) => !ids('interface').has(id.toLowerCase()))).toEqual([]);
    expect(html('interface')).toMatch(/id="p3">.*?version 1\.0 and the revision date 12-01-2026/);
    expect(html('interface')).toContain('<td><code>totalPointWithProcessingFee</code></td>');
  });

  it('test data: one anchor for each magic value', () => {
    const values = [...magicItems, ...magicCustomers].map(({ value }) => value.toLowerCase());
    expect(values.filter((value) => !ids('test-data').has(value))).toEqual([]);
  });

  it('the command: what --help says', () => {
    expect(html('command')).toContain('--client-url');
    expect(html('command')).toContain('Exit codes:');
  });

  it('requirements: one anchor for each, and what certify says', () => {
    const anchors = loadRequirements().list.map(({ id }) => id.toLowerCase());
    expect(anchors.filter((anchor) => !ids('requirements').has(anchor))).toEqual([]);
    expect(html('command')).toContain('--otp-gateway');
  });

  it('an operation that the client hosts: request, each response, code in six languages, and its requirements', () => {
    const page = html('operations/saveRedeemDetails');
    expect(page).toContain('totalPointWithProcessingFee');
    for (const label of ['200 done', '422 points changed', '422 redemption conflict'])
      expect(page).toContain(`>${label}</label>`);
    for (const language of ['Node', 'Python', 'Java', 'Go', 'PHP', 'C#'])
      expect(page).toContain(`>${language}</label>`);
    const requirements = loadRequirements().list.filter(({ operation }) => operation === 'saveRedeemDetails');
    expect(requirements.length).toBeGreaterThan(5);
    for (const { id } of requirements) expect(page).toContain(`href="../requirements.html#${id.toLowerCase()}"`);
  });

  it('journeys: one anchor for each, its document, and each of its steps', () => {
    const page = html('workflows');
    for (const name of journeys) {
      const text = readFileSync(join(site, `workflows/${name}.arazzo.yaml`), 'utf8');
      const steps = [...text.matchAll(/stepId: (\w+)/g)].map(([, step]) => step);
      expect(steps.length).toBeGreaterThan(3);
      expect(steps.filter((step) => !page.includes(`<strong>${step}</strong>`))).toEqual([]);
      expect(page).toContain(`href="./workflows/${name}.arazzo.yaml"`);
      expect([...ids('workflows')]).toContain(name);
    }
  });

  it('downloads: each contract as it is generated, the collection and the catalogues, each with its link', () => {
    const programs = contractsOf(({ calledBy }) => calledBy === 'programs');
    const files = globSync('downloads/*', { cwd: site }).map((path) => path.replace('downloads/', ''));
    const ofInterface = interfaceContracts.map((api) => `${api}.interface.json`);
    const forGenerators = programs.map((api) => `${api}.generators.json`);
    const contracts = [...contractNames.map((api) => `${api}.json`), ...ofInterface, ...forGenerators];
    const schemas = ['answers', 'certify', 'ci'].map((name) => `${name}.schema.json`);
    const others = [...schemas, 'errors.json', 'magic-values.json', 'requirements.json'];
    const ends = ['.postman_collection.json', '-test-plan.postman_collection.json', '.bruno.zip', '.http'];
    const calls = ends.map((end) => `rewards-sandbox${end}`);
    expect(files.sort()).toEqual([...contracts, ...others, ...calls].sort());
    const text = (name: string) => readFileSync(join(site, 'downloads', name), 'utf8');
    for (const api of contractNames)
      expect(text(`${api}.json`)).toBe(readFileSync(join(root, `generated/${api}/bundle.json`), 'utf8'));
    for (const api of interfaceContracts)
      expect(text(`${api}.interface.json`)).toBe(readFileSync(join(root, `generated/${api}/interface.json`), 'utf8'));
    for (const api of programs)
      expect(text(`${api}.generators.json`)).toBe(readFileSync(join(root, `generated/${api}/generators.json`), 'utf8'));
    expect(JSON.parse(text('rewards-sandbox.postman_collection.json'))).toEqual(collection());
    expect(readFileSync(join(site, 'downloads/rewards-sandbox.bruno.zip'))).toEqual(Buffer.from(brunoArchive()));
    expect(text('rewards-sandbox.http')).toBe(httpFile());
    for (const name of files) expect(html('downloads')).toContain(`href="./downloads/${name}" download`);
  });

  it('the site has at most 14 MB: it is part of the package', () => {
    const files = globSync('**/*', { cwd: site, withFileTypes: true }).filter((one) => one.isFile());
    const bytes = files.reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);
    expect(bytes / 2 ** 20).toBeLessThan(14);
  });
});

describe('links', () => {
  it('all lead somewhere', () => {
    expect(deadLinks(site)).toEqual([]);
  });

  it('an address of an earlier version leads to its page, and one of a section to its section', async () => {
    const { page, problems } = await open(browser(), `${sandbox.origin}/docs/idempotency`, desktop);
    await page.waitForURL(`${sandbox.origin}/docs/redemptions.html#retries`);
    await page.goto(`${sandbox.origin}/docs/looking-inside#your-own-server-compared`);
    await page.waitForURL(`${sandbox.origin}/docs/dashboard.html#own-server`);
    await page.goto(`${sandbox.origin}/docs/ci#findings`);
    await page.waitForURL(`${sandbox.origin}/docs/checking-traffic.html#findings`);
    await page.goto(`${sandbox.origin}/docs/checking-traffic#the-proxy`);
    await page.waitForURL(`${sandbox.origin}/docs/checking-traffic.html#proxy`);
    await page.context().close();
    expect(problems).toEqual([]);
  });

  it('control: missing pages, anchors and operations are found, and anchors that moved', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-links-'));
    mkdirSync(join(folder, 'reference'));
    writeFileSync(join(folder, 'reference/client.html'), '');
    writeFileSync(join(folder, 'ci.html'), '<a class="moved" id="proxy" href="index.html">');
    const links = [
      'nowhere',
      '#nothing',
      'ci.html#proxy',
      '/elsewhere',
      'reference/client.html#operation/creditPoint',
      'reference/client.html#operation/creditPoints',
      'https://sandbox.invalid/support',
    ];
    writeFileSync(join(folder, 'index.html'), links.map((link) => `<a href="${link}">link</a>`).join(''));
    const dead = deadLinks(folder);
    rmSync(folder, { recursive: true });
    expect(dead).toEqual([
      'index.html links to nowhere, which is no page',
      'index.html links to #nothing, and there is no such place in that page',
      'index.html links to ci.html#proxy, and there is no such place in that page',
      'index.html links to /elsewhere, which only a sandbox has',
      'index.html links to reference/client.html#operation/creditPoint, and there is no such place in that page',
      'index.html links to https://sandbox.invalid/support, where nobody is',
    ]);
  });
});

/** Checks whether a page contains anything that the site's policy forbids. */
function violatesPolicy(text: string): boolean {
  return /<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle="|\son\w+="|(?:src|<link[^>]*href)="(?:https?:)?\/\//.test(text);
}

/** Reads a page. In the reference, removes the style attributes that Redoc needs and its policy allows. */
function read(page: string): string {
  const text = readFileSync(join(site, page), 'utf8');
  return page.startsWith('reference/') ? text.replaceAll(/ style="[^"]*"/g, '') : text;
}

it('no page has an inline script or style, or loads anything from another server', () => {
  const pages = globSync('**/*.html', { cwd: site });
  expect(pages.length).toBeGreaterThan(25);
  expect(pages.filter((page) => violatesPolicy(read(page)))).toEqual([]);
  const offences = [
    '<script>1</script>',
    '<script type="module">1</script>',
    '<style>a{}</style>',
    '<p style="color:red">',
    '<p onclick="1">',
    '<img src="https://elsewhere/x.png">',
    '<link rel="stylesheet" href="//elsewhere/x.css">',
  ];
  expect(offences.filter((text) => !violatesPolicy(text))).toEqual([]);
});

/** Returns axe's findings as short lines. */
async function axe(page: Page, ...others: string[]): Promise<string[]> {
  return lines(new AxeBuilder({ page }).setLegacyMode().disableRules(others));
}

/** Returns only axe's colour findings, because everything else is the same in light and dark colours. */
async function contrast(page: Page): Promise<string[]> {
  return lines(new AxeBuilder({ page }).setLegacyMode().withRules(['color-contrast']));
}

async function lines(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3)}`);
}

testReference({ folder: site, shots, browser, origin: () => sandbox.origin });
testSearch(site);

const languages = ['curl', 'JavaScript', 'Python', 'Java', 'PHP', 'C#', 'Go'];

const guides = globSync('docs/guides/**/*.md', { cwd: root })
  .map((path) => path.replace(/^docs\/guides\/(.*?)(index)?\.md$/, '$1'))
  .sort();

describe('in a browser', { timeout: 60_000 }, () => {
  // These pages contain every kind of component. The slow contrast check runs only on them.
  const examples = ['', 'operations/saveRedeemDetails', 'redemptions', 'test-data', 'webhooks'];
  const views: [path: string, view: View][] = [
    ...guides.map((path): [string, View] => [path, desktop]),
    ...examples.map((path): [string, View] => [path, phone]),
  ];
  it.each(views)('axe and the browser find no issues on /docs/%s', async (path, view) => {
    const { page, problems } = await open(browser(), `${sandbox.origin}/docs/${path}`, view);
    const issues = { problems, axe: await axe(page, ...(examples.includes(path) ? [] : ['color-contrast'])) };
    if (examples.includes(path)) {
      const other = view.scheme === 'dark' ? 'light' : 'dark';
      await show(page, { ...view, scheme: other });
      await page.locator(`html${other === 'dark' ? '.dark' : ':not(.dark)'}`).waitFor();
      issues.axe.push(...(await contrast(page)));
    }
    await page.context().close();
    expect(issues).toEqual({ problems: [], axe: [] });
  });

  const reference = '/docs/reference/rewards#operation/createRedemptionOrder';
  it.each([
    ['light', 'rgb(10, 92, 122)', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(121, 205, 234)', 'rgb(22, 30, 38)'],
  ] as const)(
    'OP-182: guides and reference have the palette of the other pages, %s',
    async (scheme, accent, surface) => {
      const { page } = await open(browser(), `${sandbox.origin}/docs/`, { ...desktop, scheme });
      const colour = (selector: string, property: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
      const guide = [await colour('.vp-doc td a', 'color'), await colour('body', 'background-color')];
      await page.goto(`${sandbox.origin}/docs/reference/rewards`);
      const referenceColours = [
        await colour('#sidebar [aria-current]', 'color'),
        await colour('.bar', 'background-color'),
      ];
      await page.context().close();
      expect({ guide, reference: referenceColours }).toEqual({
        guide: [accent, surface],
        reference: [accent, surface],
      });
    },
  );

  it('the prerendered reference has the address that the page came from, before Redoc loads', async () => {
    const { page } = await open(browser(), `${sandbox.origin}/docs/reference/rewards`, desktop);
    expect(await page.locator('#reference').innerText()).toContain(`${sandbox.origin}/rewards`);
    await page.context().close();
  });

  it('the reference shows samples in seven languages, and the basis of each field', async () => {
    const { page } = await open(browser(), sandbox.origin + reference, desktop);
    await page.getByRole('heading', { name: 'Redeem points for one or more rewards' }).waitFor();
    const text = await page.locator('#reference').innerText();
    expect(text).toContain('Stated (A13)');
    expect(text).toContain('Assumed (OP-05)');
    expect(text).toContain('Authorization: $CUSTOMER_TOKEN');
    await page.context().close();
  });

  it.each([
    ['', 300_000],
    ['quickstart', 300_000],
    ['reference/rewards', 80_000],
  ])('/docs/%s loads at most %d bytes, without the font', async (path, maxBytes) => {
    const context = await browser().newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'font') return;
      sizes.push(request.sizes().then(({ responseBodySize: body, responseHeadersSize: head }) => body + head));
    });
    await page.goto(`${sandbox.origin}/docs/${path}`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    await context.close();
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(maxBytes);
  });

  it.each([
    ['errors', 'insufficient balance', '#insufficient_balance', /^\d of \d\d$/],
    ['open-points', 'frozen webhook', '#op-', /^\d+ of \d{3}$/],
  ])('a search on /docs/%s leaves the rows that have every search word', async (path, words, link, statusText) => {
    const { page } = await open(browser(), `${sandbox.origin}/docs/${path}`, desktop);
    const field = page.getByRole('searchbox', { name: 'Find' });
    await field.fill(words);
    const status = page.locator('.filter [role=status]');
    await vi.waitUntil(async () => statusText.test(await status.innerText()), { timeout: 20_000 });
    const visibleRows = page.locator('.filter ~ table tbody tr:visible');
    const [left, all] = (await status.innerText()).split(' of ').map(Number) as [number, number];
    expect(await visibleRows.count()).toBe(left);
    expect(left).toBeLessThan(all);
    expect(await page.locator(`.vp-doc :visible a[href*="${link}"]`).count()).toBeGreaterThan(0);
    await field.fill('');
    expect(await visibleRows.count()).toBe(all);
    await page.context().close();
  });

  it('open points can be filtered by operation, and by whether they block going live', async () => {
    const { page } = await open(browser(), `${sandbox.origin}/docs/open-points`, desktop);
    const visibleRowCount = () => page.locator('.filter ~ table tbody tr:visible').count();
    const count = (isWanted: (point: (typeof openPoints)[number]) => boolean) => openPoints.filter(isWanted).length;
    await page.getByLabel('Operation').selectOption('creditPoints');
    await vi.waitUntil(
      async () => (await visibleRowCount()) === count(({ operations }) => operations?.includes('creditPoints') ?? true),
    );
    await page.getByLabel('Operation').selectOption('All');
    await page.getByLabel('Blocks going live').check();
    await vi.waitUntil(async () => (await visibleRowCount()) === count(({ blocks }) => blocks === true));
    await page.context().close();
  });

  it('the row that an address names is in view and highlighted, even if the filter had hidden it', async () => {
    const { page, problems } = await open(browser(), `${sandbox.origin}/docs/open-points#op-121`, desktop);
    const expectHighlighted = async (id: string) => {
      const row = page.locator('tr.target-row', { has: page.locator(`#${id}`) });
      await row.waitFor();
      const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
      // The row is below the header and the search field, in the upper half of the screen.
      await vi.waitUntil(async () => (await top()) > 100 && (await top()) < desktop.height / 2, { timeout: 10_000 });
      expect(await page.locator('tr.target-row').count()).toBe(1);
    };
    await expectHighlighted('op-121');
    const field = page.getByRole('searchbox', { name: 'Find' });
    // The second time, the address already contains the row's fragment.
    for (let time = 1; time <= 2; time += 1) {
      await field.fill('OP-21 contradictions');
      await vi.waitUntil(async () => !(await page.locator('#op-22').isVisible()));
      await page.locator('td:visible a[href$="#op-22"]').first().click();
      await expectHighlighted('op-22');
      expect(await field.inputValue()).toBe('');
    }
    await field.fill('OP-21 contradictions');
    await page.evaluate(() => location.assign('#op-05'));
    await expectHighlighted('op-05');
    await page.context().close();
    expect(problems).toEqual([]);
  });

  it.each([
    ['requirements', 'How it is tested'],
    ['open-points', 'What to ask'],
  ])(
    'a small phone folds the rows of /docs/%s to their first cells, and stacks the others with the names of their columns',
    async (path, last) => {
      const { page } = await open(browser(), `${sandbox.origin}/docs/${path}`, { ...phone, width: 360 });
      const table = page.locator('.filter ~ table').first();
      const details = table.getByRole('button', { name: 'Details' }).first();
      await details.waitFor();
      expect(await table.locator('td:visible').count()).toBe(await table.locator('tbody tr').count());
      await details.click();
      expect(await details.getAttribute('aria-expanded')).toBe('true');
      const layout = await table.evaluate((element) => {
        const cell = element.querySelector('tbody td:last-child') as HTMLElement;
        const [row, page] = [cell.parentElement as HTMLElement, document.documentElement];
        return {
          sideways: [page, element].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
          lefts: new Set([...row.children].map((child) => child.getBoundingClientRect().left)).size,
          named: getComputedStyle(cell, '::before').content,
        };
      });
      await page.context().close();
      expect(layout).toEqual({ sideways: [0, 0], lefts: 1, named: expect.stringContaining(last) });
    },
  );

  it('samples are in seven languages, and have the address that the page came from, even after a link', async () => {
    const { page, problems } = await open(browser(), `${sandbox.origin}/docs/redemptions`, desktop);
    const group = page.locator('.vp-code-group').first();
    expect(await group.locator('.tabs label').allInnerTexts()).toEqual(languages);
    const code = () => page.locator('.vp-doc pre code').allInnerTexts();
    await vi.waitUntil(async () => (await code()).join().includes(`${sandbox.origin}/rewards`), { timeout: 20_000 });
    expect((await code()).join()).not.toMatch(/:4010\b/);
    await group.getByText('Go', { exact: true }).click();
    expect(await group.locator('pre:visible').innerText()).toContain('http.NewRequest("POST"');
    await page.locator('a[href="/docs/webhooks.html"]').first().click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await vi.waitUntil(async () => (await code()).join().includes(`${sandbox.origin}/rewards`), { timeout: 20_000 });
    expect((await code()).join()).not.toMatch(/:4010\b/);
    await page.context().close();
    expect(problems).toEqual([]);
  });

  it('the keyboard reaches the content first, and the choice of dark colours persists', async () => {
    const { page } = await open(browser(), `${sandbox.origin}/docs/errors`, desktop);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.getByRole('switch').first().click();
    await page.goto(`${sandbox.origin}/docs/reference/client`);
    const dark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
    expect(await dark()).toBe(true);
    // The prerendered page appears immediately. Redoc loads on the reader's first action.
    await page.getByRole('heading', { name: 'Client-hosted API' }).first().waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('heading', { name: 'Points' }).first().waitFor();
    expect(await dark()).toBe(true);
    await page.context().close();
  });
});
