/** Checks deliberate violations and exchanges that comply with the contracts (OP-90). */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isApart, registry } from '../../sandbox/apis/registry.ts';
import { loadContracts } from '../harness/contracts.ts';
import { type Draft, example, exchange, operations } from '../harness/exchanges.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { violations } from '../harness/violations.ts';

const checker = sharedChecker();

describe('OP-90: each violation is reported once, against the party at fault', () => {
  it('there are at least 60, in requests and replies of every contract', () => {
    expect(violations.length).toBeGreaterThanOrEqual(60);
    const violatedApis = new Set(violations.map(([operation]) => example(operation).server));
    expect([...violatedApis].sort()).toEqual(Object.keys(registry).sort());
  });

  it.each(violations)('%s %d: %s', (operation, status, _title, spoil, code, pointer, basis) => {
    const draft = example(operation, status);
    const { host } = registry[draft.server as keyof typeof registry];
    spoil(draft);
    const direction = code.split('.')[0];
    // Other tests cover the findings of rules.
    const findings = checker.check(exchange(draft)).findings.filter((finding) => !finding.code.includes('.rule.'));
    const unknown = code === 'request.url.undocumented';
    expect(findings).toEqual([
      {
        code,
        severity: basis.startsWith('stated ') ? 'error' : 'warning',
        basis,
        party: direction === 'request' ? 'caller' : 'host',
        hosted_by: unknown ? 'nobody' : host,
        direction,
        api: expect.any(String),
        operation: unknown || code === 'request.method.undocumented' ? null : operation,
        method: draft.method,
        // The session in a page's path is a credential.
        url: expect.stringContaining(draft.path.replace(/^\/s\/[^/]+/, '/s/***')),
        status: draft.reply.status,
        pointer,
        expected: expect.stringMatching(/./),
        actual: expect.stringMatching(/./),
        contract: { file: expect.stringMatching(/^openapi\/.*\.yaml$/), line: expect.any(Number) },
        trace: draft.reply.headers['x-trace-id'] ?? null,
        times: 1,
      },
    ]);
  });
});

it('OP-90: every operation of every contract is checked once, except those of contracts with an address of their own', () => {
  const documented = loadContracts().filter(({ name }) => !isApart(name));
  const ids = new Set(documented.flatMap((contract) => contract.operations.map(({ id }) => id)));
  const { webhook, ...served } = checker.contracts;
  expect(
    Object.values(served)
      .flatMap((side) => side.map(({ operationId }) => operationId))
      .sort(),
  ).toEqual([...ids].sort());
  expect(webhook.map(({ operationId }) => operationId)).toEqual(['catalogueUpdated']);
});

