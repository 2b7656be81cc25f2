/** What a page of another site can make a browser do to the sandbox on the same machine: nothing (OP-77). */
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { browserOfFile } from '../harness/browser.ts';
import { httpServer } from '../harness/http-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

// The name of a site whose owner lets it lead to the visitor's own machine once its page is loaded.
const browser = browserOfFile('--host-resolver-rules=MAP rebound.example 127.0.0.1');

/** A page of the browser's own; it is gone when the test is over. */
async function newPage(): Promise<Page> {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Another site on this machine, whose one page holds this HTML. */
async function site(html: string): Promise<string> {
  const server = await httpServer((_, response) => void response.setHeader('Content-Type', 'text/html').end(html));
  return `http://localhost:${server.port}/`;
}

const messagesOf = async ({ control }: TestSandbox) => ok(await control.GET('/messages')).items;
const callsOf = async ({ control }: TestSandbox) =>
  ok(await control.GET('/activity')).items.flatMap((entry) =>
    'url' in entry ? [`${entry.method} ${entry.url} ${entry.status}`] : [],
  );

it('a rebound name reaches neither the control API nor, with the secret that everybody knows, the rewards API', async () => {
  const sandbox = await testSandbox();
  const { port } = new URL(sandbox.origin);
  const page = await newPage();
  // Any document of that name will do: what it may read of the same origin is what a page of the attacker's could.
  await page.goto(`http://rebound.example:${port}/nowhere`);
  const tried = await page.evaluate(
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
  expect(tried).toEqual([
    '/sandbox/v1/workspace 400',
    '/sandbox/v1/reset 400',
    '/rewards/v1/company/auth 400',
    '/microsite/ 400',
    '/dashboard/ 400',
    '/assets/x 400',
  ]);
});

it('the form of another site asks for no one-time password, and says why', async () => {
  const sandbox = await testSandbox();
  const page = await newPage();
  const form = `<form method="post" action="${sandbox.urls.microsite}/codes">
    <input name="customer_id" value="CUST0001"><button>Win a prize</button></form>`;
  await page.goto(await site(form));
  await page.getByRole('button').click();
  await page.getByRole('heading', { name: 'This form came from another site' }).waitFor();
  expect(await messagesOf(sandbox)).toEqual([]);
});

it("the microsite's own form does, also where the browser names no site but the page's own", async () => {
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

it('scripts, images and frames of another site change nothing; a link leads here', async () => {
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
