import { describe, expect, it, test } from 'vitest';
import { loggedAddress } from '../../sandbox/activity-log/entry-size.ts';
import {
  isBlank,
  mask,
  maskAt,
  maskUrl,
  personal,
  readSubjects,
  secret,
  secretParameter,
} from '../../sandbox/activity-log/masking.ts';
import { processorMilliseconds } from './processor-time.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl';

describe('in bodies', () => {
  test.each([
    ...['secret', 'token', 'otp', 'password', 'pin', 'voucherCode', 'client_token', 'service_token', 'company_secret'],
    ...['gateway_token', 'text'],
  ])('%s is masked at any depth', (name) => {
    expect(mask({ [name]: 'canary', list: [{ deep: { [name]: 'canary' } }] })).toEqual({
      [name]: 'string of 6 (masked)',
      list: [{ deep: { [name]: 'string of 6 (masked)' } }],
    });
  });

  test.each(['pan', 'mobileNo', 'mobile_no', 'to'])('%s shows its last four characters', (name) => {
    expect(mask({ profile: { [name]: '5000000007' } })).toEqual({
      profile: { [name]: 'string of 10 (masked, ends in 0007)' },
    });
  });

  test('OP-73: a secret that is not a string is masked completely and shows its type: a caller may send the wrong type', () => {
    const sent = { otp: 123456, secret: ['canary'], token: { value: 'canary' }, pan: 1234, pin: true };
    expect(mask(sent)).toEqual({
      otp: 'number (masked)',
      secret: 'array of 1 (masked)',
      token: 'object (masked)',
      pan: 'number (masked)',
      pin: 'boolean (masked)',
    });
  });

  test('OP-73: a mask is recognized as a mask, and no value of a caller is', () => {
    const masks = mask({ otp: 5, secret: ['a', 'b'], token: {}, pin: 'äöü', mobileNo: '9876543210' });
    expect(Object.values(masks as object).map(isBlank)).toEqual([true, true, true, true, true]);
    expect(['', 'a masked value', 'string of pearls', 5, null].filter(isBlank)).toEqual([]);
  });

  test.each<[unknown]>([
    [{ uid: 'CUST0001', points: '40', token_type: 'Bearer', n: 1, yes: true, none: null, list: ['a', 1] }],
    [{ otp: '', pin: null }],
    ...[null, 1, 'text', true, undefined].map((value): [unknown] => [value]),
  ])('%j stays unchanged', (value) => {
    expect(mask(value)).toEqual(value);
  });

  test('masking does not change its input', () => {
    const body = { token: 'canary' };
    mask(body);
    expect(body).toEqual({ token: 'canary' });
  });

  test('OP-73: values nested deeper than 32 levels are left out, at any depth', () => {
    const nested = JSON.parse(`${'['.repeat(32 * 1024)}${']'.repeat(32 * 1024)}`);
    expect(JSON.stringify(mask(nested))).toBe(`${'['.repeat(32)}"too deep"${']'.repeat(32)}`);
    expect(JSON.stringify(maskAt('/a', nested))).toBe(`${'['.repeat(32)}"too deep"${']'.repeat(32)}`);
  });

  test('OP-73: a number that JSON cannot represent is logged by its name', () => {
    expect(mask(JSON.parse('[1e400,-1e400,1e308]'))).toEqual(['Infinity', '-Infinity', 1e308]);
  });

  test('a JSON Web Token is masked in any field', () => {
    expect(mask({ cursor: jwt, notes: [`see ${jwt}.`] })).toEqual({ cursor: '***', notes: ['see ***'] });
  });

  test('a key called __proto__ is a key like any other', () => {
    const masked = mask(JSON.parse('{"__proto__":{"token":"canary"}}'));
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"token":"string of 6 (masked)"}}');
  });
});

