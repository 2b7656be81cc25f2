/** Tests the traffic check on HARs and activity log exports (OP-90, OP-91). */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { mask } from '../../sandbox/activity-log/masking.ts';
import { CaptureError, checkCapture } from '../../sandbox/conformance/capture.ts';
import type { Checker } from '../../sandbox/conformance/checker.ts';
import type { ServerAddresses } from '../../sandbox/conformance/har.ts';
import { at } from '../../sandbox/contract/document.ts';
import { entry, har } from '../harness/captures.ts';
import { loadContracts } from '../harness/contracts.ts';
import { type Draft, example, operations } from '../harness/exchanges.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { scaled } from '../harness/scale.ts';
import { checkText } from './statements/check.ts';

const [rewards] = loadContracts().filter(({ name }) => name === 'rewards');
const catalogueUpdated = at(
  rewards?.document ?? {},
  '/webhooks/catalogueUpdated/post/requestBody/content/application~1json/examples/out_of_stock/value',
);

/** Builds a webhook as the platform sends it, with these items. */
function webhook(items: readonly unknown[], status = 204): Draft {
  const headers = {
    'webhook-id': 'MSG-1',
    'webhook-timestamp': '1768192200',
    'webhook-signature': 'v1,x',
    'content-type': 'application/json',
  };
  const body = { type: 'catalogue.updated', timestamp: '2026-01-12T04:30:02.000Z', data: { items } };
  const reply = { status, headers: {}, body: undefined };
  return { server: 'webhook', method: 'POST', path: '/hook', query: {}, request: { headers, body }, reply };
}

const check = (text: string, addresses: ServerAddresses = {}, apis?: string[]) =>
  checkText(text, { addresses, ...(apis && { apis }) });

