/** Tests that a page of another site cannot use the browser to change a sandbox on the same machine (OP-77). */
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { browserOfFile } from '../harness/browser.ts';
import { httpServer } from '../harness/http-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

// Simulates DNS rebinding: after the page has loaded, the site's owner points its host name to the visitor's machine.
const browser = browserOfFile('--host-resolver-rules=MAP rebound.example 127.0.0.1');

/** Opens a page in its own browser context, which closes after the test. */
async function newPage(): Promise<Page> {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Starts another local site with one page of this HTML. Returns its address. */
async function site(html: string): Promise<string> {
  const server = await httpServer((_, response) => void response.setHeader('Content-Type', 'text/html').end(html));
  return `http://localhost:${server.port}/`;
}

const messagesOf = async ({ control }: TestSandbox) => ok(await control.GET('/messages')).items;
const callsOf = async ({ control }: TestSandbox) =>
  ok(await control.GET('/activity')).items.flatMap((entry) =>
    'url' in entry ? [`${entry.method} ${entry.url} ${entry.status}`] : [],
  );

it('a rebound name reaches neither the control API nor, with the public secret of the demo workspace, the rewards API', async () => {
  const sandbox = await testSandbox();
  const { port } = new URL(sandbox.origin);
  const page = await newPage();
  // Any document on that host name is sufficient, because it can read whatever an attacker's page could.
  await page.goto(`http://rebound.example:${port}/nowhere`);
  const results = await page.evaluate(
    async ([secret]) => {
      const json = { 'Content-Type': 'application/json' };
      const call = async (method: string, path: string, body?: object) => {
        const init = { method, headers: json, ...(body && { body: JSON.stringify(body) }) };
        const reply = await fetch(path, init);
        return `${path} ${reply.status}`;
      };
      return [
        await call('GET', '/sandbox/v1/workspace'),
        await call('POST', '/sandbox/v1/reset'),
        await call('POST', '/rewards/v1/company/auth', { secret }),
        await call('GET', '/microsite/'),
        await call('GET', '/dashboard/'),
        await call('GET', '/assets/x'),
      ];
    },
    [sandbox.credentials.company_secret],
  );
  expect(results).toEqual([
    '/sandbox/v1/workspace 400',
    '/sandbox/v1/reset 400',
    '/rewards/v1/company/auth 400',
    '/microsite/ 400',
    '/dashboard/ 400',
    '/assets/x 400',
  ]);
});

it('a form on another site cannot request a one-time password, and the page says why', async () => {
  const sandbox = await testSandbox();
  const page = await newPage();
  const form = `<form method="post" action="${sandbox.urls.microsite}/codes">
    <input name="customer_id" value="CUST0001"><button>Win a prize</button></form>`;
  await page.goto(await site(form));
  await page.getByRole('button').click();
  await page.getByRole('heading', { name: 'This form came from another site' }).waitFor();
  expect(await messagesOf(sandbox)).toEqual([]);
});

it("the microsite's own form can, and the browser sends the origin of the page", async () => {
  const sandbox = await testSandbox();
  const page = await newPage();
  const origins: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') origins.push(request.headers().origin);
  });
  await page.goto(sandbox.urls.microsite);
  await page.getByLabel('Customer ID').fill('CUST0001');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await messagesOf(sandbox)).toMatchObject([{ uid: 'CUST0001', kind: 'otp' }]);
  expect(origins).toEqual([sandbox.origin]);
});

it('scripts, images and frames of another site change nothing; a link to the sandbox works', async () => {
  const sandbox = await testSandbox();
  const { urls } = sandbox;
  const reset = `fetch('${urls.sandbox}/reset', { method: 'POST', mode: 'no-cors' }).finally(() => (document.title = 'tried'))`;
  const page = await newPage();
  await page.goto(
    await site(
      `<a href="${urls.microsite}/">In</a><img src="${urls.portal}/signin?uid=x&token=y"><script>${reset}</script>`,
    ),
  );
  await page.waitForFunction(() => document.title === 'tried');
  await page.waitForLoadState('networkidle');
  expect((await callsOf(sandbox)).toSorted()).toEqual([
    'GET /portal/signin?uid=x&token=*** 400',
    'POST /sandbox/v1/reset 400',
  ]);
  await page.getByRole('link').click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
