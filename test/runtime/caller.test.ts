/**
 * Tests determining the origin of a call from the peer, forwarding headers, Host, Origin, Sec-Fetch-Site and marks
 * (OP-65, OP-77, OP-87).
 */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Boundary, callerOf, outgoingHeader, ownCallHeader } from '../../sandbox/runtime/caller.ts';

const trusted = ['10.0.0.0/8', 'fd00::/8'];
const boundary: Boundary = { exempt: true, hosts: ['sandbox.example'], trustedProxies: [], origins: [] };

/** Returns the caller of a local request to `localhost`, with changes. */
function callerWith(
  headers: Record<string, string>,
  { peer = '127.0.0.1', url = '/sandbox/v1/workspace', method = 'GET', ...own }: Partial<RequestContext> = {},
) {
  const request = { method, headers: { host: 'localhost:4010', ...headers }, socket: { remoteAddress: peer } };
  return callerOf(request as unknown as IncomingMessage, url, { ...boundary, ...own });
}

interface RequestContext extends Boundary {
  readonly peer: string;
  readonly url: string;
  readonly method: string;
}

const addressesOf = (peer: string, header: string, trustedProxies: readonly string[]) =>
  callerWith(header === '' ? {} : { 'x-forwarded-for': header }, { peer, trustedProxies }).addresses;

