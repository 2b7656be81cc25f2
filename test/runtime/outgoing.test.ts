/** Calls to other parties: bounded in time and size, no redirect followed (OP-24). Loopback only. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localAddresses } from '../../sandbox/runtime/address.ts';
import { guarded, systemResolve } from '../../sandbox/runtime/connecting.ts';
import { Outgoing, outgoingLimits, reasonOf, retrySchedule } from '../../sandbox/runtime/outgoing.ts';
import { nowhere } from './nowhere.ts';

/** A server of the test's own; its address. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function outgoing(limits: Partial<typeof outgoingLimits> = {}, now = () => 0): Outgoing {
  const { connectTimeout: timeout } = outgoingLimits;
  const connect = guarded({ allowed: localAddresses, resolve: systemResolve, timeout, own: nowhere });
  const calls = new Outgoing({ ...outgoingLimits, ...limits }, connect, now);
  onTestFinished(() => calls.close());
  return calls;
}

/** Why a call failed; fails the test when it did not. */
async function failure(call: Promise<unknown>): Promise<string> {
  return call.then(() => expect.fail('the call went through'), reasonOf);
}

test('the limits are those of OP-24', () => {
  expect(outgoingLimits).toEqual({ connectTimeout: 3_000, totalTimeout: 15_000, replyBytes: 65_536 });
  const [second, minute, hour] = [1000, 60_000, 3_600_000];
  const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
  expect(retrySchedule).toEqual(waits);
});

test('a reply comes whole: status, headers and body', async () => {
  const url = await serve((request, response) => {
    response.writeHead(422, { 'content-type': 'application/json', 'x-seen': String(request.headers['x-sent']) });
    response.end('{"success":false}');
  });
  const reply = await outgoing().fetch(url, { headers: { 'x-sent': 'yes' } });
  expect([reply.status, reply.headers.get('x-seen'), await reply.json()]).toEqual([422, 'yes', { success: false }]);
});

test('a reply without a body comes without a body', async () => {
  const url = await serve((_, response) => void response.writeHead(204).end());
  const reply = await outgoing().fetch(url);
  expect([reply.status, await reply.text()]).toEqual([204, '']);
});

test('OP-24: a reply that may have no body comes without one, whatever it says', async () => {
  const url = await serve((_, response) => void response.writeHead(205, { 'content-length': '4' }).end('body'));
  const reply = await outgoing().fetch(url);
  expect([reply.status, await reply.text()]).toEqual([205, '']);
});

test.each([301, 302, 303, 307, 308])('OP-24: a redirect with %d is not followed: it is the reply', async (status) => {
  const paths: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  const reply = await outgoing().fetch(`${url}/first`, { method: 'POST', body: '{}' });
  expect([reply.status, reply.headers.get('location'), paths]).toEqual([status, '/elsewhere', ['/first']]);
});

describe('the size of a reply', () => {
  const bytes =
    (count: number): RequestListener =>
    (_, response) =>
      void response.end('x'.repeat(count));

  test('64 KiB go through', async () => {
    const reply = await outgoing().fetch(await serve(bytes(65_536)));
    expect((await reply.text()).length).toBe(65_536);
  });

  test('a byte more is refused', async () => {
    expect(await failure(outgoing().fetch(await serve(bytes(65_537))))).toBe('the reply is larger than 65536 bytes');
  });

  test('a reply without end is refused as soon as it is too large, and its connection is given up', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      response.on('close', resolve);
      const more = () => void (response.destroyed || response.write('x'.repeat(16_384), more));
      more();
    });
    expect(await failure(outgoing().fetch(url))).toBe('the reply is larger than 65536 bytes');
    await gone;
  });

  test('what counts is the size unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000));
    const url = await serve((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
    expect(packed.length).toBeLessThan(65_536);
    expect(await failure(outgoing().fetch(url))).toBe('the reply is larger than 65536 bytes');
  });
});

describe('the time of a call', () => {
  test('a server that never answers is given up', async () => {
    const url = await serve(() => {});
    expect(await failure(outgoing({ totalTimeout: 100 }).fetch(url))).toBe('no reply in time');
  });

  test('so is one that never ends its body', async () => {
    const url = await serve((_, response) => void response.writeHead(200).write('{"success":'));
    expect(await failure(outgoing({ totalTimeout: 100 }).fetch(url))).toBe('no reply in time');
  });

  test('so is one whose body drips: the time is that of the whole call', async () => {
    let drops = 0;
    const url = await serve((_, response) => {
      const drip = setInterval(() => {
        drops += 1;
        response.write(' ');
      }, 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failure(outgoing({ totalTimeout: 200 }).fetch(url))).toBe('no reply in time');
    expect(drops).toBeGreaterThan(1);
  });
});

test('a refused connection is told by its code', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await failure(outgoing().fetch(`http://127.0.0.1:${port}`))).toBe('ECONNREFUSED');
});

test('a connection that breaks in the middle of a reply is a failure, not a short reply', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"success":true}', () => response.destroy());
  });
  expect(await failure(outgoing().fetch(url))).toBe('UND_ERR_SOCKET');
});

test('OP-61: at most four calls are in flight to one address', async () => {
  let [open, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const url = await serve((_, response) => {
    open += 1;
    most = Math.max(most, open);
    waiting.push(() => {
      open -= 1;
      response.end();
    });
    // Whoever makes the fourth lets all go; a fifth at the same time would have raised the most.
    if (open === 4 || waiting.length > 8) for (const end of waiting.splice(0)) setImmediate(end);
  });
  const calls = outgoing();
  const replies = await Promise.all(Array.from({ length: 12 }, () => calls.fetch(url)));
  expect([replies.length, most]).toEqual([12, 4]);
});

test('OP-61: a thousand calls may wait for one address; one more is refused at once, and no other address is concerned', async () => {
  const held: (() => void)[] = [];
  const url = await serve((_, response) => {
    if (held.length < 4) held.push(() => response.end());
    else response.end();
  });
  const [calls, other] = [outgoing(), await serve((_, response) => void response.end())];
  const waiting = Array.from({ length: 1004 }, () => calls.fetch(url));
  await expect.poll(() => held.length).toBe(4);
  expect(await failure(calls.fetch(url))).toBe('1000 calls wait for this address already');
  expect((await calls.fetch(other)).status).toBe(200);
  for (const end of held) end();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('closing ends the calls under way and those that wait', async () => {
  let asked = 0;
  const url = await serve(() => {
    asked += 1;
  });
  const calls = outgoing();
  const reasons = Promise.all(Array.from({ length: 6 }, () => failure(calls.fetch(url))));
  await expect.poll(() => asked).toBe(4);
  await calls.close();
  const ended = Array.from({ length: 4 }, () => 'UND_ERR_DESTROYED');
  expect(await reasons).toEqual([...ended, 'the sandbox is ending', 'the sandbox is ending']);
});

test('after closing nothing is called any more', async () => {
  const url = await serve((_, response) => void response.end());
  const calls = outgoing();
  await calls.close();
  expect(await failure(calls.fetch(url))).toBe('the sandbox is ending');
});