describe('a HAR', () => {
  it('every documented exchange of every contract is clean, and covers everything', async () => {
    const { data } = catalogueUpdated as { data: { items: unknown[] } };
    const webhooks = [204, 500].map((status) => entry(webhook(data.items, status), 'https://hooks.example'));
    // Every site has a root, so calls to `/` are not attributed to the start page.
    const drafts = operations.flatMap(({ id, replies }) => replies.map(({ status }) => example(id, status)));
    const apiEntries = drafts.filter(({ server }) => server !== 'start').map((draft) => entry(draft));
    const entries = [...apiEntries, ...webhooks];
    const report = await check(har(entries));
    expect(report).toMatchObject({
      source: 'har',
      exchanges: { checked: entries.length, outside: 0 },
      findings: [],
    });
    expect(report.coverage.percent).toBe(100);
    expect(report.coverage.cells.filter(({ api, seen }) => api !== 'start' && seen === 0)).toEqual([]);
  });

  it('reports a mistake once for all entries that repeat it', async () => {
    const draft = example('listRewards', 200);
    (draft.reply.body as { has_more: unknown }).has_more = 'no';
    const report = await check(har([entry(draft), entry(draft), entry(example('listRewards', 200))]));
    expect(report.findings).toMatchObject([{ code: 'reply.body.type', pointer: '/body/has_more', times: 2 }]);
    const cells = report.coverage.cells.filter(({ operation, seen }) => operation === 'listRewards' && seen > 0);
    expect(cells).toMatchObject([
      { direction: 'request', seen: 3, faulty: 0 },
      { direction: 'reply', status: 200, seen: 3, faulty: 2 },
    ]);
  });

  it('OP-90: a body of 4 MB is a notice: it is too large to be checked', async () => {
    const { response, ...call } = entry(example('listRewards', 200));
    const content = { mimeType: 'application/json', text: `"${'x'.repeat(4 * 1024 * 1024)}"` };
    const report = await check(har([{ ...call, response: { ...response, content } }]));
    const actual = 'it is larger than 1048576 bytes';
    expect(report.findings).toMatchObject([{ code: 'reply.body.unchecked', severity: 'notice', actual }]);
  });

  it('skips calls to other hosts, entries without a call, and preflight requests of a browser', async () => {
    const good = entry(example('listRewards', 200));
    const elsewhere = { ...good, request: { ...good.request, url: 'https://fonts.example/x.css' } };
    const headless = { ...good, request: { ...good.request, headers: 'none' } };
    const header = { name: 'Access-Control-Request-Method', value: 'GET' };
    const preflight = { ...good, request: { ...good.request, method: 'OPTIONS', headers: [header] } };
    const report = await check(har([elsewhere, headless, preflight, good, {}]));
    expect(report.exchanges).toEqual({ checked: 1, outside: 2, unreadable: 2 });
    expect(report.findings).toEqual([]);
  });

  it('a recording of `redocly respect`, which masks secrets, is clean; the scheme of a masked credential is checked', async () => {
    const recorded = readFileSync(new URL('recorded/respect.har', import.meta.url), 'utf8');
    expect(await check(recorded)).toMatchObject({
      exchanges: { checked: 6, outside: 0, unreadable: 0 },
      findings: [],
    });
    const report = await check(recorded.replace('Basic ********', 'Bearer ********'));
    expect(report.findings).toMatchObject([{ code: 'request.credential.scheme', operation: 'generateOtp' }]);
  });

  it('a server at another address is recognised by the address in the settings', async () => {
    const { request, response } = entry(example('saveRedeemDetails', 200));
    const moved = {
      request: { ...request, url: 'https://client.example/api/saveRedeemDetails' },
      response: { ...response, status: 201 },
    };
    expect((await check(har([moved]))).exchanges).toEqual({ checked: 0, outside: 1, unreadable: 0 });
    const report = await check(har([moved]), { client: [new URL('https://client.example/api/')] });
    expect(report.findings).toMatchObject([{ code: 'reply.status.undocumented', operation: 'saveRedeemDetails' }]);
  });

  it('a webhook is recognised by its headers, whatever its address', async () => {
    const hook = entry(webhook([{ change: 'sold' }], 202), 'https://hooks.example');
    expect((await check(har([hook]))).findings).toMatchObject([
      {
        code: 'request.body.required',
        operation: 'catalogueUpdated',
        hosted_by: 'client',
        party: 'caller',
        pointer: '/body/data/items/0/item',
      },
      { code: 'request.body.enum', pointer: '/body/data/items/0/change' },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'not json'],
    ['half a HAR', '{"log":{"entries":[{"request":'],
    ['another document', '{"openapi":"3.1.0"}'],
    ['entries that are not a list', '{"log":{"entries":{}}}'],
    ['half a line of k6', '{"type":"Metric","data":'],
  ])('%s is refused', async (_title, text) => {
    await expect(check(text)).rejects.toThrow(CaptureError);
  });
});

describe('an export of the activity log', () => {
  it('a journey through the sandbox is clean; each call between its parties is counted once', async () => {
    const sandbox = await testSandbox();
    const { customerToken } = await signIn(sandbox, 'CUST0001');
    const lines = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
    ok(
      await sandbox
        .rewards(customerToken)
        .POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0001', line_items: lines } }),
    );
    ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 5 } }));
    const exported = await (await fetch(`${sandbox.urls.sandbox}/activity`)).text();
    const report = await check(exported);
    expect(report).toMatchObject({ source: 'activity', findings: [] });
    const requestCount = (operation: string) =>
      report.coverage.cells.find((cell) => cell.operation === operation && cell.direction === 'request')?.seen;
    expect(['saveRedeemDetails', 'updateRedeemStatus', 'createRedemptionOrder'].map(requestCount)).toEqual([1, 1, 1]);
  });

  it('a body that was not read because the call was refused earlier is a notice', async () => {
    const sandbox = await testSandbox();
    const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
    await sandbox.rewards('nobody').POST('/v1/partner/redeemptiononskus', { body });
    ok(await sandbox.control.POST('/faults', { body: { target: 'companyAuth', fault: 'status', status: 503 } }));
    await sandbox.rewards().POST('/v1/company/auth', { body: { secret: 'any' } });
    const report = await check(await (await fetch(`${sandbox.urls.sandbox}/activity`)).text());
    expect(report.findings.map(({ code, severity, operation }) => [code, severity, operation])).toEqual([
      ['request.body.unchecked', 'notice', 'createRedemptionOrder'],
      ['request.body.unchecked', 'notice', 'companyAuth'],
    ]);
  });

  it('calls to a client server at another address are read as the platform sent them; masked values are not checked', async () => {
    const call = { kind: 'call_out', trace: 't', party: 'client', method: 'POST', notices: [] };
    const url = 'https://client.example/creditPoints';
    const request = { uid: '***', eventType: 'CASH', transactionId: 'T', paymentAmount: '***', points: '1' };
    const credit = {
      ...call,
      url,
      operation: 'creditPoints',
      status: 200,
      request,
      reply: { success: true, status: 200 },
    };
    const report = await check(JSON.stringify({ items: [credit] }));
    expect(report.findings).toMatchObject([{ code: 'request.body.const', pointer: '/body/eventType', trace: 't' }]);
  });

  it.each<[spoil: string, secret: unknown, code: string, actual: string]>([
    ['a number', 7, 'request.body.type', 'number (masked)'],
    ['a list', ['a'], 'request.body.type', 'array of 1 (masked)'],
    ['an empty text', '', 'request.body.minLength', '""'],
  ])(
    'OP-73: a secret that is %s is a finding both in a HAR and in a masked export',
    async (_, secret, code, actual) => {
      const draft = example('companyAuth', 400);
      draft.request.body = { secret };
      const sandbox = await testSandbox();
      await sandbox.rewards().POST('/v1/company/auth', { body: { secret } as never });
      const exported = await (await fetch(`${sandbox.urls.sandbox}/activity`)).text();
      for (const capture of [har([entry(draft)]), exported]) {
        const { findings } = await check(capture);
        expect(findings).toMatchObject([{ code, pointer: '/body/secret', actual, severity: expect.any(String) }]);
        expect(findings).toHaveLength(1);
      }
    },
  );

  it('OP-66: findings in headers, made when a call was logged, are reported from its export', async () => {
    const sandbox = await testSandbox();
    await raw(`${sandbox.urls.rewards}/v1/partner/rewards`);
    const { findings } = await check(await (await fetch(`${sandbox.urls.sandbox}/activity`)).text());
    expect(findings).toMatchObject([
      { code: 'request.credential.missing', operation: 'listRewards', method: 'GET', status: 401, times: 1 },
    ]);
  });

  it('OP-66: findings added to an export by hand count only if they are well-formed, and are truncated', async () => {
    const call = {
      kind: 'call_in',
      trace: 't',
      party: 'platform',
      method: 'GET',
      url: '/rewards/v1/partner/rewards?limit=5',
    };
    const callFields = { ...call, operation: 'listRewards', status: 200, request: null, reply: null };
    const finding = {
      code: 'reply.body.type',
      severity: 'error',
      basis: 'stated A4',
      party: 'host',
      hosted_by: 'platform',
      direction: 'reply',
      api: 'rewards',
      pointer: '/body',
      expected: 'x'.repeat(5000),
      actual: '\u001b[31m',
      contract: { file: 'openapi/rewards.yaml', line: 1 },
    };
    const edited = [finding, { ...finding, code: 'no code' }, null, 'text'];
    const { findings } = await check(JSON.stringify({ items: [{ ...callFields, findings: edited }] }));
    const own = findings.filter(({ code }) => code === 'reply.body.type');
    expect(own.map(({ expected, actual }) => [expected.length, actual])).toEqual([[1003, '\\u001b[31m']]);
    expect(findings.some(({ code }) => code === 'no code')).toBe(false);
  });

  it('OP-73: masked values in an export are not checked again', async () => {
    const draft = example('getProfileAndPoints', 200);
    const { profile, points } = draft.reply.body as { profile: object; points: object };
    const url = 'https://a.example/x?uid=CUST0007';
    const callFields = { kind: 'call_out', trace: 't', party: 'client', method: 'POST', url };
    const reply = mask({ profile: { ...profile, pan: 12345 }, points });
    const call = { ...callFields, operation: 'getProfileAndPoints', status: 200, request: null, reply };
    expect((await check(JSON.stringify({ items: [call] }))).findings).toEqual([]);
  });

  it('masked Basic credentials, as redocly respect writes them, are not checked; another scheme is', async () => {
    const entryWith = (authorization: string) => {
      const draft = example('generateOtp', 200);
      draft.request.headers.authorization = authorization;
      return entry(draft);
    };
    expect((await check(har([entryWith('Basic ********')]))).findings).toEqual([]);
    const report = await check(har([entryWith('Bearer ********')]));
    expect(report.findings).toMatchObject([{ code: 'request.credential.scheme', party: 'caller' }]);
  });
});