describe('in addresses', () => {
  test.each([
    ['/portal/signin?token=canary&uid=CUST0001', '/portal/signin?token=***&uid=CUST0001'],
    ['/x?uid=CUST0001&otp=canary', '/x?uid=CUST0001&otp=***'],
    ['/x?secret=canary&secret=canary', '/x?secret=***&secret=***'],
    ['/x?token=', '/x?token=***'],
    ['/x?api_key=canary&apikey=canary&access_key=canary', '/x?api_key=***&apikey=***&access_key=***'],
    ['/x?X-Api-Key=canary&signature=canary', '/x?X-Api-Key=***&signature=***'],
    ['/x?private_key=canary&signing-key=canary', '/x?private_key=***&signing-key=***'],
    ['/x?back=/y%3Fapi_key=canary', '/x?back=***'],
    ['/x?sort_key=name', '/x?sort_key=name'],
    ['/w/at_sandbox_canary/x?q=st_sandbox_canary', '/w/***/x?q=***'],
    ['/gt_sandbox_canary', '/***'],
    ['/x?q=sk_sandbox_canary', '/x?q=***'],
    ['/x?tokens=2&token_type=3', '/x?tokens=2&token_type=3'],
    ['/x?x-token=canary&my_token=canary', '/x?x-token=***&my_token=***'],
    [`/portal/signin/${jwt}`, '/portal/signin/***'],
    [`/portal/signin/${jwt.replaceAll('.', '%2E')}/next`, '/portal/signin/***/next'],
    [`/portal/signin/${jwt.slice(0, 40)}`, '/portal/signin/***'],
    [`/orders?cursor=${jwt}&limit=1`, '/orders?cursor=***&limit=1'],
    [`/orders?cursor=Bearer%20${jwt}`, '/orders?cursor=***'],
    [`/orders?${jwt}`, '/orders?***'],
    ['/orders?cursor=eyJhbGci', '/orders?cursor=eyJhbGci'],
    ['/portal/a/s/../canary/s/canary', '/portal/a/s/../***/s/***'],
    ['/portal/s/s/canary', '/portal/s/***/***'],
    ['/token=a', '/token=a'],
    ['/x', '/x'],
    ['/x?%74oken=canary&ToKeN=canary&to%256Ben=canary', '/x?%74oken=***&ToKeN=***&to%256Ben=***'],
    ['/x?jwt=canary&pin=canary&company_secret=canary', '/x?jwt=***&pin=***&company_secret=***'],
    ['/x?mobile=9876543210', '/x?mobile=***3210'],
    ['/x?back=/portal/signin%3Ftoken=canary&uid=A', '/x?back=***&uid=A'],
    ['/portal/s/canary/rewards?q=a', '/portal/s/***/rewards?q=a'],
    ['/%70ortal/%73/canary/orders/ORD-1', '/portal/s/***/orders/ORD-1'],
    ['//microsite//s//canary/code', '//microsite//s//***/code'],
    ['/portal/x/s/canary', '/portal/x/s/***'],
    ['/portal/signin;token=canary?uid=A', '/portal/signin;token=***'],
    ['https://me:canary@a.example/portal/s/canary#token=canary', 'https://***@a.example/portal/s/***#token=***'],
    ['/sandbox/v1/customers/a%2Fb?x=%zz', '/sandbox/v1/customers/a%2Fb?x=%zz'],
  ])('%s is logged as %s', (url, masked) => {
    expect(maskUrl(url)).toBe(masked);
  });

  const repeated = [
    '/portal',
    '/microsite/s',
    '/portal/s/',
    '/s/',
    '%2Fportal',
    '/portal%5C',
    '/portal\n',
    '/./',
    'a.',
  ];
  const others = ['%25', '25', '?token', ';a=', '&token=', 'token\\', 'otp', 'http://', '@', 'eyJ', 'eyJ.', '****'];
  test.each([...repeated, ...others, 'at_sandbox_'])(
    'masking %j takes time linear in its length, in a path and a parameter',
    (part) => {
      const address = (prefix: string, bytes: number) => `${prefix}${part.repeat(bytes / part.length)}`;
      for (const prefix of ['', '/', '/x?a=']) {
        expect(processorMilliseconds(() => maskUrl(address(prefix, 16 * 1024)))).toBeLessThan(250);
        // Quadratic time would be 256 times as long here, which is several seconds.
        expect(processorMilliseconds(() => maskUrl(address(prefix, 256 * 1024)))).toBeLessThan(1500);
      }
    },
  );

  test.each(['eyJ', 'eyJ.', '.eyJ', '*'])('masking a body full of %j takes time linear in its length', (part) => {
    const body = { text: 1, note: part.repeat((1024 * 1024) / part.length) };
    expect(processorMilliseconds(() => mask(body))).toBeLessThan(1500);
  });

  test('the log cuts an address before it masks it', () => {
    const url = `/x?token=${'c'.repeat(2000)}&otp=canary`;
    expect(loggedAddress(url)).toBe('/x?token=***… (2020 characters)');
    expect(loggedAddress(`/x?a=${'/portal'.repeat(100)}`)).toBe(
      `/x?a=${'/portal'.repeat(100).slice(0, 507)}… (705 characters)`,
    );
    expect(loggedAddress('/x?otp=canary')).toBe('/x?otp=***');
  });
});

