/** Tests the reference as a part of the site, including the guides' header and sidebar. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { operationsAndWebhooksOf, readBundle, referenced } from '../../tools/docs/bundles.ts';
import { desktop, forms, open, phone } from './views.ts';

/** The built site as files and over HTTP, a folder for screenshots, and the browser. */
interface Site {
  readonly folder: string;
  readonly shots: string;
  readonly origin: () => string;
  readonly browser: () => Browser;
}

/** Returns the target and text of each link in a part of a page. */
function links(html: string): string[][] {
  return [...html.matchAll(/<a\b[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = '', text = '']) => [
    // Guides and reference pages are in different folders.
    href.replace(/^\.\.?\//, ''),
    text.replace(/<[^>]*>/g, '').trim(),
  ]);
}

/** Returns the part of a page between two strings, including the first. */
function between(html: string, from: string, to: string): string {
  const start = html.indexOf(from);
  return html.slice(start, html.indexOf(to, start));
}

const operation = '/docs/reference/rewards#operation/createRedemptionOrder';
/** Defines the tests of the reference, for the file that builds the site. */
export function testReference({ folder, shots, origin, browser }: Site): void {
  const text = (page: string) => readFileSync(join(folder, `${page}.html`), 'utf8');

  it('every page of the reference has the links of the guides, and those to its operations and webhooks', () => {
    const guide = text('quickstart');
    const header = links(between(guide, 'class="VPNavBarMenu', '</nav>'));
    const sidebar = links(between(guide, 'id="VPSidebarNav"', '</aside>'));
    expect([header.length > 4, sidebar.length > 40]).toEqual([true, true]);
    for (const api of referenced) {
      const page = text(`reference/${api}`);
      const own = between(page, '<aside id="sidebar"', '</aside>');
      const here = links(own);
      expect({ api, header: links(between(page, '<nav aria-label="Main">', '</nav>')) }).toEqual({ api, header });
      expect({ api, sidebar: here.filter(([href]) => !href?.startsWith('#')) }).toEqual({ api, sidebar });
      const operations = operationsAndWebhooksOf(readBundle(api));
      const tags = new Set(operations.map(({ tags: [tag] }) => tag));
      const words = [...operations.map(({ summary }) => summary), ...(tags.size > 1 ? tags : [])];
      const inside = here.filter(([href]) => href?.startsWith('#'));
      expect(inside.map(([, words]) => words).sort()).toEqual(words.sort());
      // The prerendered page has a section for each tag. A tag's operations render when the reader opens the section.
      const sections = [...page.matchAll(/data-section-id="\/([\w-]+)"/g)].map(([, tag]) => tag);
      expect({ api, groups: [...new Set(inside.map(([href]) => href?.split('/')[1]))] }).toEqual({
        api,
        groups: sections,
      });
    }
    const [, inside = ''] = text('reference/rewards').split('aria-current="page"');
    const webhooks = links(between(inside, '>Webhooks</a>', '</ul>'));
    expect(webhooks).toEqual([['#/webhooks/catalogueupdated', 'The catalogue changed']]);
  });

  describe('the reference in a browser', { timeout: 60_000 }, () => {
    it.each(forms)('axe and the browser find nothing on $name, $scheme', async (view) => {
      const { page, problems } = await open(browser(), origin() + operation, view);
      await page.getByRole('heading', { name: 'Redeem points for one or more rewards' }).waitFor();
      const axe = async () => {
        // Redoc itself violates these rules: it skips a heading level, and some button names differ from their labels.
        const rules = ['heading-order', 'label-content-name-mismatch'];
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().disableRules(rules).analyze();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3)}`);
      };
      const issues = [await axe()];
      await page.screenshot({ path: join(shots, `reference-${view.name}-${view.scheme}.png`) });
      if (view.width < 960) {
        await page.getByRole('button', { name: 'Menu' }).click();
        issues.push(await axe());
        await page.screenshot({ path: join(shots, `reference-menu-${view.name}-${view.scheme}.png`) });
      }
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.context().close();
      expect({ issues: issues.flat(), problems, sideways }).toEqual({ issues: [], problems: [], sideways: 0 });
    });

    it.each(['rewards', 'sandbox'])(
      'each link of the sidebar leads to its operation in %s, and is marked',
      async (api) => {
        const { page, problems } = await open(browser(), `${origin()}/docs/reference/${api}`, desktop);
        const firsts = page.locator('.operations > li > ul > li:first-child > a');
        const count = await firsts.count();
        expect(count).toBeGreaterThan(4);
        for (let index = 0; index < count; index += 1) {
          const words = await firsts.nth(index).innerText();
          await firsts.nth(index).click();
          await page.getByRole('heading', { name: words }).waitFor();
          await page.locator('#sidebar [aria-current=location]', { hasText: words }).waitFor();
          expect(await page.locator('#sidebar [aria-current=location]').count()).toBe(1);
        }
        await page.context().close();
        expect(problems).toEqual([]);
      },
    );

    it('a link to an operation shows it, and never a message that the page does not exist', async () => {
      const { page } = await open(browser(), `${origin()}/docs/`, desktop);
      await page.addInitScript(() => {
        new MutationObserver(() => {
          if (/No page at/.test(document.body?.innerText ?? '')) document.documentElement.dataset.lost = 'yes';
        }).observe(document, { subtree: true, childList: true });
      });
      await page.goto(origin() + operation);
      await page.getByRole('heading', { name: 'Redeem points for one or more rewards' }).waitFor();
      expect(await page.evaluate(() => document.documentElement.dataset.lost)).toBeUndefined();
      expect(await page.locator('[aria-current=location]').innerText()).toBe('Redeem points for one or more rewards');
      await page.context().close();
    });

    it('a link to a webhook shows it', async () => {
      const address = `${origin()}/docs/reference/rewards#operation/catalogueUpdated`;
      const { page } = await open(browser(), address, desktop);
      await page.getByRole('heading', { name: 'The catalogue changed' }).waitFor();
      expect(await page.locator('[aria-current=location]').innerText()).toBe('The catalogue changed');
      await page.context().close();
    });

    it('on a phone the menu opens by keyboard, at the contract, and closes when a link is followed, or with Escape', async () => {
      const { page } = await open(browser(), `${origin()}/docs/reference/client`, phone);
      const menu = page.getByRole('button', { name: 'Menu' });
      const first = page.locator('.operations li li a').first();
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.locator('#sidebar a[aria-current=page]').waitFor();
      await vi.waitUntil(() => page.locator('#sidebar').evaluate((sidebar) => sidebar.scrollTop > 500), {
        timeout: 10_000,
      });
      await page.keyboard.press('Escape');
      await first.waitFor({ state: 'hidden' });
      await menu.click();
      const words = await first.innerText();
      await first.click();
      await page.getByRole('heading', { name: words }).waitFor();
      expect(await page.locator('#sidebar').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Pages' }).click();
      expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
      await page.context().close();
    });

    it('the keyboard reaches the content first, the search of the guides opens, and the choice of light or dark persists', async () => {
      const { page } = await open(browser(), `${origin()}/docs/reference/client`, desktop);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('reference');
      const appearance = page.getByRole('switch', { name: 'Dark' });
      await appearance.click();
      expect(await appearance.getAttribute('aria-checked')).toBe('true');
      for (const way of ['key', 'click']) {
        if (way === 'key') await page.keyboard.press('Control+k');
        else await page.getByRole('link', { name: 'Search' }).click();
        await page.getByRole('searchbox').fill('Insufficient balance');
        await page.locator('.results a[href*="errors.html#insufficient_balance"]').first().waitFor();
        expect(await page.evaluate(() => [document.documentElement.className, location.search])).toEqual(['dark', '']);
        await page.goto(`${origin()}/docs/reference/client`);
      }
      await page.context().close();
    });
  });
}
