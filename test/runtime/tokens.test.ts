/** Tests that only tokens with the expected algorithm, key, issuer and audience are accepted (OP-19, RFC 8725). */
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { Tokens, type VerifiedTokens } from '../../sandbox/runtime/tokens.ts';

const key = new Uint8Array(32).fill(7);
const kind = { issuer: 'client', audience: 'rewards-platform', workspace: 'demo' };
const start = Date.UTC(2026, 0, 12);
const seconds = start / 1000;
const machine = { now: start };
const tokens = new Tokens(kind, key, () => machine.now);
const claims = { iss: 'client', aud: 'rewards-platform', sub: 'ANN', jti: 'j1', iat: seconds, exp: seconds + 60 };
const hold = { sub: 'ANN', jti: 'j1', exp: seconds + 60 };

/** Signs an arbitrary payload. */
function forge(payload: JWTPayload, { alg = 'HS256', with: secret = key, extension = false } = {}): Promise<string> {
  const header = { alg, typ: 'JWT', ...(extension && { crit: ['colour'], colour: 'red' }) };
  return new SignJWT(payload).setProtectedHeader(header).sign(secret, { crit: { colour: true } });
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const without = (name: keyof typeof claims): JWTPayload => ({ ...claims, [name]: undefined });

test('a token carries its subject, its id and its expiry', async () => {
  const token = await tokens.sign('ANN', 'j1', 60);
  expect(await tokens.check(token)).toEqual(hold);
  const [header = '', payload = ''] = token.split('.').map((text) => Buffer.from(text, 'base64url').toString());
  expect([JSON.parse(header), JSON.parse(payload)]).toEqual([{ alg: 'HS256', typ: 'JWT', kid: 'demo' }, claims]);
});

test('the same claims signed by the same key are the same token, so the forgeries below fail for one reason each', async () => {
  expect(await tokens.check(await forge(claims))).toEqual(hold);
});

describe('OP-19: a forgery is refused', () => {
  test.each<[what: string, token: () => string | Promise<string>]>([
    ['no signature, alg none', () => `${part({ alg: 'none' })}.${part(claims)}.`],
    ['no signature, alg HS256', () => `${part({ alg: 'HS256' })}.${part(claims)}.`],
    [
      'alg None over a real signature',
      async () => `${part({ alg: 'None' })}.${(await forge(claims)).split('.').slice(1).join('.')}`,
    ],
    ['HS384 under the same key', () => forge(claims, { alg: 'HS384', with: new Uint8Array(48).fill(7) })],
    ['HS512 under the same key', () => forge(claims, { alg: 'HS512', with: new Uint8Array(64).fill(7) })],
    ['another key', () => forge(claims, { with: new Uint8Array(32).fill(8) })],
    ['the key with a byte more', () => forge(claims, { with: new Uint8Array(33).fill(7) })],
    ['without sub', () => forge(without('sub'))],
    ['without jti', () => forge(without('jti'))],
    ['without exp', () => forge(without('exp'))],
    ['without iat', () => forge(without('iat'))],
    ['without iss', () => forge(without('iss'))],
    ['without aud', () => forge(without('aud'))],
    ['another issuer', () => forge({ ...claims, iss: 'rewards-platform' })],
    ['another audience', () => forge({ ...claims, aud: 'client' })],
    ['no audience of several', () => forge({ ...claims, aud: ['client', 'company'] })],
    ['expired', () => forge({ ...claims, exp: seconds })],
    ['long expired', () => forge({ ...claims, exp: 1 })],
    ['not yet valid', () => forge({ ...claims, nbf: seconds + 1 })],
    ['exp as text', () => forge({ ...claims, exp: String(seconds + 60) } as unknown as JWTPayload)],
    ['an extension that must be understood', () => forge(claims, { extension: true })],
    ['claims of another token under this signature', async () => swap(await forge(claims), { ...claims, sub: 'BOB' })],
    ['two parts', async () => (await forge(claims)).split('.').slice(0, 2).join('.')],
    ['four parts', async () => `${await forge(claims)}.${part({})}`],
    ['padding', async () => `${await forge(claims)}=`],
    ['a space behind it', async () => `${await forge(claims)} `],
    ['a line end behind it', async () => `${await forge(claims)}\n`],
    ['no JSON', () => `${part({ alg: 'HS256' })}.${Buffer.from('sub=ANN').toString('base64url')}.AAAA`],
    ['dots only', () => '..'],
    ['nothing', () => ''],
  ])('%s', async (_, token) => {
    expect(await tokens.check(await token())).toBeUndefined();
  });

  test('no token', async () => {
    expect(await tokens.check(undefined)).toBeUndefined();
  });

  test('a token of another kind, under its own key and under the same', async () => {
    const other = { issuer: 'rewards-platform', audience: 'company', workspace: 'demo' };
    for (const otherKey of [key, new Uint8Array(32).fill(9)]) {
      const token = await new Tokens(other, otherKey, () => start).sign('ANN', 'j1', 60);
      expect(await tokens.check(token)).toBeUndefined();
    }
  });

  test('a token with any one character changed, in any position', async () => {
    const token = await tokens.sign('ANN', 'j1', 60);
    for (let index = 0; index < token.length; index += 1) {
      for (const other of ['A', 'B', '_', '.', '=']) {
        if (token[index] === other) continue;
        const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
        expect([changed, await tokens.check(changed)]).toEqual([changed, undefined]);
      }
    }
  });

  test('a token with another spelling of the same signature: the last character has bits that mean nothing', async () => {
    const token = await tokens.sign('ANN', 'j1', 60);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spelled = [...alphabet].map((last) => `${token.slice(0, -1)}${last}`);
    const same = spelled.filter((text) => signature(text).equals(signature(token)));
    expect(same).toHaveLength(4);
    const accepted = await Promise.all(spelled.map(async (text) => ((await tokens.check(text)) ? text : undefined)));
    expect(accepted.filter((text) => text !== undefined)).toEqual([token]);
  });
});

test('OP-19: a token is valid until the last millisecond before its expiry', async () => {
  const clock = { now: start };
  const tokens = new Tokens(kind, key, () => clock.now);
  const token = await tokens.sign('ANN', 'j1', 60);
  clock.now = start + 59_999;
  expect(await tokens.check(token)).toEqual(hold);
  clock.now = start + 60_000;
  expect(await tokens.check(token)).toBeUndefined();
});

test.each([0, 16, 31])('a key of %d bytes is too short', (length) => {
  expect(() => new Tokens(kind, new Uint8Array(length), () => start)).toThrow('at least 32 bytes');
});

function swap(token: string, payload: JWTPayload): string {
  const [header, , signed] = token.split('.');
  return `${header}.${part(payload)}.${signed}`;
}

function signature(token: string): Buffer {
  return Buffer.from(token.split('.')[2] ?? '', 'base64url');
}

test('a valid token is cached, and still expires on time', async () => {
  const clock = { now: start };
  const fresh = new Tokens(kind, key, () => clock.now);
  const token = await fresh.sign('ANN', 'j1', 60);
  expect([await fresh.check(token), await fresh.check(token)]).toEqual([hold, hold]);
  clock.now = start + 59_999;
  expect(await fresh.check(token)).toEqual(hold);
  clock.now = start + 60_000;
  expect(await fresh.check(token)).toBeUndefined();
  // The token is valid again after a snapshot sets the clock back.
  clock.now = start;
  expect(await fresh.check(token)).toEqual(hold);
  expect(await fresh.check(`${token.slice(0, -2)}AA`)).toBeUndefined();
});

test('an invalid token is not cached', async () => {
  const fresh = new Tokens(kind, key, () => start);
  for (const token of [
    '',
    'a.b.c',
    await forge({ ...claims, exp: seconds }),
    await forge(claims, { alg: 'HS512', with: new Uint8Array(64) }),
  ]) {
    expect(await fresh.check(token)).toBeUndefined();
  }
  expect(fresh.remembered).toBe(0);
});

test('beyond the size of the cache each token is still valid', async () => {
  const many = await Promise.all(Array.from({ length: 1100 }, (_, index) => tokens.sign('ANN', `m${index}`, 60)));
  for (const [index, token] of many.entries()) expect(await tokens.check(token)).toEqual({ ...hold, jti: `m${index}` });
  expect(tokens.remembered).toBe(1000);
  expect(await tokens.check(many[0])).toEqual({ ...hold, jti: 'm0' });
});

describe('a token of another kind, or one that has expired,', () => {
  const other = { issuer: 'rewards-platform', audience: 'company', workspace: 'demo' };

  /** Returns the number of signature checks during a function call. */
  async function verifications(during: () => unknown): Promise<number> {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    try {
      await during();
      return verify.mock.calls.length;
    } finally {
      verify.mockRestore();
    }
  }

  test('is verified by each kind until it is valid for one; then no kind that shares the cache verifies it again', async () => {
    const verified: VerifiedTokens = new Map();
    const fresh = new Tokens(kind, key, () => start, verified);
    const company = new Tokens(other, key, () => start, verified);
    const text = await company.sign('ANN', 'j1', 60);
    const both = async () => [await fresh.check(text), await company.check(text)];
    const check = async () => expect(await both()).toEqual([undefined, hold]);
    expect(await verifications(check)).toBe(2);
    expect(await verifications(check)).toBe(0);
    expect([fresh.remembered, company.remembered]).toEqual([1, 1]);
  });

  test('is verified again if it is a token that has expired', async () => {
    const clock = { now: start };
    const fresh = new Tokens(kind, key, () => clock.now);
    const token = await tokens.sign('ANN', 'j1', 60);
    clock.now = start + 60_000;
    expect(await fresh.check(token)).toBeUndefined();
    // Restoring a snapshot sets the clock back in the same way.
    clock.now = start;
    expect(await fresh.check(token)).toEqual(hold);
  });
});
