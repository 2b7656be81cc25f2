/** Tests which call headers the activity log stores, how it masks them, and how it limits their size (OP-57, OP-73). */
import { expect, it, test } from 'vitest';
import { headerLimits, loggedHeaders } from '../../sandbox/activity-log/masking.ts';
import { processorMilliseconds } from './processor-time.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl';

test.each([
  ['Authorization', 'Bearer canary', 'Bearer string of 6 (masked)'],
  ['Authorization', 'Basic Y2FuYXJ5OmNhbmFyeQ==', 'Basic string of 20 (masked)'],
  ['authorization', 'canary', 'string of 6 (masked)'],
  ['authorization', 'Bearer', 'string of 6 (masked)'],
  ['Authorization', '', ''],
  ['Proxy-Authorization', 'canary', 'string of 6 (masked)'],
  ['Cookie', 'a=canary', 'string of 8 (masked)'],
  ['Set-Cookie', 'a=canary; HttpOnly', 'string of 18 (masked)'],
  ['X-Api-Key', 'canary', 'string of 6 (masked)'],
  ['apikey', 'canary', 'string of 6 (masked)'],
  ['X-Auth-Token', 'canary', 'string of 6 (masked)'],
  ['X-Auth', 'canary', 'string of 6 (masked)'],
  ['X-OTP', '123456', 'string of 6 (masked)'],
  ['X-OTP-Code', '123456', 'string of 6 (masked)'],
  ['x-client-secret', 'canary', 'string of 6 (masked)'],
  ['X-Session-Id', 'canary', 'string of 6 (masked)'],
  ['x-sandbox-own-call', 'canary', 'string of 6 (masked)'],
  ['Mobile', '9876543210', 'string of 10 (masked, ends in 3210)'],
  ['X-Anything', jwt, 'string of 56 (masked)'],
  ['X-Anything', `a ${jwt}`, 'string of 58 (masked)'],
  ['X-Anything', 'otp=canary', 'string of 10 (masked)'],
  ['X-Anything', 'api-key=canary', 'string of 14 (masked)'],
  ['X-Anything', 'signature="canary"', 'string of 18 (masked)'],
  ['X-Anything', 'st_sandbox_canary', 'string of 17 (masked)'],
  ['Link', '</x?token=canary>; rel="next"', 'string of 29 (masked)'],
  ['Location', '/portal/signin?token=canary&uid=A', '/portal/signin?token=***&uid=A'],
  ['Location', '/x?mobile=9876543210', '/x?mobile=***3210'],
  ['Location', '/x?to%6ben=canary', '/x?to%6ben=***'],
  ['Referer', 'https://me:canary@a.example/x', 'https://***@a.example/x'],
  ['Referer', 'https://a.example/portal/s/canary/rewards', 'https://a.example/portal/s/***/rewards'],
])('%s: %s is logged as %s', (name, value, logged) => {
  for (let turn = 0; turn < 2; turn += 1) expect(Object.values(loggedHeaders([[name, value]]))).toEqual([logged]);
});

test.each([
  ['content-type', 'application/json; charset=utf-8'],
  ['accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
  ['idempotency-key', 'RDM-000001-9K2QX4'],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ['www-authenticate', 'Bearer realm="rewards"'],
  ['ratelimit', '"hour";r=971;t=3080'],
  ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64)'],
])('%s is logged as it was sent', (name, value) => {
  expect(loggedHeaders([[name, value]])).toEqual({ [name]: value });
});

it('names are in lower case, and repeated headers joined', () => {
  const sent = [
    ['Vary', 'Accept'],
    ['Set-Cookie', 'a=canary'],
    ['vary', 'Origin'],
    ['__proto__', 'x'],
  ] as const;
  expect(loggedHeaders(sent)).toEqual({ vary: 'Accept, Origin', 'set-cookie': 'string of 8 (masked)' });
});

it('headers of the connection and real time are left out: the same calls give the same log', () => {
  const sent = [
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=5'],
    ['Date', 'Mon, 12 Jan 2026 04:30:00 GMT'],
    ['ETag', '"a"'],
  ] as const;
  expect(loggedHeaders(sent)).toEqual({ etag: '"a"' });
});

it('OP-57: a long value or name is cut and states its original length', () => {
  expect(loggedHeaders([['x-note', 'n'.repeat(5000)]])).toEqual({
    'x-note': `${'n'.repeat(headerLimits.value)}… (5000 characters)`,
  });
  expect(loggedHeaders([['X'.repeat(70), 'a']])).toEqual({
    [`${'x'.repeat(headerLimits.name)}… (70 characters)`]: 'a',
  });
  expect(Object.values(loggedHeaders([[`${'x'.repeat(70)}-token`, 'canary']]))).toEqual(['string of 6 (masked)']);
});

it('OP-57: the headers of a message are limited in number and bytes, and state how many were left out', () => {
  const many = loggedHeaders(Array.from({ length: 100 }, (_, at) => [`x-${at}`, 'a'] as const));
  expect(Object.keys(many)).toHaveLength(headerLimits.count + 1);
  expect(many['…']).toBe('60 more');
  const large = loggedHeaders(Array.from({ length: 30 }, (_, at) => [`x-${at}`, 'a'.repeat(199)] as const));
  expect(JSON.stringify(large).length).toBeLessThan(headerLimits.characters + 200);
  expect(large['…']).toBe('20 more');
});

it('a token that the cut would split is masked', () => {
  expect(JSON.stringify(loggedHeaders([['x-note', `${'n'.repeat(150)} token=${'canary'.repeat(50)}`]]))).not.toContain(
    'canary',
  );
});

test.each(['eyJ', '/portal/s/', 'token=', '%25', '='])(
  'values full of %j take time linear in what is stored',
  (part) => {
    const value = part.repeat((1024 * 1024) / part.length);
    const headers = Array.from({ length: 40 }, (_, at) => [`x-${at}`, value + at] as const);
    // Quadratic time would be minutes.
    expect(processorMilliseconds(() => loggedHeaders(headers))).toBeLessThan(2000);
  },
);
