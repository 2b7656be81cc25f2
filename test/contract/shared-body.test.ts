/** Bodies that many calls share: made and checked once, sent with a tag, and not sent to who has them (OP-89). */
import { expect, test } from 'vitest';
import type { Node } from '../../sandbox/contract/document.ts';
import { isNamed, SharedBody } from '../../sandbox/contract/shared-body.ts';
import type { HandlerAnswer } from '../../sandbox/contract/types.ts';
import { bundle, type Make, serveLamps } from './lamps.ts';

const lit = { id: 'a', lit: true };
const tag = new SharedBody(lit).etag;

/** The lamps, whose read operation documents a 304. */
const withNotModified = (): Node => {
  const own = structuredClone(bundle);
  Object.assign(own.paths['/lamps/{id}'].get.responses, { 304: { description: '' } });
  return own;
};

/** Answers with what `answer.now` is at the time. */
async function sharing(shared: SharedBody, contract: Node = withNotModified()) {
  const answer = { now: { status: 200, shared } as HandlerAnswer };
  const make: Make = async () => answer.now;
  return { answer, ...(await serveLamps(make, contract)) };
}

const internalError = {
  name: 'Internal Server Error',
  message: 'Internal error',
  code: 64,
  status: 500,
  type: 'ServerErrorHttpException',
};

test('OP-89: the bytes of a shared body are those that the same body has in an ordinary reply', async () => {
  const { answer, read } = await sharing(new SharedBody(lit));
  const shared = await read();
  answer.now = { status: 200, body: lit };
  const ordinary = await read();
  expect([shared.status, shared.body]).toEqual([ordinary.status, ordinary.body]);
  for (const name of ['content-type', 'content-length']) {
    expect([name, shared.headers.get(name)]).toEqual([name, ordinary.headers.get(name)]);
  }
  for (const body of [lit, { id: 'Käse €, 茶, "quoted" \u2028 😀', lit: false }, null, []]) {
    expect(new SharedBody(body).bytes.toString()).toBe(JSON.stringify(body));
  }
});

test('OP-89: a shared body is checked once, not with each call', async () => {
  let looked = 0;
  const watched = { id: 'a', lit: true };
  const shared = new SharedBody(watched);
  Object.defineProperty(watched, 'lit', {
    enumerable: true,
    get() {
      looked += 1;
      return true;
    },
  });
  const { read } = await sharing(shared);
  expect((await read()).body).toEqual(lit);
  const once = looked;
  expect(once).toBeGreaterThan(0);
  for (let call = 0; call < 3; call += 1) expect((await read()).body).toEqual(lit);
  expect(looked).toBe(once);
});

test('OP-89: another shared body is checked when it is first sent, and again each time as long as it breaks the contract', async () => {
  const { answer, read, violations } = await sharing(new SharedBody(lit));
  expect((await read()).status).toBe(200);
  answer.now = { status: 200, shared: new SharedBody({ id: 'a', lit: 'yes' }) };
  for (const times of [1, 2]) {
    expect(await read()).toMatchObject({ status: 500, body: internalError });
    expect(violations).toHaveLength(times);
  }
  expect(violations[0]).toEqual({ operationId: 'getLamp', status: 200, where: '/lit', problem: 'must be boolean' });
});

test('OP-89: a shared body that is not documented under its status is refused, also after it was right under another', async () => {
  const shared = new SharedBody(lit);
  const { answer, read, violations } = await sharing(shared);
  expect((await read()).status).toBe(200);
  answer.now = { status: 204, shared };
  expect((await read()).status).toBe(500);
  expect(violations).toMatchObject([{ status: 204, problem: 'a body is not documented under 204' }]);
});

test('OP-89: who names the tag gets a 304 with the tag and no body, also by HEAD', async () => {
  const { read } = await sharing(new SharedBody(lit));
  for (const method of ['GET', 'HEAD']) {
    const held = await read({ 'if-none-match': tag }, method);
    expect([held.status, held.body, held.headers.get('etag')]).toEqual([304, undefined, tag]);
    expect(held.headers.get('content-type')).toBeNull();
    const other = await read({ 'if-none-match': '"other"' }, method);
    expect([other.status, other.headers.get('etag')]).toEqual([200, tag]);
  }
});

test('OP-89: a body that breaks the contract is no 304, and neither is a failure or a body of one call', async () => {
  const { answer, read, violations } = await sharing(new SharedBody({ id: 'a' }));
  expect((await read({ 'if-none-match': '*' })).status).toBe(500);
  expect(violations).toHaveLength(1);
  answer.now = { kind: 'not_found' };
  expect((await read({ 'if-none-match': '*' })).status).toBe(404);
  answer.now = { status: 200, body: lit };
  expect((await read({ 'if-none-match': '*' })).status).toBe(200);
});

test('OP-89: a 304 that is not documented breaks the contract', async () => {
  const { read, violations } = await sharing(new SharedBody(lit), bundle);
  expect((await read({ 'if-none-match': tag })).status).toBe(500);
  expect(violations).toEqual([
    { operationId: 'getLamp', status: 304, where: '', problem: 'status 304 is not documented' },
  ]);
});

test('two bodies have the same tag where they are the same byte for byte', () => {
  expect(new SharedBody({ ...lit }).etag).toBe(tag);
  expect(new SharedBody({ lit: true, id: 'a' }).etag).not.toBe(tag);
  expect(tag).toMatch(/^"[\w-]{27}"$/);
});

test.each<[value: string | undefined, named: boolean]>([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['w/"a"', false],
  ['*', true],
  [' * ', true],
  ['*, "b"', false],
  ['"*"', false],
  ['a', false],
  ['"A"', false],
  ['"b", "a"', true],
  ['"b",W/"a"', true],
  ['"b" , "c"\t,\t"a"', true],
  [', "b",, "a",', true],
  ['"b", "c"', false],
  ['"b" "a"', false],
  ['"b, "a"', false],
  ['"a', false],
  ['"x,"a",y"', false],
  ['"x,", "a"', true],
  ['"a", nonsense', false],
])('RFC 9110, 13.1.2: If-None-Match %j names "a": %j', (value, named) => {
  expect(isNamed(value, '"a"')).toBe(named);
});

test('a long If-None-Match takes no long time', () => {
  for (const part of ['"x",', ',', ' ', '\t, ', '"', 'W/"x"']) {
    const start = performance.now();
    isNamed(part.repeat(16_384 / part.length), '"a"');
    isNamed(`${part.repeat(16_384 / part.length)}!`, '"a"');
    expect(performance.now() - start).toBeLessThan(100);
  }
});
