/** Tests normalized request addresses, and invalid addresses (OP-67). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskUrl } from '../../sandbox/activity-log/masking.ts';
import { targetOf } from '../../sandbox/contract/request.ts';
import { flat, plain, wrapped } from '../harness/envelopes.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { scaled } from '../harness/scale.ts';
import { exchange } from '../harness/socket.ts';

it.each([
  ['/rewards/v1/partner/rewards?limit=2', '/rewards/v1/partner/rewards?limit=2'],
  ['/%70ortal/%73/x', '/portal/s/x'],
  ['/portal/signin?%74oken=a&TOKEN=b&%74%6f%6B%65n=c', '/portal/signin?token=a&TOKEN=b&token=c'],
  ['/sandbox/v1/customers/a%2fb%3F%23%25', '/sandbox/v1/customers/a%2Fb%3F%23%25'],
  ['/x/a:b@c;d=e,f', '/x/a:b@c;d=e,f'],
  ['/x\\y', '/x%5Cy'],
  ['/microsite/', '/microsite/'],
  ['/x?', '/x'],
  ['/x?a=%zz&b=1+2&c=%20', '/x?a=%25zz&b=1+2&c=+'],
  ['/x?a?b=/c//d/../e', '/x?a%3Fb=%2Fc%2F%2Fd%2F..%2Fe'],
  ['/J\u00c3\u00b6rg?q=J\u00c3\u00b6rg', '/J%C3%B6rg?q=J%C3%B6rg'],
  ['http://localhost:4010/portal/ended?a=1', '/portal/ended?a=1'],
  ['HTTP://LOCALHOST:4010', '/'],
  ['http://localhost:4010?a=1', '/?a=1'],
  ['*', '*'],
])('OP-67: %s is normalized to %s', (raw, url) => {
  expect(targetOf(raw, 'localhost:4010')).toEqual({ url });
});

it('OP-67: a normalized address does not change', () => {
  for (const raw of ['/%70ortal/s/a%2fb?x=%zz&%74oken=1', '/a;b=%c3%b6?c', '/x?a+b=c%2Bd&a+b=']) {
    const once = targetOf(raw);
    expect('url' in once && targetOf(once.url)).toEqual(once);
  }
});

it.each([
  ['http://other.example/portal/ended', 'the target names a different host than the Host header'],
  ['http://user@localhost:4010/', 'the target names a different host than the Host header'],
  ['//portal/s/x', 'the path has an empty segment'],
  ['/portal//s/x', 'the path has an empty segment'],
  ['/portal/./s/x', 'the path has a dot segment'],
  ['/portal/%2e%2E/x', 'the path has a dot segment'],
  ['/x%', 'the path is not percent-encoded UTF-8'],
  ['/x%ff', 'the path is not percent-encoded UTF-8'],
  ['/x#token=a', 'the target has a fragment'],
  ['portal/ended', 'the target is not a path'],
  ['localhost:443', 'the target is not a path'],
  ['', 'the target is not a path'],
])('OP-67: %s is refused: %s', (raw, problem) => {
  expect(targetOf(raw, 'localhost:4010')).toEqual({ problem });
});

const message = 'Invalid request: the request is not well-formed HTTP';

it('OP-67: an invalid target is 400 in the envelope of its API, with the reason, and closes the connection', async () => {
  const { origin } = await testSandbox();
  const { host } = new URL(origin);
  const cases = [
    ['/rewards//v1/partner/rewards', flat(400, 53, message), 'the path has an empty segment'],
    ['//client/getProfileAndPoints', wrapped(400, message), 'the path has an empty segment'],
    ['/client/%ff', wrapped(400, message), 'the path is not percent-encoded UTF-8'],
    ['http://other.example/client/x', wrapped(400, message), 'the target names a different host than the Host header'],
  ] as const;
  for (const [target, expected, problem] of cases) {
    const answer = await exchange(origin, [`GET ${target} HTTP/1.1`, `Host: ${host}`, '', '']);
    expect(plain(answer), target).toEqual(expected);
    expect(answer.headers).toMatchObject({ connection: 'close', 'x-problem': problem });
  }
});

it.each([
  [[], 'there is no Host header'],
  [['localhost', 'localhost'], 'there is more than one Host header'],
  ...['', 'user@localhost', 'local host', 'localhost/x', 'localhost, localhost', 'localhost:http'].map(
    (host): [string[], string] => [[host], 'the Host header is not a valid host and port'],
  ),
] as [string[], string][])(
  'OP-67: a request with the Hosts %j is 400 in the envelope of its API, and closes the connection',
  async (names, problem) => {
    const hosts = names.map((name) => `Host: ${name}`);
    const { origin } = await testSandbox();
    const send = (path: string) => exchange(origin, [`GET ${path} HTTP/1.1`, ...hosts, '', '']);
    for (const [path, expected] of [
      ['/rewards/v1/partner/rewards', flat(400, 53, message)] as const,
      ['/client/getProfileAndPoints', wrapped(400, message)] as const,
    ]) {
      const answer = await send(path);
      expect(plain(answer)).toEqual(expected);
      expect(answer.headers).toMatchObject({ connection: 'close', 'x-problem': problem });
    }
  },
);

it('OP-67: HTTP/1.0 needs no Host, and an IPv6 address is a valid Host', async () => {
  const { origin } = await testSandbox();
  const old = await exchange(origin, ['GET /sandbox/v1/health HTTP/1.0', '', '']);
  const host = ['Host: [::1]:4010', 'Connection: close', '', ''];
  const six = await exchange(origin, ['GET /sandbox/v1/health HTTP/1.1', ...host]);
  expect([old.status, six.status]).toEqual([200, 200]);
});

it('OP-67: an absolute target and an encoded one are the same address', async () => {
  const { origin } = await testSandbox();
  const { host } = new URL(origin);
  for (const target of [`${origin}/portal/ended`, '/%70ortal/%65nded']) {
    const answer = await exchange(origin, [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', '']);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  }
});

it('OP-67: an unknown expectation is ignored', async () => {
  const { origin } = await testSandbox();
  const head = ['Host: localhost', 'Expect: the-unexpected', 'Connection: close', '', ''];
  expect((await exchange(origin, ['GET /sandbox/v1/health HTTP/1.1', ...head])).status).toBe(200);
});

const canary = 'CANARY-7f3a9c';

/** Spells a name with each letter plain, in upper case, or percent-encoded once or twice. */
const spelled = (name: fc.Arbitrary<string>) =>
  fc
    .tuple(name, fc.array(fc.nat(4), { minLength: 16, maxLength: 16 }))
    .map(([text, ways]) => [...text].map((letter, index) => spellings(letter)[ways[index] ?? 0]).join(''));

