/** Tests that the control API refuses invalid calls with the reason, names it does not define (OP-246), and unknown resources. */
import { expect, it } from 'vitest';
import { at, follow, type Node, type Operation, readContract } from '../../sandbox/contract/document.ts';
import { flat, notFound, plain } from '../harness/envelopes.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { refusing } from '../harness/state.ts';

const { bundle, operations } = readContract('sandbox');
const target = 'saveRedeemDetails';

/** Calls the control API with the demo workspace's admin token. */
function call({ urls, workspace }: TestSandbox, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${workspace.admin_token}`, 'content-type': 'application/json' };
  return raw(`${urls.sandbox}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

it.each([
  ['/faults', { target, fault: 'timeout', time: 1 }, '/time is unknown, did you mean `times`?'],
  ['/faults', { target, fault: 'timeout', tiems: 1 }, '/tiems is unknown, did you mean `times`?'],
  [
    '/faults',
    { target, fault: 'timeout', colour: 1 },
    '/colour is an unknown field; known: `target`, `fault`, `times`, `share`, `ms`, `status`',
  ],
  ['/clock/advance', { secnds: 5 }, '/secnds is unknown, did you mean `seconds`?'],
  ['/workspaces', { settings: { rateLimit: 5 } }, '/settings/rateLimit is unknown, did you mean `rate_limit`?'],
  ['/workspaces', { settings: { colour: 5 } }, '/settings/colour is an unknown field'],
  ['/customers', { uid: 'CUST9001', points: { balnce: 5 } }, '/points/balnce is unknown, did you mean `balance`?'],
  ['/customers', JSON.parse('{"uid":"CUST9001","__proto__":{"uid":"x"}}'), /^\/__proto__ is an unknown field/],
  ['/certifications', { customers: ['A'], otp: { cod: '1' } }, '/otp/cod is unknown, did you mean `code`?'],
  ['/snapshots', { ['x'.repeat(60_000)]: 1 }, `/${'x'.repeat(199)}... is an unknown field; known: \`name\``],
])(
  'OP-246: an unknown field of POST %s is refused, with the nearest name or the known ones (%#)',
  async (path, body, message) => {
    const sandbox = await testSandbox();
    const expectNoEffect = await refusing(sandbox);
    const { status, body: answer } = plain(await expectNoEffect(call(sandbox, 'POST', path, body)));
    expect({ status, body: answer }).toEqual(flat(400, 53, expect.stringMatching(/^Invalid request: /)));
    const [first] = (answer as { message: string }).message.replace('Invalid request: ', '').split('; /');
    if (typeof message === 'string') expect(first).toBe(message);
    else expect(first).toMatch(message);
  },
);

it.each([
  ['/activity?limt=5', 'limt is unknown, did you mean `limit`?'],
  ['/customers?colour=red', 'colour is an unknown parameter; known: `limit`, `after`'],
  ['/clock?now=1', 'now is an unknown parameter'],
  ['/activity?%F0%9F%98%80=1', '\u{1F600} is an unknown parameter'],
])('OP-246: GET %s is refused', async (path, message) => {
  const answer = plain(await call(await testSandbox(), 'GET', path));
  expect(answer).toEqual(flat(400, 53, expect.stringContaining(`Invalid request: query parameter ${message}`)));
});

it('OP-246: every operation refuses a query parameter that it does not have, and documents it', async () => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const pathOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, '1');
  const answers = await expectNoEffect(
    Promise.all(operations.map((each) => call(sandbox, each.method, `${pathOf(each)}?surplus=1`))),
  );
  const refused = flat(400, 53, expect.stringMatching(/^Invalid request: query parameter surplus is an unknown /));
  expect(answers.map(plain)).toEqual(operations.map(() => refused));
});

it('OP-246: every body of the control API is closed at every level, except for messages of agents', () => {
  const open = operations.flatMap(({ operationId, body }) =>
    body === undefined ? [] : openObjects(body.schema).map((place) => `${operationId}${place}`),
  );
  expect(open).toEqual(['sendMcpMessage', 'sendMcpMessage/params']);
});

/**
 * Returns the locations of objects in a body that may have unknown fields. Maps are excluded, because callers choose
 * their keys and a schema defines their values.
 */
function openObjects(pointer: string, place = ''): string[] {
  const target = follow(bundle, pointer);
  const { type, properties = {}, items, additionalProperties } = at(bundle, target) as Node;
  const fields = Object.keys(properties as Node);
  return [
    ...(type === 'object' && additionalProperties !== false && typeof additionalProperties !== 'object' ? [place] : []),
    ...fields.flatMap((name) => openObjects(`${target}/properties/${name}`, `${place}/${name}`)),
    ...(items === undefined ? [] : openObjects(`${target}/items`, `${place}/items`)),
  ];
}

it('OP-246: a message of an agent may have fields that the contract does not have', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', surplus: 1, params: { surplus: 1 } };
  const answer = await call(await testSandbox(), 'POST', '/mcp', message);
  expect(answer.status).not.toBe(400);
});

