/** Checks a HAR that Playwright recorded of a visit and of API calls (OP-155). */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkCapture } from '../../sandbox/conformance/capture.ts';
import { browserOfFile } from '../harness/browser.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { entryFor } from '../harness/visitor.ts';

const browser = browserOfFile();

/** Records a visit to the portal, a sign-in and a listing with this limit, then checks the recording. */
async function checkVisit(sandbox: TestSandbox, limit: string) {
  const path = join(await temporaryFolder(), 'visit.har');
  const context = await browser().newContext({ recordHar: { path, content: 'embed' } });
  const page = await context.newPage();
  await page.goto(await entryFor(sandbox, 'CUST0001'));
  await page.getByRole('link', { name: 'History' }).click();
  const data = { secret: sandbox.credentials.company_secret };
  const { token } = await (await context.request.post(`${sandbox.urls.rewards}/v1/company/auth`, { data })).json();
  const headers = { Authorization: `Bearer ${token}` };
  const listing = `${sandbox.urls.rewards}/v1/partner/rewards?limit=${limit}`;
  const { status } = await page.evaluate(async (url) => ({ status: (await fetch(url.href, url)).status }), {
    href: listing,
    headers,
  });
  await context.close();
  const options = { version: '0.0.0', addresses: {} };
  return { status, ...(await checkCapture(createReadStream(path), sharedChecker(), options)).report };
}

it('OP-155: a HAR that Playwright records of pages, a sign-in and a listing is clean', async () => {
  const { status, findings, exchanges } = await checkVisit(await testSandbox(), '5');
  expect([status, findings]).toEqual([200, []]);
  // Two pages, a sign-in and a listing. Styles and scripts belong to no contract.
  expect(exchanges.checked).toBe(4);
}, 60_000);

it('OP-155: a wrong request in such a HAR is a finding against the caller', async () => {
  const { status, findings } = await checkVisit(await testSandbox(), 'none');
  expect(status).toBe(400);
  expect(findings.map(({ code, party, operation, pointer }) => [code, party, operation, pointer])).toEqual([
    ['request.query.type', 'caller', 'listRewards', '/query/limit'],
  ]);
}, 60_000);