describe('an exchange that keeps the contracts has no findings', () => {
  const documented = operations.flatMap(({ id, replies }) => replies.map(({ status }) => [id, status] as const));

  it.each(documented)('%s %d', (operation, status) => {
    expect(checker.check(exchange(example(operation, status))).findings).toEqual([]);
  });

  it('OP-102, OP-103: a client may break what only the sandbox promises: closed replies, its own headers and statuses', () => {
    const profile = example('getProfileAndPoints', 200);
    Object.assign(profile.reply, {
      body: { ...(profile.reply.body as object), request_id: 'R-1' },
      headers: { 'content-type': 'application/json' },
    });
    expect(checker.check(exchange(profile)).findings).toEqual([]);
    for (const status of [403, 404, 503]) {
      const refused = example('saveRedeemDetails', 200);
      Object.assign(refused.reply, { status, headers: { 'content-type': 'text/html' }, body: '<html>' });
      expect(checker.check(exchange(refused)).findings).toEqual([]);
    }
    const queued = example('creditPoints', 200);
    Object.assign(queued.reply, { status: 202, headers: {}, body: undefined });
    expect(checker.check(exchange(queued)).findings).toEqual([]);
  });

  it('OP-103, OP-104, OP-107, OP-146: a platform may do so too, with any number, text and status of its own', () => {
    const page = example('listRewards', 200);
    const { items, ...rest } = page.reply.body as { items: object[] };
    const [egv, physical] = items;
    Object.assign(page.reply, {
      body: {
        ...rest,
        total: 2,
        items: [
          { ...egv, id: 0, status: 7, sku_code: '', qty: '1,480', denomination_value: '499.999', brand: 'Spice' },
          { ...physical, stock_qty: '-1' },
        ],
      },
      headers: { 'content-type': 'application/json' },
    });
    expect(checker.check(exchange(page)).findings).toEqual([]);
    const wallet = example('getWalletDetail', 200);
    Object.assign((wallet.reply.body as { data: object[] }).data[0] ?? {}, { denomination: -1, brand: 'Spice' });
    wallet.reply.headers = { 'content-type': 'application/json' };
    expect(checker.check(exchange(wallet)).findings).toEqual([]);
    for (const operation of [
      'companyAuth',
      'createRedemptionOrder',
      'getWalletDetail',
      'login',
      'createProductOrder',
    ]) {
      for (const status of [401, 402, 418, 500, 504]) {
        const refused = example(operation, 200);
        Object.assign(refused.reply, { status, headers: { 'content-type': 'text/html' }, body: '<html>' });
        expect(checker.check(exchange(refused)).findings).toEqual([]);
      }
    }
  });

  it('OP-103: a webhook of another platform may have more fields', () => {
    const [item] = (example('listRewards', 200).reply.body as { items: object[] }).items;
    const draft = (change: string): Draft => ({
      server: 'webhook',
      method: 'POST',
      path: '/catalogueUpdated',
      query: {},
      request: {
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'E-1',
          'webhook-timestamp': '1768192200',
          'webhook-signature': 'v1,x',
        },
        body: {
          type: 'catalogue.updated',
          timestamp: '2026-01-12T04:30:02.000Z',
          id: 'E-1',
          data: { count: 1, items: [{ change, reason: 'sold', item: { ...item, brand: 'Spice', status: 7 } }] },
        },
      },
      reply: { status: 204, headers: {}, body: undefined },
    });
    expect(checker.check(exchange(draft('updated'))).findings).toEqual([]);
    expect(checker.check(exchange(draft('sold'))).findings.map(({ pointer, basis }) => [pointer, basis])).toEqual([
      ['/body/data/items/0/change', 'OP-26'],
    ]);
  });

  it('OP-11, OP-38: unknown query parameters and unknown fields of requests are no findings', () => {
    const draft = example('listRewards', 200);
    draft.query.colour = 'red';
    expect(checker.check(exchange(draft)).findings).toEqual([]);
    const auth = example('companyAuth', 200);
    (auth.request.body as { more?: number }).more = 1;
    expect(checker.check(exchange(auth)).findings).toEqual([]);
  });

  it('HEAD is answered without a body (RFC 9110)', () => {
    const draft = { ...example('listRewards', 200), method: 'HEAD' };
    draft.reply.body = undefined;
    expect(checker.check(exchange(draft)).findings).toEqual([]);
  });
});

describe('a wrong media type, or a body that no contract describes', () => {
  const findingsOf = (draft: Draft) =>
    checker
      .check(exchange(draft))
      .findings.map(({ code, pointer, severity, basis }) => [code, pointer, severity, basis]);
  const wrongType = ['reply.media-type.undocumented', '/headers/content-type', 'warning', 'OP-108'];

  it.each<[title: string, body: unknown, also: readonly unknown[][]]>([
    ['right', undefined, []],
    ['a field of another type', { has_more: 'no' }, [['reply.body.type', '/body/has_more', 'error', 'stated A9 R6']]],
    ['no JSON', '<h1>Error</h1>', [['reply.body.malformed', '/body', 'error', 'stated A9 R6']]],
  ])('OP-108: a reply declared as text/html is a warning, and its body is checked: %s', (_, body, also) => {
    const draft = example('listRewards', 200);
    draft.reply.headers['content-type'] = 'text/html';
    if (typeof body === 'string') draft.reply.body = body;
    else Object.assign(draft.reply.body as object, body);
    expect(findingsOf(draft)).toEqual([wrongType, ...also]);
  });

  it('an empty parameter counts as sent, and is checked like any other', () => {
    const draft = example('listRewards', 400);
    draft.query = { limit: '' };
    const { findings } = checker.check(exchange(draft));
    expect(
      findings.filter(({ direction }) => direction === 'request').map(({ code, pointer }) => [code, pointer]),
    ).toEqual([['request.query.type', '/query/limit']]);
  });

  it('OP-109: a body where the contract has none is a warning, in a request and in a reply', () => {
    const requestDraft = example('getProfileAndPoints', 200);
    requestDraft.request.body = {};
    expect(findingsOf(requestDraft)).toEqual([['request.body.undocumented', '/body', 'warning', 'OP-109']]);
    const replyDraft = example('deleteWebhook', 204);
    replyDraft.reply.headers['content-type'] = 'application/json';
    replyDraft.reply.body = {};
    expect(findingsOf(replyDraft)).toEqual([['reply.body.undocumented', '/body', 'warning', 'OP-109']]);
  });
});

