/** Tests that the control API refuses fields and query parameters that an operation does not define (OP-246). */
import { expect, it } from 'vitest';
import { at, follow, type Node, type Operation, readContract } from '../../sandbox/contract/document.ts';
import { flat, plain } from '../harness/envelopes.ts';
import { raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
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
  ['/faults', { target, fault: 'timeout', Times: 1 }, '/Times is unknown, did you mean `times`?'],
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
