/** Tests in a real browser that the traffic screen hides page loads by default. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';
import { screens } from './screens.ts';

const onScreen = screens();
const names = (page: Page) => page.locator('a.row .what strong').allTextContents();

it('lists API calls; page loads and unknown addresses only on request', async () => {
  const sandbox = await testSandbox();
  await look(sandbox.urls.microsite);
  await raw(`${sandbox.origin}/robots.txt`);
  await raw(`${sandbox.urls.rewards}/nowhere`);
  await onScreen(sandbox, '/traffic', async (page) => {
    await page.getByText('1 of 3 calls and changes').waitFor();
    expect(await names(page)).toEqual(['/rewards/nowhere']);
    const chip = page.getByRole('button', { name: 'API calls only', pressed: true });
    expect(await inspect(page, 'dashboard-traffic-api')).toEqual([]);
    await chip.click();
    await page.getByText('3 of 3 calls and changes').waitFor();
    expect(await names(page)).toEqual(['/rewards/nowhere', '/robots.txt', 'showSignIn']);
    expect(new URL(page.url()).search).toBe('?pages=1');
    await page.reload();
    await page.getByRole('button', { name: 'API calls only', pressed: false }).click();
    await page.getByText('1 of 3 calls and changes').waitFor();
    expect(new URL(page.url()).search).toBe('');
    // The filter does not hide a call that is opened by its sequence number.
    await page.goto(`${sandbox.urls.dashboard}/traffic?seq=1`);
    await page.getByRole('region', { name: 'showSignIn' }).waitFor();
  });
}, 60_000);