describe('the content of a finding', () => {
  it('it names the line of the hand-written contract', () => {
    for (const [operation, status, , spoil] of violations) {
      const draft = example(operation, status);
      spoil(draft);
      for (const { contract } of checker.check(exchange(draft)).findings) {
        const file = new URL(`../../${contract.file}`, import.meta.url);
        expect(existsSync(file)).toBe(true);
        expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(contract.line);
      }
    }
    const draft = example('listRewards', 200);
    (draft.reply.body as { items: { status: unknown }[] }).items = [{ ...firstItem(draft.reply.body), status: '1' }];
    const [finding] = checker.check(exchange(draft)).findings;
    const lines = readFileSync(new URL(`../../${finding?.contract.file}`, import.meta.url), 'utf8').split('\n');
    expect(lines.slice((finding?.contract.line ?? 0) - 2, finding?.contract.line).join()).toContain('ItemStatus');
  });

  it('OP-145: for a limit that only the sandbox has, it names the limited part and the register row', () => {
    const draft = example('companyAuth', 200);
    draft.request.body = { secret: '' };
    const [finding] = checker.check(exchange(draft)).findings;
    expect([finding?.severity, finding?.basis, finding?.expected]).toEqual(['warning', 'OP-106', 'must not be empty']);
    const lines = readFileSync(new URL(`../../${finding?.contract.file}`, import.meta.url), 'utf8').split('\n');
    expect(lines[(finding?.contract.line ?? 0) - 1]).toContain('secret: { type: string');
  });

  it.each<[rule: string, operation: string, spoil: (draft: Draft) => void, file: string, line: string]>([
    [
      'a request',
      'advanceClock',
      (draft) => (draft.request.body = { seconds: -1 }),
      'clock',
      'seconds: { type: integer, minimum: 0',
    ],
    [
      'a reply',
      'getClock',
      (draft) => (draft.reply.body = { now: '2026-01-12T04:30:00.000Z', mode: 'late' }),
      'clock',
      'mode: { type: string, enum: [running, frozen]',
    ],
    [
      'a part of another resource',
      'triggerCatalogueChange',
      (draft) => (draft.request.body = { item: { qty: 'many' } }),
      'catalogue',
      'StockText: { type: string, pattern: ',
    ],
  ])(
    'for a contract in several files, it names the file and line of the resource: %s',
    (_, operation, spoil, name, text) => {
      const draft = example(operation, 200);
      spoil(draft);
      const [finding] = checker.check(exchange(draft)).findings;
      const file = `openapi/sandbox/${name}.yaml`;
      expect(finding?.contract.file).toBe(file);
      const lines = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');
      expect(lines[(finding?.contract.line ?? 0) - 1]).toContain(text);
    },
  );

  it('secrets are masked', () => {
    const draft = example('companyAuth', 200);
    draft.request.body = { secret: { value: 'sk_hidden' } };
    draft.query.token = 'hidden-too';
    const { findings } = checker.check(exchange(draft));
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toMatch(/hidden/);
  });

  it('credentials in the addresses of pages are masked', () => {
    const entry = example('openPortal', 303);
    entry.reply.headers.location = '/portal/s/hidden/rewards?token=hidden';
    const page = example('showRewards', 200);
    page.path = `/s/${'hidden'.repeat(200)}/rewards`;
    for (const draft of [entry, page]) {
      const { findings } = checker.check(exchange({ ...draft, query: { ...draft.query, token: 'hidden' } }));
      expect(findings).toHaveLength(1);
      expect(JSON.stringify(findings)).not.toMatch(/hidden/);
    }
  });

  it('only the caller is at fault for a bad request that was refused as documented', () => {
    const draft = example('createRedemptionOrder', 400);
    draft.request.body = { uid: 'CUST0001', line_items: [] };
    expect(checker.check(exchange(draft)).findings.map(({ party }) => party)).toEqual(['caller']);
  });
});

function firstItem(page: unknown): { status: unknown } {
  const [item] = (page as { items: { status: unknown }[] }).items;
  if (item === undefined) throw new Error('the example has no item');
  return item;
}
