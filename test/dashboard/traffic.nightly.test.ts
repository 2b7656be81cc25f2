/** Tests the dashboard's overview and traffic in a real browser: contents, live updates and replayed calls. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { hostile } from '../harness/hostile.ts';
import { inspect } from '../harness/inspecting.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { copied, fill, open, reveal, screens, sees } from './screens.ts';

const uid = 'CUST0007';
const onScreen = screens();

const row = (page: Page, text: string) => page.locator('a.row').filter({ hasText: text });
const tab = (page: Page, name: string) => page.getByRole('tab', { name });

/** Makes a call that is refused because its page size exceeds the limit. */
async function makeRefusedCall({ rewards, credentials }: TestSandbox): Promise<void> {
  const { token } = ok(await rewards().POST('/v1/company/auth', { body: { secret: credentials.company_secret } }));
  await rewards(token).GET('/v1/partner/rewards', { params: { query: { limit: 5000 } } });
}

it('the overview has addresses, credentials and the state of the sandbox, and groups errors of one kind (OP-68)', async () => {
  const sandbox = await testSandbox();
  const { control, urls, credentials } = sandbox;
  await onScreen(sandbox, '/', async (page) => {
    await page.getByText('No failed calls').waitFor();
    // Credentials stay hidden from onlookers until the user expands them.
    expect(await page.getByText(credentials.company_secret).isVisible()).toBe(false);
    await page.getByText('Credentials').click();
    const codeTexts = await page.locator('main code').allInnerTexts();
    const shown = [urls.rewards, urls.client, credentials.company_secret, credentials.basic.password];
    expect(codeTexts).toEqual(expect.arrayContaining(shown));
    expect(await page.getByRole('link', { name: urls.microsite }).getAttribute('href')).toBe(urls.microsite);
    expect(await copied(page, sandbox, 'Copy Company secret')).toBe(credentials.company_secret);

    await page.getByText('Nothing to check yet').waitFor();
    await makeRefusedCall(sandbox);
    await makeRefusedCall(sandbox);
    await row(page, 'Invalid limit').filter({ hasText: '2 times' }).waitFor();
    await row(page, '/query/limit').filter({ hasText: 'caller' }).filter({ hasText: '2 times' }).waitFor();
    expect(await inspect(page, 'dashboard-overview')).toEqual([]);
    await row(page, 'Invalid limit').click();
    await page.getByRole('heading', { level: 1, name: 'Traffic' }).waitFor();
    expect(page.url()).toMatch(/\/dashboard\/traffic\?result=errors&pages=1&seq=\d+$/);
    ok(await control.POST('/reset'));
    await page.getByText('Entry not in the log').waitFor();
  });
}, 60_000);

it('OP-152: the reason for a refused request is a finding on the overview, and secrets stay masked', async () => {
  const sandbox = await testSandbox();
  const headers = { 'content-type': 'application/json' };
  const address = `${sandbox.urls.rewards}/v1/company/auth`;
  for (const body of ['{"secret":7}', '{"secret":']) await fetch(address, { method: 'POST', headers, body });
  await fetch(`${sandbox.urls.client}/getProfileAndPoints?uid=${uid}`, { method: 'POST' });
  await onScreen(sandbox, '/', async (page) => {
    await row(page, '/body: JSON').filter({ hasText: 'companyAuth' }).filter({ hasText: 'caller' }).waitFor();
    await row(page, '/headers/authorization').filter({ hasText: 'getProfileAndPoints' }).waitFor();
    expect(await page.getByText('No violations so far').count()).toBe(0);
    await row(page, '/body/secret').click();
    await page.locator('.finding-list li').filter({ hasText: 'number (masked)' }).waitFor();
    expect(await page.locator('main').innerText()).not.toContain('***');
  });
}, 60_000);

it('the mark next to the name has its own colour for a live, a connecting and a lost connection', async () => {
  const sandbox = await testSandbox();
  await onScreen(sandbox, '/outbox', async (page) => {
    const colours = await page.evaluate(() => {
      const mark = document.querySelector('#live') as HTMLElement;
      const base = mark.className.replace('live', '').trim();
      return ['live', 'connecting', 'lost'].map((status) => {
        mark.className = `${base} ${status}`;
        return getComputedStyle(mark, '::before').backgroundColor;
      });
    });
    expect(new Set(colours).size).toBe(3);
  });
});

