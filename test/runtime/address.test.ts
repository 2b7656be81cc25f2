import { describe, expect, test } from 'vitest';
import { addressProblem, inRanges, isLoopback, isRange, localAddresses } from '../../sandbox/runtime/caller.ts';

describe('addresses that may be called: https anywhere, plain http on loopback only (OP-26, OP-32)', () => {
  test.each([
    ...['https://partner.example/client', 'https://partner.example:8443/client?x=1', 'HTTPS://PARTNER.EXAMPLE'],
    ...['http://localhost:4010/client', 'http://LOCALHOST/', 'http://localhost./', 'http://my.localhost:8080/'],
    ...['http://127.0.0.1:4010/client', 'http://127.8.9.10/', 'http://[::1]:4010/client', 'http://[::ffff:127.0.0.1]/'],
    // Other spellings of 127.0.0.1, which a URL parser normalizes.
    ...['http://127.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0x7f.0.0.1/', 'http://0177.0.0.1/'],
    ...['http://①②⑦.⓪.⓪.①/', 'http://127。0。0。1/'],
  ])('%s may be', (address) => {
    expect(addressProblem(address, localAddresses)).toBe(undefined);
  });

  test.each([
    ...['', 'partner.example', '//partner.example', 'http://partner.example/', 'http://', 'https://', 'http://[::1/'],
    ...['http://10.0.0.1/', 'http://192.168.1.1/', 'http://169.254.169.254/latest/meta-data', 'http://0.0.0.0/'],
    ...['http://[::]/', 'http://[fe80::1]/', 'http://[::ffff:10.0.0.1]/', 'http://[64:ff9b::7f00:1]/'],
    // 10.0.0.1 as a decimal, hexadecimal and octal number, and what is no address.
    ...['http://167772161/', 'http://0x0a000001/', 'http://012.0.0.1/', 'http://256.0.0.1/'],
    // Names that only resemble local ones.
    ...['http://localhost.example/', 'http://127.0.0.1.example/', 'http://localhost@10.0.0.1/'],
    // User information, with any address.
    ...['https://user@partner.example/', 'https://user:password@partner.example/', 'http://:password@localhost/'],
    ...['http://127.0.0.1@partner.example/', 'ftp://localhost/', 'file:///etc/passwd', 'data:text/plain,x'],
    'javascript:alert(1)',
  ])('%s may not be', (address) => {
    expect(addressProblem(address, localAddresses)).toBe(
      'must be an https URL, or http on loopback or in a private range allowed with --allow-address',
    );
  });
});

describe('hosts', () => {
  test.each([
    ...['localhost', 'localhost.', 'my.localhost', 'LOCALHOST', '127.0.0.1', '127.255.255.254', '[127.0.0.1]', '::1'],
    ...['[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:127.255.255.254', '::FFFF:127.0.0.1', '::ffff:7f00:1'],
    // Notations of 127.0.0.1 that an address parser accepts, although no socket reports them.
    ...['127.1', '127.0.0.01', '0177.0.0.1', '0x7f000001', '2130706433'],
  ])('%j is this machine', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  // Other machines, and invalid addresses that begin or end like a local one.
  test.each([
    ...['', '0.0.0.0', '::', '::2', '128.0.0.1', '10.0.0.1', '10.0.0.127', 'partner.example', 'notlocalhost'],
    ...['localhost..', 'localhost.example', '.localhost', 'localhost\n', '::ffff:10.0.0.1', '::ffff:128.0.0.1'],
    ...['::ffff:0:127.0.0.1', '::ffff:::ffff:127.0.0.1', '::ffff:', '64:ff9b::127.0.0.1', '::1\n', '[[::1]]', '127.'],
    ...['127', '1270.0.0.1', '127.0.0.256', '127.0.0.1.', '127.0.0.1.example', '127.0.0.1.nip.example', '127.example'],
    ...[
      '127.0.0.1:80',
      '127.0.0.1/8',
      '127.0.0.1%lo',
      '127.0.0.1\0',
      '127.0.0.1\0.example',
      ' 127.0.0.1',
      '127.0.0.1 ',
    ],
  ])('%j is not', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('address ranges (OP-31)', () => {
  test.each(['10.0.0.0/8', '10.1.2.3/32', '0.0.0.0/0', '::/0', '2001:db8::/32', '::1/128'])('%s is one', (text) => {
    expect(isRange(text)).toBe(true);
  });

  test.each(['', '10.0.0.1', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.0/8x', '/8', '::/129', 'example/8'])(
    '%j is none',
    (text) => {
      expect(isRange(text)).toBe(false);
    },
  );

  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['10.0.0.127', ['10.0.0.0/25'], true],
    ['10.0.0.128', ['10.0.0.0/25'], false],
    ['192.168.1.1', ['10.0.0.0/8', '192.168.0.0/16'], true],
    ['10.1.2.3', ['0.0.0.0/0'], true],
    ['10.1.2.3', [], false],
    // The address that a dual-stack socket reports for an IPv4 peer.
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:11.1.2.3', ['10.0.0.0/8'], false],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['2001:db8::5', ['0.0.0.0/0'], false],
    ['10.1.2.3', ['::/0'], false],
    ['', ['0.0.0.0/0'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
  ])('%j in %j: %s', (peer, ranges, is) => {
    expect(inRanges(peer, ranges)).toBe(is);
  });
});
