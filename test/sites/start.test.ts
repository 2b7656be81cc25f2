/** Tests the sandbox's root and unknown addresses, which return a page to browsers and JSON to programs (OP-68). */
import { expect, it } from 'vitest';
import { notFound, plain } from '../harness/envelopes.ts';
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

it.each([
  ['as they are', {}],
  ['with the admin token where other machines can reach the sandbox', { host: '0.0.0.0', warn: () => {} }],
])('its commands place an order %s', async (_title, options) => {
  const { origin, workspace } = await testSandbox(options);
  const page = await look(`${origin}/`, browser);
  const commands = /<code>([\s\S]*?)<\/code>/.exec(page.text)?.[1] ?? '';
  const lines = commands.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  expect(lines.includes('$ADMIN_TOKEN')).toBe('host' in options);
  const { stdout } = await shell(`ADMIN_TOKEN=${workspace.admin_token}\n${lines}`);
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

it('where other machines can reach the sandbox, it links to no microsite: each workspace has its own', async () => {
  const { origin } = await testSandbox({ host: '0.0.0.0', warn: () => {} });
  expect((await raw(`${origin}/`)).body).toMatchObject({ dashboard: `${origin}/dashboard`, microsite: null });
  const page = await look(`${origin}/`, browser);
  const links = [...page.text.matchAll(/<a href="(\/[^"]+)"/g)].map(([, path = '']) => path);
  for (const path of links) expect([path, (await look(`${origin}${path}`, browser)).status]).toEqual([path, 200]);
  expect(words(page)).toContain('Microsite Each workspace has its own. The dashboard links to it.');
});

it('an unknown address outside the APIs is a page for a browser, and JSON for a program', async () => {
  const { origin } = await testSandbox();
  const page = await look(`${origin}/nowhere`, browser);
  expect([page.status, words(page)]).toEqual([
    404,
    'Page not found This page does not exist or has been removed. Open the start page',
  ]);
  expect(plain(await raw(`${origin}/nowhere`))).toEqual(notFound('Path /nowhere'));
  expect(plain(await raw(`${origin}/`, { method: 'POST' }))).toEqual(notFound('Path /'));
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
