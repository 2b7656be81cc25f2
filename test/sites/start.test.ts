/** The root of the sandbox, and addresses that lead nowhere: a page for browsers, JSON for programs (OP-68). */
import { expect, it } from 'vitest';
import { flat, plain } from '../harness/envelopes.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { shell } from '../harness/shell.ts';
import { look, words } from '../harness/visitor.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const browser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

it('the root is a start page for a browser, which holds no secret', async () => {
  const { origin, control } = await testSandbox();
  const page = await look(`${origin}/`, browser);
  expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'Accept',
  ]);
  expect(
    [...page.text.matchAll(/<li class="panel"><h2><a href="([^"]*)">([^<]*)/g)].map((match) => match.slice(1)),
  ).toEqual([
    ['/dashboard/', 'Dashboard'],
    ['/microsite/', 'Microsite'],
  ]);
  const { data } = await control.GET('/workspace');
  expect(page.text).not.toContain(data?.credentials.company_secret);
  expect(page.text).not.toContain(data?.admin_token);
});

it('its commands place an order as they are', async () => {
  const { origin } = await testSandbox();
  const page = await look(`${origin}/`, browser);
  const commands = /<code>([\s\S]*?)<\/code>/.exec(page.text)?.[1] ?? '';
  const { stdout } = await shell(commands.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'));
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'Pending',
    lines: [{ product_name: 'Spice Route Kitchen e-gift voucher 500', quantity: 1 }],
  });
});

it.each([[{}], [{ headers: { Accept: 'application/json' } }]])(
  'the root returns the links as JSON to a program: %j',
  async (init) => {
    const { origin, urls } = await testSandbox();
    const { status, body } = await raw(`${origin}/`, init);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        service: 'rewards-sandbox',
        dashboard: urls.dashboard,
        microsite: urls.microsite,
        control_api: `${origin}/sandbox/v1`,
        documentation: null,
      },
    });
  },
);

it('an unknown address outside the APIs is a page for a browser, and JSON for a program', async () => {
  const { origin } = await testSandbox();
  const page = await look(`${origin}/nowhere`, browser);
  expect([page.status, words(page)]).toEqual([
    404,
    'Page not found This page does not exist or has been removed. Open the start page',
  ]);
  expect(plain(await raw(`${origin}/nowhere`))).toEqual(flat(404, 44, 'Not found'));
  expect(plain(await raw(`${origin}/`, { method: 'POST' }))).toEqual(flat(404, 44, 'Not found'));
  expect((await look(`${origin}/rewards/nowhere`, browser)).headers.get('content-type')).toMatch(/^application\/json/);
});

it('the root belongs to no workspace', async () => {
  const sandbox = await testSandbox();
  const { urls } = (await workspaceOf(sandbox)).details;
  const root = urls.portal.replace(/\/portal$/, '/');
  expect((await look(root, browser)).status).toBe(404);
});

it('the portal without a token leads to the microsite of its workspace (OP-96)', async () => {
  const sandbox = await testSandbox();
  const made = (await workspaceOf(sandbox)).details;
  for (const { portal, microsite } of [sandbox.urls, made.urls]) {
    for (const address of [portal, `${portal}/`]) {
      const page = await look(address);
      expect([page.status, words(page)]).toEqual([
        200,
        'Open the portal from a sign-in The portal opens with a token that your rewards programme issues when you sign in. Go to the microsite',
      ]);
      expect(page.text).toContain(`<a class="button" href="${new URL(microsite).pathname}/">`);
    }
  }
});
