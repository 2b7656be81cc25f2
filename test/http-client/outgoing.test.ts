/** Tests that outgoing calls are limited in time and size, and never follow redirects (OP-24). Uses only loopback. */
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { circuitLimits } from '../../sandbox/http-client/circuit.ts';
import { Outgoing, type OutgoingTerms, outgoingTerms, ownTerms, reasonOf } from '../../sandbox/http-client/outgoing.ts';
import { defaultSettings } from '../../sandbox/runtime/settings.ts';
import { closedPort, httpServer } from '../harness/http-server.ts';
import { loopback } from './loopback.ts';

/** Starts an HTTP server for a test and returns its origin. */
const serving = async (handle: RequestListener) => (await httpServer(handle)).origin;

function outgoing(terms: Partial<OutgoingTerms> = {}, now = () => 0): Outgoing {
  const calls = new Outgoing({ ...outgoingTerms, ...terms }, loopback, now);
  onTestFinished(() => calls.close());
  return calls;
}

/** Returns the reason why a call failed. Fails the test if the call succeeded. */
async function failure(call: Promise<unknown>): Promise<string> {
  return call.then(() => expect.fail('the call went through'), reasonOf);
}

test('the limits are those of OP-24', () => {
  const times = { connectTimeout: 3_000, totalTimeout: 15_000 };
  const partner = { replyBytes: 65_536, places: 'address', inFlight: 4, circuits: true, isToItself: false };
  expect(outgoingTerms).toEqual({ ...times, ...partner });
  const own = { replyBytes: 16_777_216, places: 'operation', inFlight: 4, circuits: false };
  expect(ownTerms).toEqual({ ...times, ...own, isToItself: true, moreInFlight: expect.any(Map) });
  const [minute, hour] = [60, 3600];
  const waits = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
  expect(defaultSettings.retry_delays).toEqual(waits);
});

test('a reply is complete: status, headers and body', async () => {
  const url = await serving((request, response) => {
    response.writeHead(422, { 'content-type': 'application/json', 'x-seen': String(request.headers['x-sent']) });
    response.end('{"success":false}');
  });
  const reply = await outgoing().fetchOf('read')(url, { headers: { 'x-sent': 'yes' } });
  expect([reply.status, reply.headers.get('x-seen'), await reply.json()]).toEqual([422, 'yes', { success: false }]);
});

test.each([204, 205])('OP-24: a %d, which may have no body, has none, even if the server sends one', async (status) => {
  const url = await serving((_, response) => void response.writeHead(status, { 'content-length': '4' }).end('body'));
  const reply = await outgoing().fetchOf('read')(url);
  expect([reply.status, await reply.text()]).toEqual([status, '']);
});