it('OP-91: requests and successes of the selected contracts count, errors do not', async () => {
  const report = await check(har([entry(example('companyAuth', 401)), entry(example('getClock', 200))]), {}, [
    'rewards',
  ]);
  const { percent, covered, documented, cells } = report.coverage;
  expect(
    cells.filter(({ counted }) => counted).every(({ api, status }) => api === 'rewards' && (status ?? 0) < 400),
  ).toBe(true);
  expect([covered, documented]).toEqual([1, cells.filter(({ counted }) => counted).length]);
  expect(percent).toBeLessThan(10);
});

it('OP-91: pages, the control API and webhooks are listed, and count only when they are selected', async () => {
  const counted = async (apis?: string[]) => {
    const { cells } = (await check(har([]), {}, apis)).coverage;
    return [...new Set(cells.filter((cell) => cell.counted).map(({ api }) => api))].sort();
  };
  expect(await counted()).toEqual(['auth', 'client', 'general', 'rewards', 'v2-client', 'v2-platform']);
  expect(await counted(['portal', 'sandbox'])).toEqual(['portal', 'sandbox']);
  const { cells } = (await check(har([]), {}, ['rewards'])).coverage;
  expect(cells.filter(({ operation }) => operation === 'catalogueUpdated')).toMatchObject([
    { direction: 'request', status: null, counted: false },
    { direction: 'reply', status: 204, counted: false },
    { direction: 'reply', status: 500, counted: false },
  ]);
});

it('entries are checked as they are read: only a few of many are in memory at a time', async () => {
  const total = scaled(3000, 20_000);
  const one = JSON.stringify(entry(example('companyAuth', 401)));
  const { contracts } = sharedChecker();
  let [entryCount, checkedCount, mostPending] = [0, 0, 0];
  const source = Readable.from(
    (function* () {
      yield '{"log":{"entries":[';
      for (; entryCount < total; entryCount += 1) {
        mostPending = Math.max(mostPending, entryCount - checkedCount);
        yield `${entryCount === 0 ? '' : ','}${one}`;
      }
      yield ']}}';
    })(),
  );
  // A stub checker that retains nothing of an exchange.
  const counting = {
    contracts,
    check: () => {
      checkedCount += 1;
      return { operation: undefined, findings: [] };
    },
  };
  const collector = await checkCapture(source, counting as unknown as Checker, { version: '0.0.0', addresses: {} });
  expect(collector.report.exchanges.checked).toBe(total);
  expect(mostPending).toBeGreaterThan(0);
  expect(mostPending).toBeLessThan(500);
});
