/** From which address a call comes when proxies stand in front (OP-87). */
import { expect, it } from 'vitest';
import { callerAddress } from '../../sandbox/runtime/address.ts';

const trusted = ['10.0.0.0/8', 'fd00::/8'];

it.each([
  ['nothing is said', '10.0.0.1', '', '10.0.0.1'],
  ['one proxy tells of its caller', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 peer in the notation of IPv6', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['an IPv6 proxy and an IPv6 caller', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['trusted proxies in a row are skipped', '10.0.0.1', '203.0.113.7, 10.0.0.3,10.0.0.2', '203.0.113.7'],
  ['what the caller itself claims stays unread', '10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['a claim to be a proxy stays unread', '10.0.0.1', '198.51.100.1, 10.0.0.9, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['rubbish before the caller stays unread', '10.0.0.1', '<script>, 203.0.113.7', '203.0.113.7'],
  ['all are proxies', '10.0.0.1', '10.9.9.9, 10.0.0.2', '10.0.0.1'],
  ['a name', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['an empty place', '10.0.0.1', '203.0.113.7,', '10.0.0.1'],
  ['a port', '10.0.0.1', '203.0.113.7:4711', '10.0.0.1'],
  ['brackets', '10.0.0.1', '[2001:db8::7]', '10.0.0.1'],
  ['a short form', '10.0.0.1', '127.1', '10.0.0.1'],
  ['a number', '10.0.0.1', '3405803783', '10.0.0.1'],
  ['octal digits', '10.0.0.1', '0313.0.0161.07', '10.0.0.1'],
  ['rubbish between proxy and caller', '10.0.0.1', '203.0.113.7, x, 10.0.0.2', '10.0.0.1'],
  ['a peer that is no proxy', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a peer that cannot be told', '', '198.51.100.1', ''],
])('%s: peer %j, header %j -> %j', (_what, peer, header, expected) => {
  expect(callerAddress(peer, header, trusted)).toBe(expected);
});

it('without trusted ranges the header is never read', () => {
  expect(callerAddress('10.0.0.1', '203.0.113.7', [])).toBe('10.0.0.1');
});
