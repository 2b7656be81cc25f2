/** Tests that input designed to crash the proxy or the check leads only to a finding or a refusal (OP-39, OP-90). */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CaptureError } from '../../sandbox/conformance/capture.ts';
import { Checker } from '../../sandbox/conformance/checker.ts';
import type { CheckedOperation } from '../../sandbox/conformance/contracts.ts';
import { excessOf } from '../../sandbox/conformance/decoding.ts';
import { FindingCollector } from '../../sandbox/conformance/finding-collector.ts';
import { junitReport } from '../../sandbox/conformance/report-junit.ts';
import { sarifReport } from '../../sandbox/conformance/report-sarif.ts';
import { textReport } from '../../sandbox/conformance/report-text.ts';
import { entry } from '../harness/captures.ts';
import { type Draft, example, exchange } from '../harness/exchanges.ts';
import { httpServer } from '../harness/http-server.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { checkText } from './statements/check.ts';

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const page = '{"items":[],"next_cursor":null,"has_more":false}';
const json = { 'Content-Type': 'application/json', 'X-Trace-Id': 'ab'.repeat(16) };
const listing = '/rewards/v1/partner/rewards';

const codes = (draft: Draft) =>
  sharedChecker()
    .check(exchange(draft))
    .findings.map(({ code, severity }) => `${severity} ${code}`);

describe('bodies', () => {
  it('OP-39: JSON nested 16 deep is checked, deeper JSON is not, however deep', async () => {
    const at = (levels: number): unknown => JSON.parse(deep(levels));
    expect([16, 17, 400_000].map((levels) => excessOf(at(levels))?.kind)).toEqual([undefined, 'deep', 'deep']);
    for (const levels of [17, 5000, 20_000]) {
      const requestDraft = example('companyAuth', 200);
      requestDraft.request.body = `{"secret":"s","more":${deep(levels - 1)}}`;
      expect(codes(requestDraft)).toEqual(['warning request.body.too-deep']);
      const replyDraft = example('companyAuth', 200);
      replyDraft.reply.body = deep(levels);
      expect(codes(replyDraft)).toEqual(['warning reply.body.too-deep']);
    }
  });

  it('a body with very many values, or with a very long list, is not checked', async () => {
    const bodies = [
      JSON.stringify({ items: Array(2001).fill(1), next_cursor: null, has_more: false }),
      JSON.stringify(Object.fromEntries(Array.from({ length: 30_001 }, (_, at) => [`k${at}`, 1]))),
      JSON.stringify({ items: Array(500).fill(Array(100).fill({})) }),
    ];
    for (const body of bodies) {
      const draft = example('listRewards', 200);
      draft.reply.body = body;
      expect(codes(draft)).toEqual(['notice reply.body.unchecked']);
    }
    const form = example('requestCode');
    form.request.body = Array.from({ length: 60_000 }, (_, at) => `k${at}=`).join('&');
    expect(codes(form).at(0)).toBe('notice request.body.unchecked');
  });

  it('names of built-in object properties are ordinary names', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const draft = example('listRewards', 200);
    for (const name of names) draft.query[name] = 'x';
    draft.path += `?${names.map((name) => `${name}=1&${name}=2`).join('&')}`;
    draft.query = {};
    expect(codes(draft)).toEqual([]);
    const coded = example('listRewards', 200);
    coded.reply.headers['content-encoding'] = 'constructor';
    expect(codes(coded)).toEqual(['notice reply.body.unchecked']);
  });

  it('a decompression bomb is not checked, nor is a body in many codings', async () => {
    const bomb = example('listRewards', 200);
    bomb.reply.body = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    bomb.reply.headers['content-encoding'] = 'gzip';
    expect(codes(bomb)).toEqual(['notice reply.body.unchecked']);
    bomb.reply.headers['content-encoding'] = Array(2000).fill('gzip').join();
    expect(codes(bomb)).toEqual(['notice reply.body.unchecked']);
  });

  it('OP-90: a body that unpacks to more than 64 KiB and 100 times its size is not checked', async () => {
    const packed = (characters: number) => {
      const draft = example('companyAuth', 200);
      draft.request.body = gzipSync(`{"secret":"${'0'.repeat(characters)}"}`);
      draft.request.headers['content-encoding'] = 'gzip';
      return draft;
    };
    expect(codes(packed(60 * 1024))).toEqual(['warning request.body.maxLength']);
    const { findings } = sharedChecker().check(exchange(packed(70 * 1024)));
    expect(findings).toMatchObject([
      { code: 'request.body.unchecked', actual: 'it unpacks to more than 100 times its size' },
    ]);
  });
});

