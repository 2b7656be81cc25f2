/**
 * Tests that no connection is made to an address that is neither public nor allowed by the operator (OP-60). Uses only
 * loopback, and looks up no name.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buildConnector } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../sandbox/http/x509.ts';
import {
  type Connector,
  checkedLookup,
  guardedConnector,
  type Resolve,
  toItself,
  trustOnly,
} from '../../sandbox/http-client/connecting.ts';
import { Outgoing, outgoingTerms, reasonOf } from '../../sandbox/http-client/outgoing.ts';
import { addressProblem, localAddresses, refusalOf } from '../../sandbox/runtime/caller.ts';
import { bareServer } from '../harness/bare-server.ts';
import { httpServer, socketServer } from '../harness/http-server.ts';
import { inwardHosts, malformed, privateHosts } from '../harness/inward-addresses.ts';
import { nowhere } from '../harness/nowhere.ts';

/** Starts a server on loopback that answers everything with 204. Counts its connections. */
async function canary(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const { port } = await socketServer((socket) => {
    connections += 1;
    socket.on('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'));
  });
  return { port: Number(port), connections: () => connections };
}

function certificate() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: selfSigned(privateKey, Date.now(), 1), key };
}

const noneToCall = 'has no address that may be called: a public one under https, or one allowed with --allow-address';
const at = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });
const failOnLookup: Resolve = () => expect.fail('a name was looked up');
const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map(at);

function calls(connect: Connector): Outgoing {
  const outgoing = new Outgoing({ ...outgoingTerms, totalTimeout: 5000 }, connect, () => 0);
  onTestFinished(() => outgoing.close());
  return outgoing;
}

const guard = (allowed: readonly string[], resolve: Resolve) =>
  guardedConnector({ allowed, resolve, timeout: 3000, own: nowhere });

/** Returns the status of a call, or the reason for its failure. */
function outcome(calls: Outgoing, url: string): Promise<string | number> {
  return calls
    .fetchOf('read')(url)
    .then(({ status }) => status, reasonOf);
}

/** Makes a call over new connections. Returns its status, or the reason for its failure. */
const reached = (connect: Connector, url: string) => outcome(calls(connect), url);

test('the corpus is as large as it should be', () => {
  expect(new Set(inwardHosts).size).toBeGreaterThanOrEqual(80);
});

describe('at setting: every inward address is refused if the operator allows none', () => {
  const refusal = /^must be (a public address or one allowed with|an https URL, or http on loopback)/;

  test.each(inwardHosts)('%s', (host) => {
    expect(addressProblem(`https://${host}/hook`, [])).toMatch(refusal);
    expect(addressProblem(`http://${host}/hook`, [])).toMatch(refusal);
  });

  // Over plain HTTP, the address of a host name is checked when the name is resolved.
  test.each(malformed.filter((url) => url !== 'http://partner.example/'))('%j, whatever is allowed', (url) => {
    expect(addressProblem(url, ['0.0.0.0/0', '::/0'])).toBe(
      'must be an https URL, or http on loopback or in a private range allowed with --allow-address',
    );
  });

  test.each(privateHosts)('%s is refused even if loopback is allowed', (host) => {
    expect(addressProblem(`https://${host}/hook`, localAddresses)).toMatch(refusal);
  });

  test.each(['8.8.8.8', '[2606:4700::1]', 'partner.example', '1.1'])('%s is accepted under https', (host) => {
    expect(addressProblem(`https://${host}/hook`, [])).toBe(undefined);
  });

  test('an allowed range is accepted under https, and under plain http if it is private', () => {
    const allowed = [...localAddresses, '10.0.0.0/8', 'fd00::/8', '8.8.0.0/16'];
    const problem = (address: string) => addressProblem(address, allowed);
    for (const address of ['https://10.1.2.3/', 'http://10.1.2.3:8080/', 'http://[fd00::1]/', 'https://8.8.8.8/'])
      expect(problem(address)).toBe(undefined);
    for (const address of ['http://192.168.1.1/', 'http://8.8.8.8/', 'http://1.1.1.1/', 'http://169.254.169.254/'])
      expect(addressProblem(address, allowed)).toMatch(refusal);
    expect(addressProblem('https://10.1.2.3/', ['10.0.0.0/16'])).toMatch(refusal);
  });

  test('a name is accepted under plain http once a range beyond loopback is allowed', () => {
    expect(addressProblem('http://app:8080', [...localAddresses, '172.16.0.0/12'])).toBe(undefined);
    expect(addressProblem('http://host.docker.internal:8080', ['fd00::/8'])).toBe(undefined);
    expect(addressProblem('http://app:8080', localAddresses)).toMatch(refusal);
    expect(addressProblem('http://app:8080', [])).toMatch(refusal);
  });
});

