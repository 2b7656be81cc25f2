import { timingSafeEqual } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { bareOrBearer, basic, bearer, digest, sameSecret } from '../../sandbox/runtime/tokens.ts';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('Authorization: Bearer (RFC 6750)', () => {
  test.each([
    ...['Bearer abc', 'bearer abc', 'BEARER abc', 'Bearer   abc'].map((header) => [header, 'abc']),
    ['Bearer a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
  ])('%j carries %j', (header, token) => {
    expect(bearer(header)).toBe(token);
  });

  test.each([
    ...[undefined, '', 'Bearer', 'Bearer ', 'abc', 'Basic abc', 'Bearerabc', 'Bearer\tabc', ' Bearer abc'],
    ...['Bearer abc ', 'Bearer a b', 'Bearer abc, Bearer def', 'Bearer é', 'Bearer abc\n', 'Bearer Bearer abc'],
  ])('%j carries none', (header) => {
    expect(bearer(header)).toBeUndefined();
  });
});

describe('the token bare, or behind Bearer (OP-03)', () => {
  test.each([...['abc', 'Bearer abc', 'bearer  abc'].map((header) => [header, 'abc']), ['Bearer', 'Bearer']])(
    '%j carries %j',
    (header, token) => {
      expect(bareOrBearer(header)).toBe(token);
    },
  );

  test.each([undefined, '', ' ', 'Basic abc', 'a b', 'abc ', ' abc', 'abc\n', 'é'])('%j carries none', (header) => {
    expect(bareOrBearer(header)).toBeUndefined();
  });
});

describe('T1: Authorization: Basic (RFC 7617)', () => {
  test.each([
    [`Basic ${base64('ann:secret')}`, { username: 'ann', password: 'secret' }],
    [`basic   ${base64('ann:secret')}`, { username: 'ann', password: 'secret' }],
    [`Basic ${base64('ann:a:b:c')}`, { username: 'ann', password: 'a:b:c' }],
    [`Basic ${base64(':secret')}`, { username: '', password: 'secret' }],
    [`Basic ${base64('ann:')}`, { username: 'ann', password: '' }],
    [`Basic ${base64('änn:pässwörd')}`, { username: 'änn', password: 'pässwörd' }],
    [`Basic ${base64('ann:secret').replace(/=+$/, '')}`, { username: 'ann', password: 'secret' }],
  ])('%j carries %j', (header, pair) => {
    expect(basic(header)).toEqual(pair);
  });

  test.each([
    ...[undefined, '', 'Basic', 'Basic ', `Basic ${base64('no colon')}`, `Bearer ${base64('ann:secret')}`],
    ...[base64('ann:secret'), `Basic ${base64('ann:secret')} x`, 'Basic ann:secret', 'Basic =', 'Basic %%%'],
  ])('%j carries none', (header) => {
    expect(basic(header)).toBeUndefined();
  });
});

describe('comparing', () => {
  test.each([
    ['secret', 'secret', true],
    ['', '', true],
    ['secret', 'Secret', false],
    ['secret', 'secret ', false],
    ['secre', 'secret', false],
    ['', 'secret', false],
    ['é', 'e\u0301', false],
  ])('%j and %j are the same: %s', (actual, expected, same) => {
    expect(sameSecret(actual, expected)).toBe(same);
  });

  test('secrets are compared in constant time: their digests, which are of equal length', () => {
    vi.mocked(timingSafeEqual).mockClear();
    expect(sameSecret('secre', 'secret')).toBe(false);
    const digests = ['secre', 'secret'].map((text) => Buffer.from(digest(text), 'hex'));
    expect(vi.mocked(timingSafeEqual).mock.calls).toEqual([digests]);
  });

  test('a digest is SHA-256 in hex', () => {
    expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
