/** Tests that addresses of the sandbox or its proxy are refused in every spelling (OP-78). */
import { describe, expect, it } from 'vitest';
import { isOwnAddress, type OwnPlaces, selfProblem } from '../../sandbox/http-client/connecting.ts';

const own: OwnPlaces = {
  port: () => 4010,
  proxyPort: 4011,
  addresses: () => ['127.0.0.1', '192.0.2.7', '2001:db8::7'],
};

const hosts = [
  ...[
    'localhost',
    'LOCALHOST',
    'any.localhost',
    'localhost.',
    '127.0.0.1',
    '127.9.9.9',
    '127.1',
    '2130706433',
    '0x7f.1',
  ],
  ...['0177.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', '0', '[::]'],
  ...['192.0.2.7', '3221225991', '[::ffff:192.0.2.7]', '[2001:db8:0::7]'],
];

describe('OP-78: this machine in any spelling', () => {
  it.each(hosts)('%s', (host) => {
    const ofSandbox = 'must not be the sandbox itself, except for the URL of its reference client';
    const ofProxy = 'must not be the validation proxy, except for its /client, and /hooks for webhooks';
    const workspace = `/w/${'5f'.repeat(16)}`;
    const below = ['/client/x', '/hooks/x', `${workspace}/sandbox/v1/reset`];
    expect(isOwnAddress(new URL(`http://${host}`).hostname, own)).toBe(true);
    for (const path of ['/sandbox/v1/reset', '/client', '/hooks', '/', '/client/../sandbox/v1/reset']) {
      expect(selfProblem(`http://${host}:4010${path}`, own), path).toBe(ofSandbox);
    }
    for (const path of ['/sandbox/v1/reset', '/', '/client/../sandbox/v1', '/client?x=', ...below]) {
      expect(selfProblem(`http://${host}:4011${path}`, own), path).toBe(ofProxy);
    }
    for (const place of ['4011/client', `4011${workspace}/client`, '4011/hooks', '8080/client']) {
      expect(selfProblem(`http://${host}:${place}`, own), place).toBe(undefined);
    }
  });
});

it('OP-78: the address of another machine is accepted on any port, and any address before the sandbox listens', () => {
  expect(selfProblem('https://192.0.2.8:4010/', own)).toBe(undefined);
  expect(selfProblem('https://partner.example:4010/', own)).toBe(undefined);
  expect(selfProblem('http://127.0.0.1:4010/', { ...own, port: () => undefined })).toBe(undefined);
});

it('OP-78: the default port of a scheme counts', () => {
  expect(selfProblem('https://127.0.0.1/', { ...own, port: () => 443 })).toMatch(/^must not be the sandbox/);
  expect(selfProblem('http://127.0.0.1/', { ...own, port: () => 80 })).toMatch(/^must not be the sandbox/);
});