describe('the subjects of a call', () => {
  test.each([
    ['the query', '/x?uid=A&redeem_code=R1', null, null, { uid: 'A', redeem_codes: ['R1'] }],
    ['the query of version 2.0', '/x?customer_id=A', null, null, { uid: 'A', redeem_codes: [] }],
    ['the body', '/x', { uid: 'A', redeemCode: 'R1' }, null, { uid: 'A', redeem_codes: ['R1'] }],
    [
      'the body of version 2.0',
      '/x',
      { customer_id: 'A', redeem_code: 'R1' },
      null,
      { uid: 'A', redeem_codes: ['R1'] },
    ],
    [
      'the lines of the reply',
      '/x',
      { uid: 'A' },
      { lines: [{ redeemCode: 'R1' }, { redeemCode: 'R2' }, { redeemCode: 'R1' }] },
      { uid: 'A', redeem_codes: ['R1', 'R2'] },
    ],
    [
      'the lines that are objects',
      '/x',
      { lines: [null, 'R1', { redeemCode: 'R2' }] },
      null,
      { uid: null, redeem_codes: ['R2'] },
    ],
    ['the query before the body', '/x?uid=A', { uid: 'B' }, null, { uid: 'A', redeem_codes: [] }],
    ['no text', '/x', { uid: 5, redeemCode: ['R1'], lines: 'R1' }, 'text', { uid: null, redeem_codes: [] }],
    ['nothing', '/x', undefined, undefined, { uid: null, redeem_codes: [] }],
  ])('is found in %s', (_, url, request, reply, found) => {
    expect(readSubjects(url, request, reply)).toEqual(found);
  });
});

describe('a single field of a body', () => {
  test.each([
    ['/profile/mobileNo', '9876543210', 'string of 10 (masked, ends in 3210)'],
    ['/mobileNo/deep', 'canary', 'string of 6 (masked)'],
    ['/data/0/voucherCode', 'canary', 'string of 6 (masked)'],
    ['/token', { a: 'canary' }, 'object (masked)'],
    ['/token/a', 7, 'number (masked)'],
    ['/data/0', { voucherCode: 'canary', sku: 'S' }, { voucherCode: 'string of 6 (masked)', sku: 'S' }],
    ['', { otp: 'canary' }, { otp: 'string of 6 (masked)' }],
    ['/points/balance', 5, 5],
  ])('%s', (pointer, value, masked) => {
    expect(maskAt(pointer, value)).toEqual(masked);
  });
});

it('OP-73: every name of a hidden parameter is found in an address that has nothing else to hide', () => {
  const alternatives = ({ source }: RegExp) => source.split(/[()^|$?]+/).filter((word) => /^\w+$/.test(word));
  const keys = ['api_key', 'apikey', 'access_key', 'private_key', 'signing_key', 'signature'];
  const words = [...[secret, personal, secretParameter].flatMap(alternatives), ...keys];
  expect(words.length).toBeGreaterThan(20);
  const shown = words.map((word) => [word, maskUrl(`/orders?${word}=canary`)]);
  expect(
    shown.filter(
      ([word, url]) =>
        !/^(access_|admin_|client_|gateway_|service_)$/.test(String(word)) && String(url).includes('=canary'),
    ),
  ).toEqual([]);
});