it.each([
  ['no header', '10.0.0.1', '', '10.0.0.1'],
  ['one proxy names its caller', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 peer in the notation of IPv6', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['an IPv6 proxy and an IPv6 caller', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['trusted proxies in a row are skipped', '10.0.0.1', '203.0.113.7, 10.0.0.3,10.0.0.2', '203.0.113.7'],
  ['a claim of the caller itself is ignored', '10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['a claim to be a proxy is ignored', '10.0.0.1', '198.51.100.1, 10.0.0.9, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['garbage before the caller is ignored', '10.0.0.1', '<script>, 203.0.113.7', '203.0.113.7'],
  ['all are proxies', '10.0.0.1', '10.9.9.9, 10.0.0.2', '10.0.0.1'],
  ['a name', '10.0.0.1', 'unknown', 'unknown'],
  ['an empty entry', '10.0.0.1', '203.0.113.7,', 'unknown'],
  ['a port', '10.0.0.1', '203.0.113.7:4711', 'unknown'],
  ['brackets', '10.0.0.1', '[2001:db8::7]', 'unknown'],
  ['a short form', '10.0.0.1', '127.1', 'unknown'],
  ['a number', '10.0.0.1', '3405803783', 'unknown'],
  ['octal digits', '10.0.0.1', '0313.0.0161.07', 'unknown'],
  ['garbage between proxy and caller', '10.0.0.1', '203.0.113.7, x, 10.0.0.2', 'unknown'],
  ['a peer that is no proxy', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['an unknown peer', '', '198.51.100.1', ''],
])('OP-87: %s: peer %j, header %j -> %j', (_what, peer, header, expected) => {
  expect(addressesOf(peer, header, trusted)).toEqual([expected]);
});

it('without trusted ranges the header is ignored', () => {
  expect(addressesOf('10.0.0.1', '203.0.113.7', [])).toEqual(['10.0.0.1']);
});

it('OP-87: behind an untrusted proxy on this machine both addresses count, so both must be allowed', () => {
  expect(addressesOf('127.0.0.1', '198.51.100.1, 203.0.113.7', [])).toEqual(['127.0.0.1', '203.0.113.7']);
  expect(addressesOf('127.0.0.1', 'nonsense', [])).toEqual(['127.0.0.1', 'nonsense']);
  expect(addressesOf('127.0.0.1', '203.0.113.7', ['127.0.0.0/8'])).toEqual(['203.0.113.7']);
});

const machine = { kind: 'machine', addresses: ['127.0.0.1'], exempt: true };

describe('OP-65: this machine is exempt from the admin token', () => {
  it.each([
    ['by name', {}],
    ['by address', { host: '127.0.0.1:4010' }],
    ['by IPv6 address', { host: '[::1]:4010' }],
    ['by a name below localhost, at another port', { host: 'ws1.localhost:8080' }],
    ['from a page of its own', { origin: 'http://localhost:4010', 'sec-fetch-site': 'same-origin' }],
    ['from a page of its own in an old browser', { origin: 'http://localhost:4010' }],
    ['from the address bar', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ])('%s', (_what, headers) => {
    expect(callerWith(headers as Record<string, string>)).toEqual(machine);
  });
});

it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('OP-65: a call from %s is of this machine', (peer) => {
  expect(callerWith({}, { peer })).toEqual({ ...machine, addresses: [peer] });
});

describe('OP-65: the exemption ends', () => {
  it('if it does not apply: an admin token is set, or other machines can reach the server', () => {
    expect(callerWith({}, { exempt: false })).toEqual({ ...machine, exempt: false });
  });

  it.each(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:128.0.0.1', 'fe80::1%lo', '2001:db8::127.0.0.1', ''])(
    'for another machine: %j',
    (peer) => {
      expect(callerWith({}, { peer })).toEqual({ kind: 'network', addresses: [peer], exempt: false });
    },
  );

  it('for a name that is not of this machine, even if the server accepts it', () => {
    expect(callerWith({ host: 'sandbox.example' })).toEqual({ ...machine, exempt: false });
    expect(callerWith({ host: '192.0.2.1:4010' })).toEqual({ ...machine, exempt: false });
  });

  it('for the page of another site, even if only a link leads here', () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(callerWith(link)).toEqual({ ...machine, exempt: false });
  });

  it.each([
    ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'],
    ...['x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip'],
  ])('where %s shows that a proxy forwarded it', (name) => {
    expect(callerWith({ [name]: '127.0.0.1' })).toMatchObject({ kind: 'forwarded', exempt: false });
  });

  it('behind a trusted proxy too', () => {
    const trustedProxies = ['127.0.0.0/8'];
    expect(callerWith({ 'x-forwarded-for': '127.0.0.1' }, { trustedProxies })).toMatchObject({ exempt: false });
  });
});

describe('OP-77: a Host that names no address of this server is foreign', () => {
  it.each([
    ...['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example', 'sandbox.example.evil'],
    ...['', 'localhost@rebound.example', 'localhost/x', 'a b', '[::1', 'localhost:80:80', 'localhost:x'],
  ])('%j', (host) => {
    expect(callerWith({ host })).toEqual({ ...machine, exempt: false, foreign: { kind: 'foreign_host' } });
  });

  it.each(['localhost', 'LOCALHOST:4010', 'localhost.', '127.0.0.1', '[::1]', '192.0.2.1:80', 'Sandbox.Example:443'])(
    '%s is accepted',
    (host) => {
      expect(callerWith({ host }).foreign).toBe(undefined);
    },
  );

  it('a call by HTTP/1.0 without a Host is accepted, but not exempt', () => {
    const request = { method: 'GET', headers: {}, socket: { remoteAddress: '127.0.0.1' } };
    const caller = callerOf(request as unknown as IncomingMessage, '/', boundary);
    expect(caller).toEqual({ ...machine, exempt: false });
  });

  it('the forwarded host of a trusted proxy counts, that of anyone else does not', () => {
    const headers = { host: '10.0.0.9', 'x-forwarded-host': 'rebound.example' };
    expect(callerWith(headers, { trustedProxies: ['127.0.0.0/8'] }).foreign).toEqual({ kind: 'foreign_host' });
    expect(callerWith(headers).foreign).toBe(undefined);
  });
});

describe('OP-77: a call that a page of another site has sent is foreign', () => {
  const foreign = { kind: 'foreign_site' };

  it.each([
    [{ origin: 'https://elsewhere.example' }],
    [{ origin: 'http://localhost:1' }],
    [{ origin: 'http://localhost' }],
    [{ origin: 'file://' }],
    [{ origin: 'http://localhost:4010, http://elsewhere.example' }],
    [{ origin: 'null' }],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'http://localhost:4010', 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('%j', (headers) => {
    for (const method of ['GET', 'POST']) {
      expect(callerWith(headers as Record<string, string>, { method, url: '/microsite/codes' }).foreign).toEqual(
        foreign,
      );
    }
  });

  it('a form from another site is, a link from there is not', () => {
    const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(callerWith(navigation, { method: 'POST', url: '/microsite/codes' }).foreign).toEqual(foreign);
    expect(callerWith(navigation, { method: 'GET', url: '/portal/signin?token=x&uid=y' }).foreign).toBe(undefined);
  });

  it('a page that hides its origin is trusted only inside a session, whose address nobody can guess', () => {
    const hidden = { method: 'POST', url: '/portal/s/HANDLE/orders' };
    expect(callerWith({ origin: 'null' }, hidden).foreign).toBe(undefined);
    expect(callerWith({ origin: 'null', 'sec-fetch-site': 'same-origin' }, hidden).foreign).toBe(undefined);
    expect(callerWith({ origin: 'null', 'sec-fetch-site': 'cross-site' }, hidden).foreign).toEqual(foreign);
  });
});

describe('OP-78: a call that a sandbox made reaches clients, and nothing else', () => {
  const marked = { [outgoingHeader]: '1' };

  it.each(['/sandbox/v1/reset', '/rewards/v1/company/auth', '/general/v1/orders', '/portal/signin', '/clients', '/'])(
    '%s is foreign to it',
    (url) => {
      expect(callerWith(marked, { url })).toMatchObject({
        kind: 'sandbox',
        exempt: false,
        foreign: { kind: 'own_call' },
      });
    },
  );

  it('the client API is not, nor is the platform for its own reference client', () => {
    const accepted = { kind: 'sandbox', addresses: ['127.0.0.1'], exempt: false };
    expect(callerWith(marked, { url: '/client/creditPoints' })).toEqual(accepted);
    const own = { ...marked, [ownCallHeader]: 'secret' };
    expect(callerWith(own, { url: '/rewards/getwalletdetail?uid=x' })).toEqual(accepted);
    expect(callerWith(own, { url: '/sandbox/v1/reset' }).foreign).toEqual({ kind: 'own_call' });
  });
});