function spellings(letter: string): string[] {
  const code = letter.charCodeAt(0).toString(16);
  return [letter, letter.toUpperCase(), `%${code}`, `%${code.toUpperCase()}`, `%25${code}`];
}

/** Generates the address of a page with a session, or of any resource with a secret parameter. */
const hostile = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/', '//', '/./', 'http://localhost/'),
      spelled(fc.constantFrom('portal', 'microsite')),
      fc.constantFrom('/', '%2f', '//', '/./', '/x/../', '\\'),
      spelled(fc.constant('s')),
      fc.constantFrom('/', '%2F', '//', '/%2e/'),
      fc.constant(canary),
      fc.constantFrom('', ';x', '/rewards', '?a=1', '%3Fa'),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('/portal/signin', '/microsite/', '/client/x', '/rewards/v1/partner/rewards'),
      fc.constantFrom('?', '?a=b&', '?a=b;', ';', '?;', '??', '?a=b?', '?a=%26', '#', '?a[]=&'),
      spelled(fc.constantFrom('token', 'access_token', 'secret', 'otp', 'password', 'jwt', 'session')),
      fc.constantFrom('=', '=x&token=', '%3D', '[]=', '%00='),
      fc.constant(canary),
    )
    .map((parts) => parts.join('')),
);

it('OP-73: no spelling of a secret in a target appears in the activity log or its findings', async () => {
  const sandbox = await testSandbox();
  const targets = fc.sample(hostile, { seed: 20_261_122, numRuns: scaled(80, 300) });
  for (const target of targets) {
    await exchange(sandbox.origin, [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', '', '']);
  }
  const { items } = ok(await sandbox.control.GET('/activity', { params: { query: { limit: 500 } } }));
  const findings = ok(await sandbox.control.GET('/findings'));
  expect(items.length).toBeGreaterThan(targets.length / 3);
  const urls = items.flatMap((entry) => (entry.kind === 'call_in' ? [entry.url] : []));
  expect(urls.filter((url) => url.includes(canary))).toEqual([]);
  expect(JSON.stringify([items, findings])).not.toContain(canary);
});

it('OP-73: a finding of the proxy or the traffic check shows no spelling of a secret either', () => {
  const shows = (target: string) =>
    maskUrl(target).includes(canary) || maskUrl(`https://a.example${target}`).includes(canary);
  fc.assert(
    fc.property(hostile, (target) => !shows(target)),
    { numRuns: scaled(500, 2000), seed: 20_261_122 },
  );
});