/** The contract's pattern for allowlist entries. The sandbox additionally checks that the range is valid. */
const range = '^[0-9A-Fa-f:.]+/[0-9]{1,3}$ (an address range such as 10.0.0.0/8 or 2001:db8::/32)';
const notHttps =
  '/settings/client_url must be an https URL, or http on loopback or in a private range allowed with --allow-address';

/** Invalid bodies by call, and the problem with each. */
const invalid: Readonly<Record<string, readonly (readonly [body: object, problem: unknown])[]>> = {
  'POST /catalogue': [
    [{ product_type: 'EGV' }, '/sku_code is required'],
    [{ sku_code: 'X', product_type: 'GIFT' }, '/product_type must be one of "EGV", "PHYSICAL"'],
    [{ sku_code: 'X', product_type: 'EGV', price: '5' }, '/price does not belong to a EGV item'],
    [{ sku_code: 'X', product_type: 'PHYSICAL', qty: '5' }, '/qty does not belong to a PHYSICAL item'],
    [{ sku_code: 'X', product_type: 'EGV', qty: '5', stock: 6 }, '/stock differs from qty'],
    [{ sku_code: 'X', product_type: 'PHYSICAL', stock_qty: '5', stock: 6 }, '/stock differs from stock_qty'],
    [{ sku_code: 'X', product_type: 'EGV', stock: -1 }, '/stock must be at least 0'],
    [{ sku_code: 'X', product_type: 'EGV', status: 3 }, '/status must be one of 0, 1, 2'],
  ],
  'PATCH /catalogue/EGV-SPICE-500': [[{ price: '5' }, '/price does not belong to a EGV item']],
  'PUT /vendor-outcomes/EGV-SPICE-500': [
    [{}, '/outcome is required'],
    [{ outcome: 'explode' }, expect.stringContaining('/outcome must be one of "deliver", ')],
    [{ outcome: 'reject', times: 0 }, '/times must be at least 1'],
    [{ outcome: 'fail_then_deliver', times: 5 }, '/times must be at most 4: the platform gives up after 5 attempts'],
    [{ outcome: 'deliver', delay_seconds: -1 }, '/delay_seconds must be at least 0'],
  ],
  'POST /customers': [
    [{}, '/uid is required'],
    [{ uid: '' }, '/uid must not be empty'],
    [{ uid: 'X', points: { balance: -1 } }, '/points/balance must be at least 0'],
    [{ uid: 'X', points: {} }, '/points/balance is required'],
    [{ uid: 'X', points: { balance: 1e15 } }, '/points/balance must be at most 999,999,999,999,999'],
    [{ uid: 'X', profile: { pincode: 5 } }, '/profile/pincode must be at least 100,000'],
  ],
  'POST /clock/advance': [
    [{}, '/seconds is required'],
    [{ seconds: -1 }, '/seconds must be at least 0'],
    [{ seconds: 0.5 }, '/seconds must be an integer'],
    [{ seconds: '5' }, '/seconds must be an integer'],
    [{ seconds: 31_536_001 }, '/seconds must be at most 31,536,000'],
  ],
  'PATCH /workspace': [
    [{ settings: { tds_percent: 5, rate_limit: 0 } }, '/settings/rate_limit must be at least 1'],
    [{ settings: { rate_limit: '5' } }, '/settings/rate_limit must be an integer'],
    [{ settings: { tds_percent: 101 } }, '/settings/tds_percent must be at most 100'],
    ...['0', '0.00'].map(
      (point_value_inr) =>
        [{ settings: { point_value_inr } }, expect.stringContaining('/settings/point_value_inr must match')] as const,
    ),
    [{ settings: { point_value_inr: 1 } }, '/settings/point_value_inr must be a string'],
    [{ settings: { on_timeout: 'maybe' } }, '/settings/on_timeout must be one of "wait", "reverse"'],
    [{ settings: { pending_timeout: 0 } }, '/settings/pending_timeout must be at least 1'],
    [{ settings: { allowlist: ['10.0.0.0/8', '10.0.0.1'] } }, `/settings/allowlist/1 must match ${range}`],
    [{ settings: { allowlist: ['10.0.0.0/8 '] } }, `/settings/allowlist/0 must match ${range}`],
    ...['::::/8', '10.0.0.0/33'].map(
      (text) =>
        [
          { settings: { tds_percent: 5, allowlist: [text] } },
          '/settings/allowlist/0 must be an address range such as 10.0.0.0/8',
        ] as const,
    ),
    ...['https://a.example; script-src *', "'self'", '*', 'https://a.example/path'].map(
      (origin) =>
        [
          { settings: { frame_ancestors: ['https://a.example', origin] } },
          expect.stringContaining('/settings/frame_ancestors/1 must match'),
        ] as const,
    ),
    [{ settings: { client_url: 'http://client.example/' } }, notHttps],
    [{ settings: { client_url: 'file:///etc/passwd' } }, notHttps],
    [{ settings: { client_token: '' } }, '/settings/client_token must not be empty'],
  ],
  'POST /triggers/status_update': [[{}, '/redeemCode is required; /status is required']],
  'POST /triggers/timeout': [[{}, '/redeemCode is required']],
  'POST /triggers/vendor_outcome': [[{}, '/redeemCode is required; /outcome is required']],
  'POST /triggers/catalogue_change': [
    [{ sku_code: 'EGV-CHAI-250', item: { price: '5' } }, '/item/price does not belong to a EGV item'],
    [{ change: 'removed', item: { stock: 0 } }, '/item cannot be combined with removed'],
  ],
  'POST /listener': [
    ...['http://user:secret@localhost:8080', 'http://localhost:8080/?a=b', 'ftp://localhost', 'localhost:8080'].map(
      (forward_to) => [{ forward_to }, expect.stringContaining('/forward_to must match')] as const,
    ),
  ],
};