test.each([301, 302, 303, 307, 308])('OP-24: a redirect with %d is the reply, and is not followed', async (status) => {
  const paths: (string | undefined)[] = [];
  const url = await serving((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  const reply = await outgoing().fetchOf('read')(`${url}/first`, { method: 'POST', body: '{}' });
  expect([reply.status, reply.headers.get('location'), paths]).toEqual([status, '/elsewhere', ['/first']]);
});

describe('the size of a reply', () => {
  test.each([
    ['OP-24: 64 KiB of another server', outgoingTerms],
    ['OP-92: 16 MiB of the sandbox itself', ownTerms],
  ])('%s are accepted, and one byte more is refused', async (_, terms) => {
    const whole = 'x'.repeat(terms.replyBytes);
    const url = await serving((request, response) => void response.end(request.url === '/more' ? `${whole}x` : whole));
    const calls = outgoing(terms);
    expect((await (await calls.fetchOf('read')(url)).text()).length).toBe(whole.length);
    expect(await failure(calls.fetchOf('read')(`${url}/more`))).toBe(
      `the response is larger than ${whole.length} bytes`,
    );
  });

  test('an endless reply is refused as soon as it is too large, and its connection is closed', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const url = await serving((_, response) => {
      response.on('close', resolve);
      const more = () => void (response.destroyed || response.write('x'.repeat(16_384), more));
      more();
    });
    expect(await failure(outgoing().fetchOf('read')(url))).toBe('the response is larger than 65536 bytes');
    await closed;
  });
});

test('a call whose reply drips times out: the limit is for the whole call', async () => {
  let drops = 0;
  const url = await serving((_, response) => {
    const drip = setInterval(() => {
      drops += 1;
      response.write(' ');
    }, 10);
    response.on('close', () => clearInterval(drip));
  });
  expect(await failure(outgoing({ totalTimeout: 400 }).fetchOf('read')(url))).toBe('no response in time');
  expect(drops).toBeGreaterThan(1);
});

test('the reason of a refused connection is its code', async () => {
  expect(await failure(outgoing().fetchOf('read')(await closedPort()))).toBe('ECONNREFUSED');
});

test('OP-61: at most four calls are in flight to one address', async () => {
  let [open, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const url = await serving((_, response) => {
    open += 1;
    most = Math.max(most, open);
    waiting.push(() => {
      open -= 1;
      response.end();
    });
    // The fourth call releases all waiting ones. A concurrent fifth call would have increased `most`.
    if (open === 4 || waiting.length > 8) for (const end of waiting.splice(0)) setImmediate(end);
  });
  const calls = outgoing();
  const replies = await Promise.all(Array.from({ length: 12 }, () => calls.fetchOf('read')(url)));
  expect([replies.length, most]).toEqual([12, 4]);
});

test('OP-61: a thousand calls may wait for one address; one more is refused immediately, and no other address is affected', async () => {
  const pending: (() => void)[] = [];
  const url = await serving((_, response) => {
    if (pending.length < 4) pending.push(() => response.end());
    else response.end();
  });
  const [calls, other] = [outgoing(), await serving((_, response) => void response.end())];
  const waiting = Array.from({ length: 1004 }, () => calls.fetchOf('read')(url));
  await expect.poll(() => pending.length).toBe(4);
  expect(await failure(calls.fetchOf('read')(url))).toBe('1000 calls are already waiting for this address');
  expect((await calls.fetchOf('read')(other)).status).toBe(200);
  for (const end of pending) end();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});

describe('OP-61: an operation that fails is not called for a while, and', () => {
  /** A server that answers, disconnects or sends too much, depending on the path. */
  const mixed: RequestListener = (request, response) => {
    if (request.url?.startsWith('/broken')) request.socket.destroy();
    else response.end('x'.repeat(request.url?.startsWith('/large') ? 65_537 : 1));
  };
  const open = /^circuit open until/;
  const failing = async (calls: Outgoing, operation: string, url: string, times: number) => {
    for (let time = 0; time < times; time += 1) await failure(calls.fetchOf(operation)(url));
  };

  test('other operations of the address still are, and the same one at another path', async () => {
    const [calls, url] = [outgoing(), await serving(mixed)];
    await failing(calls, 'report', `${url}/broken`, 5);
    expect(await failure(calls.fetchOf('report')(`${url}/broken?uid=2`))).toMatch(open);
    expect((await calls.fetchOf('order')(`${url}/`)).status).toBe(200);
    expect(await failure(calls.fetchOf('order')(`${url}/broken`))).toBe('UND_ERR_SOCKET');
    expect((await calls.fetchOf('report')(`${url}/elsewhere`)).status).toBe(200);
  });

  test('a reply that is too large counts as a reply, not as a failure', async () => {
    const [calls, url] = [outgoing(), await serving(mixed)];
    await failing(calls, 'read', `${url}/large`, 6);
    expect(await failure(calls.fetchOf('read')(`${url}/large`))).toBe('the response is larger than 65536 bytes');
  });

  test('calls wait for the probe: when it is answered, all are made, and when it fails, none is', async () => {
    const pending: ServerResponse[] = [];
    let isDown = true;
    const url = await serving((request, response) => {
      if (isDown) request.socket.destroy();
      else pending.push(response);
    });
    let now = 0;
    const calls = outgoing(outgoingTerms, () => now);
    await failing(calls, 'order', url, 5);
    isDown = false;
    for (const isAnswered of [false, true]) {
      now += circuitLimits.openFor;
      const order = () => calls.fetchOf('order')(url);
      const together = Array.from({ length: 4 }, () => order().then(({ status }) => status, reasonOf));
      await expect.poll(() => pending.length).toBe(1);
      const [probe] = pending.splice(0);
      probe?.[isAnswered ? 'end' : 'destroy']();
      if (isAnswered) await expect.poll(() => pending.length).toBe(3);
      for (const response of pending.splice(0)) response.end();
      const open = `circuit open until ${new Date(now + circuitLimits.openFor).toISOString()}`;
      const expected = isAnswered ? [200, 200, 200, 200] : ['UND_ERR_SOCKET', open, open, open];
      expect(await Promise.all(together)).toEqual(expected);
    }
  });

  test('a call that gives up while it waits for the probe never is one: the next call is', async () => {
    let received = 0;
    const url = await serving((request, response) => {
      received += 1;
      if (received <= 5) request.socket.destroy();
      else if (received > 6) response.end();
    });
    let now = 0;
    const calls = outgoing(outgoingTerms, () => now);
    await failing(calls, 'order', url, 5);
    now = circuitLimits.openFor;
    const [probing, waiting] = [new AbortController(), new AbortController()];
    const call = (signal: AbortSignal) => calls.send('order', { method: 'GET', url: `${url}/`, headers: {}, signal });
    const probe = failure(call(probing.signal));
    await expect.poll(() => received).toBe(6);
    const second = failure(call(waiting.signal));
    waiting.abort(new Error('given up'));
    expect(await second).toBe('given up');
    probing.abort(new Error('given up'));
    expect(await probe).toBe('given up');
    expect((await calls.fetchOf('order')(url)).status).toBe(200);
  });

  test('operations of the sandbox itself always are', async () => {
    const [calls, url] = [outgoing(ownTerms), await serving(mixed)];
    await failing(calls, 'read', `${url}/broken`, 6);
    expect(await failure(calls.fetchOf('read')(`${url}/broken`))).toBe('UND_ERR_SOCKET');
  });
});

/** Starts a server that holds calls of `/slow` until they are released. */
async function slowServer() {
  const pending: (() => void)[] = [];
  let isSlow = true;
  const url = await serving((request, response) => {
    if (isSlow && request.url === '/slow') pending.push(() => response.end());
    else response.end();
  });
  const release = () => {
    isSlow = false;
    for (const end of pending) end();
  };
  return { url, pending, release };
}

test('OP-92: ten calls of one operation of the sandbox itself leave the slots of every other operation free', async () => {
  const { url, pending, release } = await slowServer();
  const calls = outgoing(ownTerms);
  const slow = Array.from({ length: 10 }, () => calls.fetchOf('slow')(`${url}/slow`));
  await expect.poll(() => pending.length).toBe(4);
  expect((await calls.fetchOf('quick')(url)).status).toBe(200);
  expect(pending).toHaveLength(4);
  release();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
});

test.each(['getProfileAndPoints', 'saveRedeemDetails', 'getCustomerPoints', 'redeemPoints'])(
  'OP-191: the sandbox makes up to 32 concurrent calls of %s, which orders wait for, to itself, and up to four to any other server',
  async (operation) => {
    const { url, pending, release } = await slowServer();
    const own = outgoing(ownTerms);
    const callOften = (calls: Outgoing) => Array.from({ length: 40 }, () => calls.fetchOf(operation)(`${url}/slow`));
    const replies = callOften(own);
    await expect.poll(() => pending.length).toBe(32);
    replies.push(...callOften(outgoing()));
    await expect.poll(() => pending.length).toBe(32 + 4);
    expect((await own.fetchOf('quick')(url)).status).toBe(200);
    expect(pending).toHaveLength(32 + 4);
    release();
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(replies.map(() => 200));
  },
);

test('closing ends the calls in progress and those that wait', async () => {
  let requests = 0;
  const url = await serving(() => {
    requests += 1;
  });
  const calls = outgoing();
  const reasons = Promise.all(Array.from({ length: 6 }, () => failure(calls.fetchOf('read')(url))));
  await expect.poll(() => requests).toBe(4);
  await calls.close();
  const ended = Array.from({ length: 4 }, () => 'UND_ERR_DESTROYED');
  expect(await reasons).toEqual([...ended, 'the sandbox is shutting down', 'the sandbox is shutting down']);
});