it('the traffic lists calls and changes as they arrive; the address stores filters and the open call (OP-68)', async () => {
  const sandbox = await testSandbox();
  await onScreen(sandbox, '/traffic', async (page) => {
    await page.getByText('No traffic yet').waitFor();
    expect(await inspect(page, 'dashboard-traffic-empty')).toEqual([]);
    await signIn(sandbox, uid);
    await row(page, 'customerAuth').waitFor();
    const all = (await page.locator('a.row .what strong').allInnerTexts()).join(' ');
    expect(all).toBe(
      'customerAuth getProfileAndPoints session.opened companyAuth verifyOtp otp.verified generateOtp otp.sent',
    );
    await fill(page, { Party: 'client', Kind: 'in', Find: 'OTP' });
    await page.getByText('2 of 8 calls and changes').waitFor();
    expect(page.url()).toMatch(/\?party=client&show=in&q=OTP$/);
    await page.goBack();
    await page.goto(`${sandbox.urls.dashboard}/traffic?party=client&show=in&q=OTP`);
    await page.getByText('2 of 8 calls and changes').waitFor();
    expect(await page.getByLabel('Party').inputValue()).toBe('client');
    await row(page, 'verifyOtp').click();
    await page.getByRole('region', { name: 'verifyOtp' }).waitFor();
    expect(await page.getByLabel('Request body').innerText()).toContain('"otp": "string of 6 (masked)"');
    await tab(page, 'Changes').click();
    expect(await page.locator('.panel .row strong').allInnerTexts()).toEqual(['otp.verified']);
    expect(await inspect(page, 'dashboard-traffic')).toEqual([]);
    await page.getByLabel('Find').fill('nothing like it');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await row(page, 'customerAuth').waitFor();
  });
}, 60_000);