it.each(Object.entries(invalid).flatMap(([target, rows]) => rows.map((row) => [target, ...row] as const)))(
  'OP-71: %s with the invalid body %o is refused, and nothing changes',
  async (target, body, problem) => {
    const sandbox = await testSandbox();
    const { control } = sandbox;
    const look = async () => [ok(await control.GET('/clock')), ok(await control.GET('/vendor-outcomes'))];
    const [before, expectNoEffect] = [await look(), await refusing(sandbox)];
    const [method = '', path = ''] = target.split(' ');
    const message = typeof problem === 'string' ? `Invalid request: ${problem}` : problem;
    expect(plain(await expectNoEffect(call(sandbox, method, path, body)))).toEqual(flat(400, 53, message));
    expect(await look()).toEqual(before);
  },
);

it.each([
  [
    ['customers', 'catalogue', 'messages', 'orders', 'deliveries', 'reconciliation'],
    ['limit=0', 'limit=1001', 'limit=x'],
  ],
  [['activity'], ['limit=0', 'limit=10001', 'limit=ten']],
  [['partners'], ['days=0', 'days=91', 'limit=0', 'after=x', 'dias=7']],
  [
    ['messages', 'activity', 'orders', 'redemptions/RDM-1'],
    ['wait=61', 'wait=-1', 'wait=soon', 'after=-1', 'after=x'],
  ],
  [['activity/stream'], ['after=-1']],
])('OP-82: GET %j with any of the queries %j is refused', async (paths, queries) => {
  const sandbox = await testSandbox();
  for (const path of paths.flatMap((each) => queries.map((query) => `/${each}?${query}`))) {
    const { status, body } = await call(sandbox, 'GET', path);
    expect({ path, status, body }).toMatchObject({ path, status: 400, body: { code: 53 } });
  }
});

const unknownCode = { redeemCode: 'RDM-999999-NONE22' };

it.each([
  ['PATCH /catalogue/EGV-NOBODY', {}, 'Item EGV-NOBODY'],
  ['DELETE /catalogue/EGV-NOBODY', undefined, 'Item EGV-NOBODY'],
  ['DELETE /catalogue/__proto__', undefined, 'Item __proto__'],
  ['DELETE /catalogue/MAGIC-EGV-SLOW', undefined, 'Item MAGIC-EGV-SLOW'],
  ['GET /vendor-outcomes/EGV-NOBODY', undefined, 'Item EGV-NOBODY'],
  ['PUT /vendor-outcomes/EGV-NOBODY', { outcome: 'reject' }, 'Item EGV-NOBODY'],
  ['DELETE /vendor-outcomes/EGV-NOBODY', undefined, 'Item EGV-NOBODY'],
  ['PATCH /customers/CUST9999', {}, 'Customer CUST9999'],
  ['GET /ledger/CUST9999', undefined, 'Customer CUST9999'],
  ['GET /redemptions/RDM-0', undefined, 'Redemption RDM-0'],
  ['GET /orders/__proto__', undefined, 'Order __proto__'],
  ['POST /deliveries/W000000000999/replay', undefined, 'Delivery W000000000999'],
  ['POST /deliveries/%20/replay', undefined, 'Delivery  '],
  ['POST /listener/no-listener/replies', { id: '1' }, 'Call 1 of listener no-listener'],
  ['POST /triggers/status_update', { ...unknownCode, status: 'Rejected' }, 'Redemption RDM-999999-NONE22'],
  ['POST /triggers/timeout', unknownCode, 'Redemption RDM-999999-NONE22'],
  ['POST /triggers/vendor_outcome', { ...unknownCode, outcome: 'deliver' }, 'Redemption RDM-999999-NONE22'],
  ['POST /triggers/catalogue_change', { sku_code: 'EGV-NONE' }, 'Item EGV-NONE'],
  ['POST /triggers/webhook_test', {}, 'Webhook (the one registered last)'],
  ['POST /triggers/webhook_test', { webhook_id: 'WHK-000009-NONE' }, 'Webhook WHK-000009-NONE'],
  ['POST /triggers/nothing', {}, expect.stringContaining('nothing')],
])('OP-71, OP-86: %s %j gets 404, and nothing changes', async (target, body, what) => {
  const sandbox = await testSandbox();
  const expectNoEffect = await refusing(sandbox);
  const [method = '', path = ''] = target.split(' ');
  const answer = plain(await expectNoEffect(call(sandbox, method, path, body)));
  expect(answer).toEqual(typeof what === 'string' ? notFound(what) : flat(404, 44, what));
});
