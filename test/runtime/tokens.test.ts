/** Tests that only tokens with the expected algorithm, key, issuer and audience are accepted (OP-19, RFC 8725). */
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Tokens, type VerifiedTokens } from '../../sandbox/runtime/tokens.ts';

const key = new Uint8Array(32).fill(7);
const kind = { issuer: 'client', audience: 'rewards-platform', workspace: 'demo' };
const companyKind = { issuer: 'rewards-platform', audience: 'company', workspace: 'demo' };
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
    ['alg None over a real signature', async () => (await forge(claims)).replace(/^[^.]+/, part({ alg: 'None' }))],
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
    for (const otherKey of [key, new Uint8Array(32).fill(9)]) {
      const token = await new Tokens(companyKind, otherKey, () => start).sign('ANN', 'j1', 60);
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

test('OP-19: a valid token is cached, and is valid until the last millisecond before its expiry', async () => {
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
  const forged = [{ ...claims, exp: seconds }, without('sub')].map((payload) => forge(payload));
  for (const token of ['', 'a.b.c', ...(await Promise.all(forged))]) expect(await fresh.check(token)).toBeUndefined();
  expect(fresh.remembered).toBe(0);
});

test('beyond the size of the cache each token is still valid', async () => {
  const many = await Promise.all(Array.from({ length: 1100 }, (_, index) => tokens.sign('ANN', `m${index}`, 60)));
  for (const [index, token] of many.entries()) expect(await tokens.check(token)).toEqual({ ...hold, jti: `m${index}` });
  expect(tokens.remembered).toBe(1000);
  expect(await tokens.check(many[0])).toEqual({ ...hold, jti: 'm0' });
});

test('a token of another kind is verified by each kind until it is valid for one; then no kind that shares the cache verifies it again', async () => {
  const verify = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verify.mockRestore());
  const verified: VerifiedTokens = new Map();
  const fresh = new Tokens(kind, key, () => start, verified);
  const company = new Tokens(companyKind, key, () => start, verified);
  const token = await company.sign('ANN', 'j1', 60);
  for (let times = 0; times < 2; times += 1) {
    expect([await fresh.check(token), await company.check(token)]).toEqual([undefined, hold]);
    expect(verify).toHaveBeenCalledTimes(2);
  }
  expect([fresh.remembered, company.remembered]).toEqual([1, 1]);
});