describe('findings of one message', () => {
  const pointers = (draft: Draft, direction: string) =>
    sharedChecker()
      .check(exchange(draft))
      .findings.filter((found) => found.direction === direction)
      .map(({ code, pointer }) => `${code} ${pointer}`);

  it.each([
    ['no fields', {}],
    ['no object', 1],
    ['fields of the wrong type', { sku: 1, brand: 1, denomination: 'x', points: null }],
  ])('OP-90: stop at 20, the first of them, in a list of items with %s', (_title, item) => {
    const found = (items: number) => {
      const draft = example('listRewards', 200);
      draft.reply.body = { items: Array(items).fill(item), next_cursor: null, has_more: false };
      return pointers(draft, 'reply');
    };
    const few = found(20);
    expect(few).toHaveLength(20);
    expect(found(1990)).toEqual(['reply.body.maxItems /body/items', ...few.slice(0, -1)]);
  });

  it('OP-90: stop at 20 in a request, findings of the statements included', () => {
    const found = (lines: number) => {
      const draft = example('createRedemptionOrder');
      draft.request.body = { uid: 'CUST0001', line_items: Array(lines).fill({ quantity: 'x' }) };
      return pointers(draft, 'request');
    };
    expect([found(101).length, found(1990)]).toEqual([20, found(101)]);
  });
});

it('OP-90: the body of a request that was refused unread is not checked; one that was refused as invalid is', () => {
  const found = (status: number, operation = 'createRedemptionOrder') => {
    const draft = example(operation, status);
    draft.request.body = { line_items: Array(20).fill({}) };
    const { findings, unchecked } = sharedChecker().check(exchange(draft));
    return [findings.length, unchecked];
  };
  for (const status of [401, 403, 413, 415, 429]) expect([status, ...found(status)]).toEqual([status, 0, false]);
  expect(found(400)).toEqual([20, false]);
  // The credential of this operation is in the body.
  expect(found(401, 'companyAuth')).toEqual([1, false]);
});

it('a check that throws becomes a notice for its exchange', async () => {
  const { contracts } = sharedChecker();
  const broken = ({ asHost: _, ...operation }: CheckedOperation) =>
    Object.defineProperty(operation, 'requestRule', {
      get: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    }) as CheckedOperation;
  const checker = new Checker({ ...contracts, rewards: contracts.rewards.map(broken) });
  expect(checker.check(exchange(example('companyAuth', 200))).findings).toMatchObject([
    {
      code: 'request.body.unchecked',
      severity: 'notice',
      actual: 'internal error in the check: Maximum call stack size exceeded',
    },
  ]);
});

