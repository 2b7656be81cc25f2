/** Tests the suggestions for unknown names and paths: only close matches from the contract, at a bounded cost (OP-246). */
import { describe, expect, it } from 'vitest';
import { nearest } from '../../sandbox/contract/problem-texts.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';

it.each([
  ...['times', 'time', 'TIMES', 'tiems'].map((name) => [name, 'times']),
  ...['frame_ancestor', 'frame_anestor'].map((name) => [name, 'frame_ancestors']),
  ['rateLimit', 'rate_limit'],
  ...['frame_anesto', 't', '', 'colour'].map((name) => [name, undefined]),
])('the name nearest to "%s" is %s', (name = '', expected) => {
  expect(nearest(name, ['ms', 'times', 'rate_limit', 'frame_ancestors'])).toBe(expected);
});

it('no name is near to one of more than 200 characters', () => {
  const known = ['x'.repeat(200), 'x'.repeat(201)];
  expect([nearest('x'.repeat(200), known), nearest('x'.repeat(201), known)]).toEqual([known[0], undefined]);
});

it('the name with the fewest edits is nearest, the first of several', () => {
  expect(nearest('status', ['statics', 'statue', 'status'])).toBe('status');
  expect(nearest('statux', ['statics', 'statue', 'status'])).toBe('statue');
});

describe('OP-246: a path outside the contracts', () => {
  it.each([
    ['another case', '/rewards/v1/Partner/RedeemptionOnSkus', '/rewards/v1/partner/redeemptiononskus'],
    ['another spelling', '/rewards/v1/partner/redemptiononskus', '/rewards/v1/partner/redeemptiononskus'],
    ['letters swapped', '/rewards/v1/partner/redeemptionosnkus', '/rewards/v1/partner/redeemptiononskus'],
    ['no version', '/rewards/partner/redeemptiononskus', '/rewards/v1/partner/redeemptiononskus'],
    ['a version too many', '/client/v1/saveRedeemDetails', '/client/saveRedeemDetails'],
    ['a slash too many', '/client/saveRedeemDetails/', '/client/saveRedeemDetails'],
    ['no prefix', '/v1/partner/redeemptiononskus', '/rewards/v1/partner/redeemptiononskus'],
    ['a misspelt prefix', '/reward/v1/partner/redeemptiononskus', '/rewards/v1/partner/redeemptiononskus'],
    ['another prefix', '/rewards/saveRedeemDetails', '/client/saveRedeemDetails'],
    ['no version of the control API', '/sandbox/clock/advance', '/sandbox/v1/clock/advance'],
    ['a parameter', '/sandbox/v1/customer/CUST0001', '/sandbox/v1/customers/{uid}'],
    ['a parameter with markup', '/sandbox/v1/customer/%3Cb%3E%0D%0Ax', '/sandbox/v1/customers/{uid}'],
  ])('with %s is 404 with the path that was meant', async (_, path, expected) => {
    const { origin } = await testSandbox();
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await raw(`${origin}${path}`, { method });
      expect([status, headers.get('x-problem')]).toEqual([404, `did you mean ${expected}`]);
    }
  });

  it.each([
    ...['/nowhere', '/favicon.ico', '/a', '/rewards', '/rewards/v1', '/rewards/v1/partner'],
    ...['/rewards/v1/partner/redeem', `/rewards/${'a'.repeat(5000)}`, `/sandbox/v1/customer/${'a'.repeat(200)}`],
  ])('that is near to none, or too long, gets no suggestion: %s', async (path) => {
    const { origin } = await testSandbox();
    const { status, headers } = await raw(`${origin}${path}`);
    expect([status, headers.get('x-problem')]).toEqual([404, null]);
  });

  it('another method of a path that is there is 405 without a suggestion', async () => {
    const { origin } = await testSandbox();
    const { status, headers } = await raw(`${origin}/sandbox/v1/clock`, { method: 'PUT' });
    expect([status, headers.get('x-problem')]).toEqual([405, null]);
  });

  it('costs as little as its length explains', async () => {
    const { origin } = await testSandbox();
    const before = process.cpuUsage();
    for (let times = 0; times < 100; times += 1) await raw(`${origin}/rewards/v1/partner/${'a'.repeat(170)}`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000 / 100).toBeLessThan(20);
  });
});