describe('at connecting over plain http, where the operator allows a private range', () => {
  // The test network has only loopback, so the test covers only the lookup. An address is checked before the connection is made.
  const allowed = ['10.0.0.0/8'];

  test.each<[addresses: string[], refused: boolean]>([
    [['10.1.2.3'], false],
    [['::ffff:10.1.2.3'], false],
    [['127.0.0.1'], true],
    [['8.8.8.8'], true],
    [['192.168.0.1'], true],
    [['169.254.169.254'], true],
    [['10.1.2.3', '8.8.8.8'], true],
    [['10.1.2.3', '192.168.0.1'], true],
  ])('a name that resolves to %j is refused: %s', async (addresses, refused) => {
    const lookup = checkedLookup((address) => refusalOf(address, 'http:', allowed), to(...addresses));
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    lookup('app', { all: true }, (error) => resolve(error?.message));
    expect(await promise).toEqual(refused ? `app ${noneToCall}` : undefined);
  });

  test.each(['8.8.8.8', '2606:4700::1'])(
    'a name that resolves to the public %s is refused, whatever is allowed',
    (address) => {
      expect(refusalOf(address, 'http:', ['0.0.0.0/0', '::/0'])).toBe(
        'plain http is allowed only on loopback and in private ranges allowed with --allow-address',
      );
    },
  );

  test('a name that leads to an allowed address is called over plain http', async () => {
    const { port, connections } = await canary();
    expect(await reached(guard(['127.0.0.0/8'], to('127.0.0.1')), `http://app:${port}/`)).toBe(204);
    expect(connections()).toBe(1);
  });
});

describe('at connecting: not one connection where the operator allows nothing', () => {
  test('to no literal of the corpus, over http or https', async () => {
    const { port, connections } = await canary();
    const outgoing = calls(guard([], async () => [at('127.0.0.1')]));
    for (const host of inwardHosts) {
      for (const protocol of ['http', 'https']) {
        const reason = await outcome(outgoing, `${protocol}://${host}:${port}/`);
        expect(reason, `${protocol}://${host}`).toMatch(
          /is not public|plain http is|has no address that may be called/,
        );
      }
    }
    expect(connections()).toBe(0);
  });

  test.each([
    ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'],
    ...['64:ff9b::7f00:1', '::7f00:1', '10.0.0.1', 'fe80::1%lo'],
  ])('to no name that resolves to %s, also together with a public address', async (address) => {
    const { port, connections } = await canary();
    for (const resolve of [to(address), to('8.8.8.8', address), to(address, '8.8.8.8')]) {
      for (const protocol of ['http', 'https']) {
        const reason = await reached(guard([], resolve), `${protocol}://partner.example:${port}/`);
        expect(reason).toBe(`partner.example ${noneToCall}`);
      }
    }
    expect(connections()).toBe(0);
  });

  test('a name that does not exist reads like one without an address, with an invalid one, or with an inward one', async () => {
    const unknown = (code: string) => () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code }));
    for (const resolve of [unknown('ENOTFOUND'), unknown('ENODATA'), to(), to('not an address'), to('10.0.0.1')]) {
      const outgoing = calls(guard([], resolve));
      // The circuit breaker does not distinguish these names either.
      for (let time = 0; time < 6; time += 1) {
        for (const protocol of ['http', 'https']) {
          expect(await outcome(outgoing, `${protocol}://partner.example/`)).toBe(`partner.example ${noneToCall}`);
        }
      }
    }
    expect(await reached(guard([], unknown('EAI_AGAIN')), 'https://partner.example/')).toBe('EAI_AGAIN');
  });

  test('rebinding: the connection goes to the checked address, and a second lookup is checked again', async () => {
    const { port, connections } = await canary();
    const answers = ['10.0.0.1', '127.0.0.1'];
    let lookups = 0;
    const resolve: Resolve = async () => [at(answers[lookups++ % 2] ?? '')];
    // Lookups alternate between 10.0.0.1, which is refused, and 127.0.0.1, which is allowed. Only every second one may connect.
    const outgoing = calls(guard(['127.0.0.0/8'], resolve));
    const url = `http://partner.example:${port}/`;
    const outcomes = [await outcome(outgoing, url), await outcome(outgoing, url), await outcome(outgoing, url)];
    const refused = `partner.example ${noneToCall}`;
    expect(outcomes).toEqual([refused, 204, refused]);
    expect([lookups, connections()]).toEqual([3, 1]);
  });

  test('a redirect inward is returned, not followed', async () => {
    const { port, connections } = await canary();
    const location = `http://127.0.0.2:${port}/`;
    const front = await httpServer((_, response) => void response.writeHead(307, { location }).end());
    expect(await reached(guard(localAddresses, failOnLookup), front.href)).toBe(307);
    expect(connections()).toBe(0);
  });
});

