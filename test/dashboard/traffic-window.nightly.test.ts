/** A long log in the dashboard's traffic: what is in the page of it, how quick it is, and the way through it by keyboard. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inspect, pagesOfBrowser } from '../harness/inspecting.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const inPage = pagesOfBrowser();

/** Calls that no contract knows, so many and each with its number in its path. */
async function calls({ urls }: TestSandbox, from: number, to: number): Promise<void> {
  let next = from;
  const caller = async () => {
    while (next <= to) {
      const response = await fetch(`${urls.rewards}/nowhere/${next++}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
}

async function open(page: Page, { urls }: TestSandbox, query = ''): Promise<void> {
  await page.goto(`${urls.dashboard}/traffic${query}`);
  await page.locator('#live.live').waitFor();
}

/** The number of the entry that has the focus, by its address. */
const focused = (page: Page) =>
  page.evaluate(() => Number(/seq=(\d+)/.exec((document.activeElement as HTMLAnchorElement).href)?.[1]));

/** The numbers of the rows that can be seen, from the top of the window down. */
const inSight = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.windowed > li')]
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      })
      .map((row) => Number((row as HTMLElement).dataset.key)),
  );

it('OP-225: of 10,000 rows only those in view are in the page, wherever it is scrolled to, and it stays quick', async () => {
  const sandbox = await testSandbox();
  await calls(sandbox, 1, 10_000);
  await inPage(async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, sandbox);
    const rows = page.locator('.windowed > li');
    await rows.first().waitFor();
    await page.getByRole('button', { name: 'Load older entries' }).click();
    await page.getByText('10000 of 10000').waitFor();
    expect(await page.getByRole('button', { name: 'Load older entries' }).count()).toBe(0);
    const most = 800 / 40 + 2 * 12 + 2;
    expect(await rows.count()).toBeLessThanOrEqual(most);
    expect(await rows.first().getAttribute('aria-setsize')).toBe('10000');

    const places: (string | null)[] = [];
    const durations: number[] = [];
    for (const share of [0.25, 0.5, 1, 0]) {
      durations.push(
        await page.evaluate(async (to) => {
          const begun = performance.now();
          scrollTo(0, to * document.documentElement.scrollHeight);
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          return performance.now() - begun;
        }, share),
      );
      const seen = await inSight(page);
      expect(seen.length).toBeGreaterThan(5);
      expect(seen).toEqual([...seen].sort((a, b) => b - a));
      expect(await rows.count()).toBeLessThanOrEqual(most);
      places.push(await rows.last().getAttribute('aria-posinset'));
    }
    expect(places[2]).toBe('10000');
    const begun = performance.now();
    await page.getByLabel('Find').fill('nowhere/123');
    await page.getByText('11 of 10000').waitFor();
    durations.push(performance.now() - begun);
    console.info('10,000 rows, four jumps and a search, ms:', durations);
    // Half a second is what a person takes for slow; on this machine it takes a tenth of that.
    expect(Math.min(...durations.slice(0, 4))).toBeLessThan(200);
    expect(Math.max(...durations)).toBeLessThan(3000);
  });
}, 180_000);

it('OP-225: the arrow keys lead from row to row through all of the list, and what is open follows them', async () => {
  const sandbox = await testSandbox();
  await calls(sandbox, 1, 300);
  await inPage(async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, sandbox);
    await page.getByText('300 of 300').waitFor();
    // By the tab key the list is one stop, as long as it is.
    expect(await page.locator('.windowed a[tabindex="0"]').count()).toBe(1);
    await page.getByRole('button', { name: 'API calls only' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe(300);
    for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(240);
    expect(await inSight(page)).toContain(240);
    expect(page.url()).toMatch(/\/traffic$/);
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe(241);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe(1);
    expect(await inSight(page)).toContain(1);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(1);
    await page.keyboard.press('PageUp');
    expect(await focused(page)).toBeGreaterThan(5);
    expect(await inSight(page)).toContain(await focused(page));
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe(300);

    await page.keyboard.press('ArrowDown');
    const place = () => page.locator('[data-key="299"]').boundingBox();
    const before = await place();
    await page.keyboard.press('Enter');
    await page.locator('.panel').getByText('/rewards/nowhere').waitFor();
    expect(page.url()).toMatch(/seq=299$/);
    expect((await place())?.y).toBe(before?.y);
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/seq=298$/);
    await page.locator('.row[aria-current]').waitFor();
    expect(await page.locator('.row[aria-current]').evaluate((row) => row === document.activeElement)).toBe(true);
    expect(await inspect(page, 'dashboard-traffic-long')).toEqual([]);
  });
}, 120_000);

it('OP-225: what is read stays where it is while more comes in above it, and at the top the newest is seen to come', async () => {
  const sandbox = await testSandbox();
  await calls(sandbox, 1, 200);
  await inPage(async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, sandbox);
    await page.getByText('200 of 200').waitFor();
    await page.evaluate(() => scrollTo(0, 2500));
    await page.locator('[data-key="130"]').waitFor();
    const before = await inSight(page);
    expect(before[0]).toBeLessThan(190);
    await calls(sandbox, 201, 240);
    await page.getByText('240 of 240').waitFor({ state: 'attached' });
    expect(await inSight(page)).toEqual(before);
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('[data-key="240"]').waitFor();
    await calls(sandbox, 241, 245);
    await page.getByText('245 of 245').waitFor();
    expect((await inSight(page))[0]).toBe(245);
  });
}, 60_000);
