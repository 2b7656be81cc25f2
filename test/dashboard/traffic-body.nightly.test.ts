/** Tests an open call in the dashboard: the highlighted body, findings on their lines, and links to the documentation. */
import { expect, it, test } from 'vitest';
import { clientTable, flatTable } from '../../sandbox/contract/failure-tables.ts';
import { errorIndexInsert } from '../../tools/docs/errors-page.ts';
import { inspect } from '../harness/inspecting.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { browserModule, screens } from './screens.ts';

interface Line {
  readonly pointer: string | undefined;
  readonly parts: readonly { readonly kind: string; readonly text: string }[];
}

const { linesOf, placed } = await browserModule<{
  linesOf(value: unknown): readonly Line[];
  placed<T>(lines: readonly Line[], findings: readonly T[]): ReadonlyMap<number, readonly T[]>;
}>('traffic/json-lines.ts');
const { adviceOf } = await browserModule<{ adviceOf(reply: unknown): string | undefined }>('route.ts');

const onScreen = screens();
const text = (lines: readonly Line[]) => lines.map(({ parts }) => parts.map((part) => part.text).join('')).join('\n');

const body = {
  name: 'a "b"\n',
  secret: 'string of 6 (masked)',
  points: { balance: -1.5, list: [1, 'x', { deep: true }, []], none: null },
  empty: {},
  'a/b~c': [[]],
};

test('OP-226: a coloured body has the same text as a plain one', () => {
  for (const value of [body, [], {}, [body, body], 7, null, true, 'x']) {
    expect(text(linesOf(value))).toBe(JSON.stringify(value, null, 2));
  }
  const kinds = linesOf(body).flatMap(({ parts }) => parts.filter(({ kind }) => kind !== 'plain' && kind !== 'key'));
  expect(kinds.map((part) => part.kind).join(' ')).toBe('string masked number number string word word');
});

test('OP-226: a finding is on the line that its pointer names, or on the nearest enclosing line that exists', () => {
  const lines = linesOf(body);
  const at = (pointer: string) => {
    const [index] = placed(lines, [{ pointer }]).keys();
    return index === undefined ? undefined : lines[index]?.parts.map((part) => part.text.trim()).join('');
  };
  expect(at('/body/points/balance')).toBe('"balance":-1.5,');
  expect(at('/body/points/list/2/deep')).toBe('"deep":true');
  expect(at('/body/a~1b~0c/0')).toBe('[]');
  expect(at('/body/points/missing/deeper')).toBe('"points":{');
  expect(at('/body/gone')).toBe('{');
  expect(at('/body')).toBe('{');
  for (const elsewhere of ['/query/limit', '/headers/x', '/status', '/bodyguard'])
    expect(at(elsewhere)).toBeUndefined();
  const two = [{ pointer: '/body/name' }, { pointer: '/body/name' }];
  expect([...placed(lines, two).values()]).toEqual([two]);
});

test('OP-226: the page of errors has an anchor for each possible refusal, by code or by message', () => {
  const anchors = new Set([...errorIndexInsert().matchAll(/ id="([^"]+)"/g)].map(([, id]) => `/docs/errors#${id}`));
  for (const { code } of Object.values(flatTable)) expect(anchors).toContain(adviceOf({ code, message: 'any' }));
  for (const { message: text } of Object.values(clientTable)) {
    const message = typeof text === 'string' ? text : text({ kind: 'not_found', what: 'Path /nowhere' });
    expect(anchors).toContain(adviceOf({ success: false, data: { code: 0, message } }));
  }
  for (const other of [null, undefined, 'text', {}, { data: null }, { data: { points: 1 } }, { code: 'x' }]) {
    expect(adviceOf(other)).toBeUndefined();
  }
});

it('OP-226: a call shows findings on the lines of its body, and links to its operation, its error and the basis of each finding', async () => {
  const sandbox = await testSandbox();
  const { response } = await sandbox.rewards().POST('/v1/company/auth', { body: { secret: 7 as never } });
  expect(response.status).toBe(400);
  const params = { query: { uid: 'CUST0007' } };
  const { error } = await sandbox.client('wrong').POST('/getProfileAndPoints', { params });
  expect(error).toMatchObject({ data: { message: 'Token Invalid' } });
  const { items } = ok(await sandbox.control.GET('/activity'));
  const [first, second] = items.map(({ seq }) => seq);
  await onScreen(sandbox, `/traffic?seq=${first}`, async (page) => {
    const partOf = (kind: string) => page.locator(`.json .${kind}`).first();
    const colour = (kind: string) => partOf(kind).evaluate((part) => getComputedStyle(part).color);
    const request = page.getByLabel('Request body');
    await request.locator('.note').waitFor();
    expect((await request.locator('.found').innerText()).trim()).toBe('"secret": "number (masked)"');
    expect(await request.locator('.note').innerText()).toMatch(/^must be a string, (stated by the interface|assumed)/);
    const basis = request.locator('.note a').first();
    expect(await basis.getAttribute('href')).toMatch(/^\/docs\/(interface|open-points)#\w/);
    await page.getByRole('tab', { name: 'Response' }).click();
    const response = page.getByLabel('Response body');
    expect(await response.locator('.note').count()).toBe(0);
    expect(JSON.parse(await response.innerText())).toMatchObject({ code: 53 });
    expect(await response.locator('.number').allInnerTexts()).toEqual(['53', '400']);
    expect(new Set([await colour('key'), await colour('string'), await colour('number')]).size).toBe(3);
    const href = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await href('companyAuth in the reference')).toBe('/docs/reference/rewards#operation/companyAuth');
    expect(await href('What this means and how to fix it')).toBe('/docs/errors#code-53');
    expect(await inspect(page, 'dashboard-traffic-finding')).toEqual([]);
    await page.goto(`${sandbox.urls.dashboard}/traffic?seq=${second}`);
    await page.getByRole('link', { name: 'in the reference' }).waitFor();
    expect(await href('What this means and how to fix it')).toBe('/docs/errors#token-invalid');
    expect(await href('in the reference')).toBe('/docs/reference/client#operation/getProfileAndPoints');
  });
}, 60_000);

it('OP-226: a body of more than 20,000 characters has no colours, since each would be an element', async () => {
  const sandbox = await testSandbox();
  const token = await sandbox.companyToken();
  ok(await sandbox.rewards(token).GET('/v1/partner/rewards', { params: { query: { limit: 1 } } }));
  const seq = ok(await sandbox.control.GET('/activity')).items.at(-1)?.seq;
  await onScreen(sandbox, `/traffic?seq=${seq}&edit=1`, async (page) => {
    for (const limit of [1, 200]) {
      const coloured = limit === 1;
      await page.reload();
      await page.getByLabel('Path').fill(`/rewards/v1/partner/rewards?limit=${limit}`);
      await page.getByRole('button', { name: 'Send call' }).click();
      const answer = page.getByLabel('Body of the new response');
      await answer.waitFor();
      expect((await answer.innerText()).length > 20_000).toBe(!coloured);
      expect((await answer.locator('.key').count()) > 0).toBe(coloured);
    }
  });
}, 60_000);
