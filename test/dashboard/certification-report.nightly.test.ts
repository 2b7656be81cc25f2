/**
 * Tests the certification report as a web page. axe must find no issues on a phone or a desktop, and hostile text must
 * stay text (OP-198).
 */
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

/** Writes a report as a page and returns its URL. */
async function writeReport(report: Report): Promise<string> {
  const file = join(await temporaryFolder(), 'report.html');
  await writeFile(file, htmlReport(report));
  return pathToFileURL(file).href;
}

it.each([
  ['passed', reported()],
  ['failed', reported({ 'CRD-02': 'fail', 'CRD-03': 'blocked', 'CRD-04': 'not_selected' })],
  ['environment', reported({}, { outcome: 'environment', problem: 'No response from http://127.0.0.1:8080.' })],
])('OP-198: %s: axe finds no issues on the page of the run, and nothing is cut off', async (name, report) => {
  const url = await writeReport(report);
  await inPage(async (page) => {
    await page.goto(url);
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    expect(await inspect(page, `certification-${name}`)).toEqual([]);
  });
});

it('OP-198: server responses appear as text on the page, and the page requests nothing else', async () => {
  const evil = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const failures = [
    failed('CRD-02', {
      message: evil,
      actual: evil,
      exchanges: [{ ...failed('').exchanges[0], reply_body: evil } as never],
    }),
  ];
  const url = await writeReport(reported({ 'CRD-02': 'fail' }, { failures }));
  await inPage(async (page) => {
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto(url);
    expect(await page.locator('article > p').textContent()).toBe(evil);
    expect(await page.locator('img, script').count()).toBe(0);
    expect(requestedUrls).toEqual([url]);
  });
});
