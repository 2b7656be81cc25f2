/** Tests replies with entity tags, and conditional requests (OP-89). */
import { expect, test } from 'vitest';
import type { Node } from '../../sandbox/contract/document.ts';
import { entityTag, isNamed } from '../../sandbox/contract/replies.ts';
import type { HandlerAnswer } from '../../sandbox/contract/types.ts';
import { bundle, serveLamps } from './lamps.ts';

const lit = { id: 'a', lit: true };
const tag = entityTag(JSON.stringify(lit));

/** Returns the lamps contract with a documented 304 for its read operation. */
const withNotModified = (): Node => {
  const own = structuredClone(bundle);
  Object.assign(own.paths['/lamps/{id}'].get.responses, { 304: { description: '' } });
  return own;
};

/** Serves the current value of `answer.now`. */
async function serveAnswer(now: HandlerAnswer, contract: Node = withNotModified()) {
  const answer = { now };
  return { answer, ...(await serveLamps(async () => answer.now, contract)) };
}

test('OP-89: a 200 has the tag of its body only where the contract documents a 304', async () => {
  const tagged = await (await serveAnswer({ status: 200, body: lit })).read();
  const plain = await (await serveAnswer({ status: 200, body: lit }, bundle)).read();
  expect([tagged.status, tagged.body, tagged.headers.get('etag')]).toEqual([200, lit, tag]);
  expect([plain.status, plain.body, plain.headers.get('etag')]).toEqual([200, lit, null]);
});

test('OP-89: a request that names the tag gets a 304 with the tag and no body, also with HEAD', async () => {
  const { read } = await serveAnswer({ status: 200, body: lit });
  for (const method of ['GET', 'HEAD']) {
    const notModified = await read({ 'if-none-match': tag }, method);
    expect([notModified.status, notModified.body, notModified.headers.get('etag')]).toEqual([304, undefined, tag]);
    expect(notModified.headers.get('content-type')).toBeNull();
    const other = await read({ 'if-none-match': '"other"' }, method);
    expect([other.status, other.headers.get('etag')]).toEqual([200, tag]);
  }
});

test('OP-89: neither an invalid body nor a failure becomes a 304', async () => {
  const { answer, read, violations } = await serveAnswer({ status: 200, body: { id: 'a' } });
  expect((await read({ 'if-none-match': '*' })).status).toBe(500);
  expect(violations).toHaveLength(1);
  answer.now = { kind: 'not_found' };
  expect((await read({ 'if-none-match': '*' })).status).toBe(404);
});

test('two bodies have the same tag only if they are identical byte for byte', () => {
  expect(entityTag(JSON.stringify({ ...lit }))).toBe(tag);
  expect(entityTag(JSON.stringify({ lit: true, id: 'a' }))).not.toBe(tag);
  expect(tag).toMatch(/^"[\w-]{27}"$/);
});

test('RFC 9110, 13.1.2: an If-None-Match names "a"', () => {
  const naming = [
    '"a"',
    'W/"a"',
    '*',
    ' * ',
    '"b", "a"',
    '"b",W/"a"',
    '"b" , "c"\t,\t"a"',
    ', "b",, "a",',
    '"x,", "a"',
  ];
  const others = [undefined, '', 'w/"a"', '*, "b"', '"*"', 'a', '"A"', '"b", "c"'];
  const malformed = ['"b" "a"', '"b, "a"', '"a', '"x,"a",y"', '"a", nonsense'];
  expect([...naming, ...others, ...malformed].filter((value) => isNamed(value, '"a"'))).toEqual(naming);
});

test('a long If-None-Match is read quickly', () => {
  for (const part of ['"x",', ',', ' ', '\t, ', '"', 'W/"x"']) {
    const start = performance.now();
    isNamed(part.repeat(16_384 / part.length), '"a"');
    isNamed(`${part.repeat(16_384 / part.length)}!`, '"a"');
    expect(performance.now() - start).toBeLessThan(100);
  }
});