test('OP-60: no call connects to a port of another protocol, on any host', async () => {
  const outgoing = calls(guard(localAddresses, to('127.0.0.1')));
  for (const port of [25, 6000, 10_080]) {
    for (const host of ['127.0.0.1', 'partner.example'])
      expect(await outcome(outgoing, `http://${host}:${port}/`)).toBe(`port ${port} belongs to another protocol`);
  }
});

test('OP-60: URLs with credentials are not called', async () => {
  const { port, connections } = await canary();
  const call = { method: 'GET', url: `http://user:canary@127.0.0.1:${port}/`, headers: {} };
  const reason = await calls(guard(localAddresses, failOnLookup)).send('read', call).catch(reasonOf);
  expect([reason, connections()]).toEqual(['URLs with credentials are not called', 0]);
});

describe('allowed addresses are reached', () => {
  test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])('%s if loopback is allowed', async (host) => {
    const { port, connections } = await canary();
    expect(await reached(guard(localAddresses, failOnLookup), `http://${host}:${port}/`)).toBe(204);
    expect(connections()).toBe(1);
  });

  test('a name if all its addresses are allowed', async () => {
    const { port, connections } = await canary();
    expect(await reached(guard(localAddresses, to('::1', '127.0.0.1')), `http://localhost:${port}/`)).toBe(204);
    expect(connections()).toBe(1);
  });

  test('the sandbox itself, at its own origin only, over a connection of its own', async () => {
    const served: (string | undefined)[] = [];
    const server = await bareServer(async (request, response) => {
      served.push(request.url);
      response.writeHead(204).end();
    });
    const itself = calls(toItself(() => server.origin, server.connect));
    expect(await outcome(itself, `${server.origin}/client`)).toBe(204);
    for (const other of [`http://127.0.0.2:${server.port}`, `https://127.0.0.1:${server.port}`])
      expect(await outcome(itself, `${other}/client`)).toMatch('is not the sandbox itself');
    expect(served).toEqual(['/client']);
  });
});

describe('a server with a certificate of its own', () => {
  test('its certificate is trusted, whatever host it is for; another with the same name is not', async () => {
    const [own, other] = [certificate(), certificate()];
    const server = createSecureServer(own, (_, response) => void response.writeHead(204).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `https://127.0.0.2:${(server.address() as AddressInfo).port}/client`;
    expect(await reached(buildConnector(trustOnly(own.cert)), url)).toBe(204);
    expect(await reached(buildConnector(trustOnly(other.cert)), url)).toMatch(/CERT|SIGNATURE|SELF_SIGNED/);
    expect(await reached(guard(localAddresses, failOnLookup), url)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });
});