describe.each(['report', 'enforce'] as const)('through the proxy in mode %s', (mode) => {
  it.each([
    ['a deep request', '{"secret":'.concat(deep(20_000), '}'), page],
    ['a deep reply', '{"secret":"s"}', deep(20_000)],
    ['both', deep(300_000), `{"items":${deep(300_000)}}`],
    ['half a character', '{"secret":"\\ud800"}', '{"items":[{"sku":"\\udfff"}]}'],
    ['out-of-range numbers', '{"secret":1e999}', `{"items":-1e999,"next_cursor":${'9'.repeat(100_000)}}`],
    [
      'names of built-in object properties',
      '{"__proto__":{"secret":1},"constructor":null}',
      '{"__proto__":[],"toString":1}',
    ],
  ])('%s fails at most its own call', async (_title, requestBody, replyBody) => {
    const upstream = await httpServer((request, response) => {
      request.resume().once('end', () => response.writeHead(200, json).end(request.url === listing ? page : replyBody));
    });
    const proxy = await proxyTo(upstream, { mode });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${proxy.url}/rewards/v1/company/auth`, { method: 'POST', headers, body: requestBody });
    expect([200, 400, 502]).toContain(answer.status);
    await answer.text();
    const { errors, warnings } = proxy.book.report.totals;
    expect(errors + warnings).toBeGreaterThan(0);
    const good = await fetch(proxy.url + listing, { headers: { authorization: 't' } });
    expect([good.status, await good.text()]).toEqual([200, page]);
  });
});

describe('captures', () => {
  const good = () => entry(example('companyAuth', 200));
  const entryWith = (change: { readonly request?: object; readonly response?: object }) => {
    const { request, response, ...around } = good();
    const changed = { request: { ...request, ...change.request }, response: { ...response, ...change.response } };
    return JSON.stringify({ ...around, ...changed });
  };

  it.each([
    ['a status of 050', entryWith({ response: { status: 50 } })],
    ['a status that is a text', entryWith({ response: { status: '200' } })],
    ['an out-of-range status', entryWith({ response: { status: 1e300 } })],
    ['headers that are not a list', entryWith({ request: { headers: { name: 'x' } } })],
    ['headers without names', entryWith({ response: { headers: [{}, null, 1] } })],
    ['a body that is a number', entryWith({ response: { content: { text: 5 } } })],
    ['a body that is a list', entryWith({ request: { postData: { text: ['x'] } } })],
    ['an invalid URL', entryWith({ request: { url: 'http://[' } })],
    ['an invalid method', entryWith({ request: { method: { toUpperCase: 1 } } })],
    ['no object', '[[]]'],
    ['nothing', 'null'],
    ['depth', deep(50_000)],
  ])('an entry with %s is unreadable, and the next one is checked', async (_title, text) => {
    const report = await checkText(`{"log":{"entries":[${text},${JSON.stringify(good())}]}}`);
    expect(report).toMatchObject({ exchanges: { checked: 1, outside: 0, unreadable: 1 }, findings: [] });
  });

  it('an entry with a deep body leads to a finding, and the next one is checked', async () => {
    const deepEntry = entryWith({ request: { postData: { text: deep(100_000) } } });
    const report = await checkText(`{"log":{"entries":[${deepEntry},${JSON.stringify(good())}]}}`);
    expect(report.exchanges.checked).toBe(2);
    expect(report.findings).toMatchObject([{ code: 'request.body.too-deep', pointer: '/body' }]);
  });

  it('a capture that is deep around its entries is refused', async () => {
    const text = `{"more":${deep(100_000)},"log":{"entries":[${JSON.stringify(good())}]}}`;
    await expect(checkText(text)).rejects.toThrow(CaptureError);
  });

  const call = {
    kind: 'call_in',
    trace: 't',
    operation: 'companyAuth',
    method: 'POST',
    url: '/rewards/v1/company/auth',
  };
  it.each([
    ['an invalid trace', { ...call, trace: { toString: 1 } }],
    ['an invalid operation', { ...call, kind: 'call_out', operation: [] }],
    ['an invalid status', { ...call, status: 50 }],
    ['an invalid URL', { ...call, url: 5 }],
    ['nothing', null],
  ])('an entry of an activity log with %s is unreadable, and the next one is checked', async (_title, entry) => {
    const next = {
      ...call,
      status: 200,
      request: { secret: 's' },
      reply: JSON.parse(JSON.stringify(example('companyAuth', 200).reply.body)),
    };
    const report = await checkText(JSON.stringify({ items: [entry, next] }));
    expect(report).toMatchObject({ exchanges: { checked: 1, unreadable: 1 } });
  });

  it('an entry of an activity log with a deep body leads to a finding', async () => {
    const text = JSON.stringify({ ...call, status: 200, request: { secret: 's' }, reply: 'REPLY' });
    const report = await checkText(`{"items":[${text.replace('"REPLY"', deep(50_000))}]}`);
    expect(report.findings).toMatchObject([{ code: 'reply.body.too-deep' }]);
  });
});

describe('a report', () => {
  const nasty = '\u0000\u001b[31m\u007f\u0085\u2028\u202e\ufffe\ud800"<&>';

  it('truncates values, and has no characters that are unsafe in a terminal or in XML', async () => {
    const checker = sharedChecker();
    const collector = new FindingCollector(checker, 'proxy', '0.0.0');
    const draft = example('companyAuth', 200);
    draft.reply.headers['x-trace-id'] = nasty.repeat(100);
    draft.reply.body = { [nasty.repeat(10_000)]: nasty, token_type: nasty.repeat(1000) };
    const nastyExchange = {
      ...exchange(draft),
      method: 'POST',
      url: `/rewards/v1/company/auth?${nasty.repeat(10_000)}`,
    };
    collector.add(nastyExchange, checker.check(nastyExchange));
    const unknown = { ...nastyExchange, path: `/${nasty.repeat(1000)}`, method: nasty.repeat(1000) };
    collector.add(unknown, checker.check(unknown));
    const { report } = collector;
    expect(report.findings.length).toBeGreaterThan(3);
    for (const finding of report.findings) expect(JSON.stringify(finding).length).toBeLessThan(30_000);
    for (const output of [
      JSON.stringify(report),
      junitReport(report),
      sarifReport(report),
      textReport(report, false),
    ]) {
      expect(output.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u202e\ufffe]/u);
      expect(output).toContain('u001b');
    }
  });
});
