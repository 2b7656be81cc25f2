/** The page of a certification: nothing for axe to find, on a phone and on a desk; hostile texts stay text (OP-198). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { htmlReport } from '../../sandbox/certification/reports/html.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { inspect, pagesOfBrowser } from '../harness/inspecting.ts';
import { failed, reported } from '../harness/reported.ts';

const inPage = pagesOfBrowser();

/** Where a report lies as a page. */
async function written(report: Report): Promise<string> {
  const file = join(await temporaryFolder(), 'report.html');
  await writeFile(file, htmlReport(report));
  return pathToFileURL(file).href;
}

it.each([
  ['passed', reported()],
  ['failed', reported({ 'CRD-02': 'fail', 'CRD-03': 'blocked', 'CRD-04': 'not_selected' })],
  ['environment', reported({}, { outcome: 'environment', problem: 'No response from http://127.0.0.1:8080.' })],
])('OP-198: the page of a run that %s: axe finds nothing, and nothing is cut off', async (name, report) => {
  const url = await written(report);
  await inPage(async (page) => {
    await page.goto(url);
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    expect(await inspect(page, `certification-${name}`)).toEqual([]);
  });
});

it('OP-198: what a server said is text on the page, and the page asks for nothing from anywhere', async () => {
  const evil = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const failures = [
    failed('CRD-02', {
      message: evil,
      actual: evil,
      exchanges: [{ ...failed('').exchanges[0], reply_body: evil } as never],
    }),
  ];
  const url = await written(reported({ 'CRD-02': 'fail' }, { failures }));
  await inPage(async (page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(url);
    expect(await page.locator('article > p').textContent()).toBe(evil);
    expect(await page.locator('img, script').count()).toBe(0);
    expect(asked).toEqual([url]);
  });
});
