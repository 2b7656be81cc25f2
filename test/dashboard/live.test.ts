/** Tests the dashboard's connection status in a busy browser. */
import { it } from 'vitest';
import { pagesOfBrowser } from '../harness/inspecting.ts';
import { testSandbox } from '../harness/sandbox.ts';

const inPage = pagesOfBrowser();

/** Delays work that a library schedules after a frame, as a busy browser does: no frames occur, and short timers fire late. */
function beBusy() {
  window.requestAnimationFrame = () => 0;
  const { setTimeout } = window;
  const isShort = (milliseconds = 0) => milliseconds > 0 && milliseconds < 50;
  window.setTimeout = ((task: () => void, milliseconds?: number) =>
    setTimeout(task, isShort(milliseconds) ? 3000 : milliseconds)) as typeof window.setTimeout;
}

it('OP-226: a log that arrives right after the first drawing is shown, even in a busy browser without later traffic', async () => {
  const sandbox = await testSandbox();
  await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards');
  await inPage(async (page) => {
    await page.addInitScript(beBusy);
    await page.route('**/activity?*', async (route) => {
      await page.locator('.screen').waitFor();
      await route.continue();
    });
    await page.goto(`${sandbox.urls.dashboard}/traffic`);
    await page.locator('#live.live').waitFor();
    await page.locator('a.row').filter({ hasText: 'listRewards' }).waitFor();
  });
}, 60_000);
