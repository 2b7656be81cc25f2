/** Tests the dashboard's pages before their scripts run. The other files in this folder test them in a browser. */
import { expect, it } from 'vitest';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';

it('every screen is its own page, and contains no data of the workspace (OP-68)', async () => {
  const { urls, control } = await testSandbox();
  const { credentials, admin_token } = ok(await control.GET('/workspace'));
  for (const [path, title] of [
    ['', 'Overview'],
    ['/', 'Overview'],
    ['/traffic?q=CUST0007&seq=3', 'Traffic'],
    ['/redemptions', 'Redemptions'],
    ['/redemptions/RDM-000001-9K2QX4', 'Redemptions'],
    ['/outbox', 'Outbox'],
    ['/ledger', 'Ledger and orders'],
    ['/open-points', 'Open points'],
    ['/simulation', 'Simulation'],
    ['/server', 'Your server'],
    ['/partners', 'Partners'],
  ]) {
    const { status, text, headers } = await look(`${urls.dashboard}${path}`);
    expect([path, status, /<title>(.*)<\/title>/.exec(text)?.[1]]).toEqual([path, 200, `${title} · Sandbox dashboard`]);
    expect(text).toContain('The dashboard needs JavaScript.');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    for (const secret of [admin_token, credentials.company_secret, credentials.service_token]) {
      expect(text).not.toContain(secret);
    }
  }
});

it('an unknown screen is not found, and its page links to the overview', async () => {
  const { urls } = await testSandbox();
  const { status, text } = await look(`${urls.dashboard}/elsewhere`);
  expect(status).toBe(404);
  expect(text).toContain('Page not found');
  expect(text).toContain('<a class="button" href="/dashboard/">Open the overview</a>');
});

it('its modules import each other by the names under which they are served, and nothing else (OP-98)', async () => {
  const { urls } = await testSandbox();
  const { text } = await look(`${urls.dashboard}/`);
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.some((path) => path.startsWith('/assets/simulation-'))).toBe(false);
  expect(paths.at(-1)).toMatch(/^\/assets\/main-[0-9a-f]{12}\.js$/);
  for (const path of paths) {
    const { status, text, headers } = await look(new URL(path, urls.dashboard).href);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/javascript; charset=utf-8']);
    const imports = [...text.matchAll(/\bfrom\s*["']([^"']+)["']/g)].map(([, name = '']) =>
      name.replace('./', '/assets/'),
    );
    expect(imports.filter((name) => !paths.includes(name))).toEqual([]);
  }
});