it('a call that breaks its contract says who is at fault, where, and by which line of the contract (OP-66)', async () => {
  const sandbox = await testSandbox();
  await makeRefusedCall(sandbox);
  await onScreen(sandbox, '/traffic?result=findings', async (page) => {
    await row(page, 'listRewards').filter({ hasText: 'violation' }).click();
    await tab(page, 'Findings').click();
    const finding = page.locator('.finding-list li');
    await finding.waitFor();
    expect((await finding.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^violates the interface caller \/query\/limit Basis stated by the interface: L3 Expected must be at most 200 Actual "5000" Contract openapi\/\S*\.yaml:\d+$/,
    );
    expect(await inspect(page, 'dashboard-finding')).toEqual([]);
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByLabel('Result').selectOption('');
    await row(page, 'companyAuth').click();
    await tab(page, 'Findings').click();
    await page.getByText('messages as specified').waitFor();
    const mark = (text: string) => page.getByText(text).first();
    const colour = (text: string) => mark(text).evaluate((element) => getComputedStyle(element).color);
    const { error } = await sandbox.rewards().POST('/v1/company/auth', { body: { secret: '' } });
    expect(error).toMatchObject({ code: 53 });
    await page.goto(new URL('/dashboard/', sandbox.urls.sandbox).href);
    await row(page, '/body/secret').filter({ hasText: 'violates an assumption' }).waitFor();
    await row(page, '/query/limit').filter({ hasText: 'violates the interface' }).waitFor();
    expect(await colour('violates an assumption')).not.toBe(await colour('violates the interface'));
    await row(page, '/body/secret').click();
    await page.locator('.finding-list').getByText('assumed by this sandbox: OP-106').waitFor();
  });
}, 60_000);

it('a call is replayed, or edited and sent again, with a new credential (OP-68)', async () => {
  const sandbox = await testSandbox();
  await makeRefusedCall(sandbox);
  await signIn(sandbox, uid);
  await sandbox.general().GET('/v1/users/profile');
  const { items } = ok(await sandbox.control.GET('/activity'));
  const [list, profile, user] = ['listRewards', 'getProfileAndPoints', 'getUserProfile'].map((name) =>
    items.find((entry) => entry.kind === 'call_in' && entry.operation === name),
  );
  await onScreen(sandbox, `/traffic?seq=${list?.seq}`, async (page) => {
    await reveal(page, 'Replay call', 'Response: 400');
    await page.getByRole('link', { name: 'Edit and resend' }).click();
    expect(page.url()).toContain(`seq=${list?.seq}&edit=1`);
    await page.getByLabel('Path').fill('/rewards/v1/partner/rewards?limit=1');
    await reveal(page, 'Send call', 'Response: 200');
    expect(JSON.parse(await page.getByLabel('Body of the new response').innerText())).toMatchObject({ has_more: true });
    expect(await inspect(page, 'dashboard-resend')).toEqual([]);
    await page.getByRole('link', { name: 'View in Traffic' }).click();
    await page.locator('.panel').getByText('/rewards/v1/partner/rewards?limit=1').waitFor();

    // General API calls can be resent too. Their password belongs to the workspace.
    await open(page, sandbox, `/traffic?seq=${user?.seq}`);
    await page.getByRole('link', { name: 'Edit and resend' }).click();
    await page.getByLabel('Customer').fill(uid);
    await reveal(page, 'Send call', 'Response: 200');

    // A customer credential requires a sign-in, which the dashboard performs with the same operations.
    await open(page, sandbox, `/traffic?seq=${profile?.seq}`);
    await reveal(page, 'Replay call', 'Response: 200');
    expect(await page.getByLabel('Body of the new response').innerText()).toContain('"name": "Surya Kaur"');
  });
}, 60_000);

it('a call is sent again to this sandbox only: no other origin gets a credential (OP-68)', async () => {
  const sandbox = await testSandbox();
  await makeRefusedCall(sandbox);
  const calls = async () => ok(await sandbox.control.GET('/activity')).items.length;
  await onScreen(sandbox, '/traffic?q=listRewards', async (page) => {
    await row(page, 'listRewards').click();
    await page.getByRole('link', { name: 'Edit and resend' }).click();
    const before = await calls();
    const requestedUrls: string[] = [];
    page.on('request', (request) => void requestedUrls.push(request.url()));
    const elsewhere = ['//', '/\\', '/\t/', 'https://'];
    for (const path of [...elsewhere.map((host) => `${host}evil.example/x`), 'javascript:alert(1)', 'x', '']) {
      await page.getByLabel('Path').evaluate((input: HTMLInputElement, value) => {
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, path);
      await reveal(page, 'Send call', 'The path must start with a single slash. Calls go to this sandbox only.');
      await page.getByLabel('Path').fill('/rewards/v1/partner/rewards?limit=1');
      await reveal(page, 'Send call', 'Response: 200');
    }
    expect(requestedUrls.filter((url) => new URL(url).origin !== new URL(sandbox.origin).origin)).toEqual([]);
    // The dashboard sent only calls to this sandbox, each with its sign-in.
    expect((await calls()) - before).toBe(7 * 2);
  });
}, 60_000);

it('a call to the company sign-in is sent again with the secret that the log masks (OP-42)', async () => {
  const sandbox = await testSandbox();
  await makeRefusedCall(sandbox);
  await onScreen(sandbox, '/traffic?q=companyAuth', async (page) => {
    await row(page, 'companyAuth').click();
    expect(await page.getByLabel('Request body').innerText()).toMatch(/"secret": "string of \d+ \(masked\)"/);
    await reveal(page, 'Replay call', 'Response: 200');
  });
}, 60_000);

it('the dashboard of a created workspace requires its admin token, and stores it until the tab is closed (OP-68)', async () => {
  const sandbox = await testSandbox();
  const workspace = ok(await sandbox.control.POST('/workspaces', { body: {} }));
  await onScreen(sandbox, '/', async (page) => {
    const useToken = async (token: string) => {
      await page.evaluate((value) => sessionStorage.setItem('sandbox-admin-token', value), token);
      await page.reload();
    };
    await useToken('at_sandbox_wrong');
    await page.getByText('No workspace has this admin token:').waitFor();
    expect(await inspect(page, 'dashboard-sign-in')).toEqual([]);
    await useToken(workspace.admin_token);
    await sees(page, `Workspace ${workspace.id}`, 'Live (admin token)');
    await page.getByText('Credentials').click();
    expect(await page.locator('main code').allInnerTexts()).toContain(workspace.credentials.company_secret);
  });
}, 60_000);

it('hostile texts appear as text in the traffic', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  for (const [index, name] of hostile.entries())
    await control.POST('/customers', { body: { uid: `H-${index}`, profile: { name } } });
  await onScreen(sandbox, '/traffic', async (page) => {
    const { items } = ok(await control.GET('/activity'));
    const calls = items.filter((entry) => entry.kind === 'call_in');
    expect(calls.length).toBe(hostile.length);
    const nameIn = (body: unknown) => (body as { profile: { name: string } }).profile.name;
    for (const call of calls) {
      await page.evaluate((seq) => {
        history.pushState(null, '', `?seq=${seq}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, call.seq);
      await page.locator(`.panel a[href*="${call.trace}"]`).waitFor();
      const requestBody = JSON.parse((await page.getByLabel('Request body').textContent()) ?? '');
      expect(nameIn(requestBody)).toBe(nameIn('request' in call ? call.request : undefined));
    }
    const elements = page.locator('main img, main script, main iframe, main object, main svg:not(.latency)');
    expect(await elements.count()).toBe(0);
  });
}, 120_000);
