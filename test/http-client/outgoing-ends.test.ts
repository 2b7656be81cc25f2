/** Tests that every outgoing call frees its slot, however it ends (OP-61). The tests use a raw TCP server on loopback. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connector } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, outgoingTerms, reasonOf } from '../../sandbox/http-client/outgoing.ts';
import { socketServer } from '../harness/http-server.ts';
import { loopback } from './loopback.ts';

const many = 12;
const inFlight = 4;
const good = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ngood';
const notHttp = /^(HPE_|Response does not match the HTTP)/;
const inTime = /^no response in time$/;
const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const tooManyHints = /^received more than 20 interim responses \(1xx\) and no final one$/;
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
const half = `${head}content-length: 9\r\n\r\nhalf`;
const reset = /^(ECONNRESET|UND_ERR_SOCKET)$/;
const tooLarge = /larger than 65536 bytes/;
const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

/** The ways in which a server can fail to answer, each with the reason that the caller receives. */
const endings: Readonly<Record<string, readonly [reason: RegExp, end: (socket: Socket) => unknown]>> = {
  'resets before the head': [reset, (socket) => socket.resetAndDestroy()],
  'closes before the head': [/^UND_ERR_SOCKET$/, (socket) => socket.end()],
  'closes in the head': [/^UND_ERR_SOCKET$/, (socket) => socket.end('HTTP/1.1 200 OK\r\nx-')],
  'resets in the body': [reset, (socket) => socket.write(half, () => socket.resetAndDestroy())],
  'closes in the body': [/^UND_ERR_/, (socket) => socket.end(half)],
  'closes in a chunk': [/^UND_ERR_/, (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n9\r\nhalf`)],
  'never answers': [inTime, () => {}],
  'never ends its head': [inTime, (socket) => socket.write(head)],
  'never ends its body': [inTime, (socket) => socket.write(half)],
  'sends hints without end': [tooManyHints, (socket) => drip(socket, hint)],
  // All hints are read, although this blocks other work for a third of a second.
  'sends a flood of hints': [tooManyHints, (socket) => socket.write(hint.repeat(100_000))],
  'sends too much': [tooLarge, (socket) => socket.write(`${head}\r\n${'x'.repeat(70_000)}`)],
  'sends too much, compressed': [tooLarge, (socket) => sendGzip(socket, gzipSync(Buffer.alloc(100_000)))],
  'sends no gzip': [/^(Z_DATA_ERROR|terminated)/, (socket) => sendGzip(socket, Buffer.alloc(100, 'x'))],
  'sends too large a head': [/^UND_ERR_HEADERS_OVERFLOW$/, (socket) => socket.write(`${head}x: ${'x'.repeat(40_000)}`)],
  'speaks another protocol': [notHttp, (socket) => socket.write('SSH-2.0-OpenSSH_9.7\r\n\r\n')],
  'sends no proper status': [notHttp, (socket) => socket.write('HTTP/1.1 2OO OK\r\n\r\n')],
  'sends a status out of range': [/status/, (socket) => socket.write('HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n')],
  'sends no proper header': [notHttp, (socket) => socket.write('HTTP/1.1 200 OK\r\n\u0001: x\r\n\r\n')],
  'sends no proper chunk': [notHttp, (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\nzz\r\nx`)],
  'sends 100 Continue': [/^UND_ERR_SOCKET$/, (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
  'changes the protocol': [/^UND_ERR_SOCKET$/, (socket) => socket.write(upgrade)],
};

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
}

function sendGzip(socket: Socket, body: Buffer): void {
  socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
}

/** Starts a server that answers `/probe`, answers `/together` once all slots are in use, and runs `end` for all other calls. */
async function server(end: (socket: Socket) => unknown): Promise<{ url: string; sockets: ReadonlySet<Socket> }> {
  const sockets = new Set<Socket>();
  const together: Socket[] = [];
  const { origin: url } = await socketServer((socket) => {
    sockets.add(socket);
    let request = '';
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      request += chunk.toString('latin1');
      if (!request.includes('\r\n\r\n')) return;
      const [, path] = request.split(' ');
      request = '';
      if (path === '/probe') return void socket.write(good);
      if (path !== '/together') return void end(socket);
      together.push(socket);
      if (together.length === inFlight) for (const one of together.splice(0)) one.write(good);
    });
  });
  return { url, sockets };
}

/** @param totalTimeout limits calls before `expectEverySlotFree`, and is short only in tests where it must expire */
function outgoing(connect: Connector = loopback, totalTimeout = 10_000) {
  let now = 0;
  const limits = { ...outgoingTerms, totalTimeout };
  const calls = new Outgoing(limits, connect, () => now);
  onTestFinished(() => calls.close());
  /** Advances the clock so that an open circuit allows the next call, and restores the normal timeout. */
  const later = () => {
    now += 60_000;
    limits.totalTimeout = 10_000;
  };
  return { calls, later };
}

/** Makes many concurrent calls and returns the reasons for their failures. */
function reasons(make: () => Promise<unknown>): Promise<string[]> {
  return Promise.all(Array.from({ length: many }, () => make().then(() => 'it went through', reasonOf)));
}

/** Makes one call per slot. The server answers only after all calls have arrived, which requires every slot to be free. */
async function expectEverySlotFree({ calls, later }: ReturnType<typeof outgoing>, url: string): Promise<void> {
  later();
  expect(await (await calls.fetchOf('read')(`${url}/probe`)).text()).toBe('good');
  const replies = Array.from({ length: inFlight }, async () => (await calls.fetchOf('read')(`${url}/together`)).text());
  expect(await Promise.all(replies)).toEqual(Array.from({ length: inFlight }, () => 'good'));
}

describe('OP-61: after twelve calls of which the other side', () => {
  test.each(Object.entries(endings))('%s, every slot is free', async (_, [expected, end]) => {
    const { url } = await server(end);
    const out = outgoing(loopback, expected === inTime ? 300 : 10_000);
    for (const reason of await reasons(() => out.calls.fetchOf('read')(`${url}/bad`))) expect(reason).toMatch(expected);
    await expectEverySlotFree(out, url);
  });
});

test('OP-24: up to twenty interim replies before the answer are accepted, on each call of a connection', async () => {
  const { url } = await server((socket) => socket.write(`${hint.repeat(20)}${good}`));
  const { calls } = outgoing();
  for (let call = 0; call < 3; call += 1) {
    expect(await (await calls.fetchOf('read')(`${url}/hints`)).text()).toBe('good');
  }
  const flood = await server((socket) => socket.write(`${hint.repeat(21)}${good}`));
  expect(await calls.fetchOf('read')(`${flood.url}/hints`).catch(reasonOf)).toMatch(tooManyHints);
});

describe('OP-61: after twelve calls', () => {
  test.each(['\u0000', '\u0001', '\u001f', '\u007f', '\r\nx: y', '\u20ac', '\ud800'])(
    'with %j in a header, none is sent, every slot is free and no circuit opens',
    async (odd) => {
      const { url, sockets } = await server(() => expect.fail('it was sent'));
      const out = outgoing();
      const headers = { authorization: `Bearer secret${odd}x` };
      const failures = await reasons(() => out.calls.fetchOf('read')(url, { headers }));
      expect(failures).toEqual(failures.map(() => 'the header authorization contains an invalid character'));
      expect(sockets.size).toBe(0);
      const replies = Array.from({ length: inFlight }, () => out.calls.fetchOf('read')(`${url}/together`));
      expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    },
  );

  test.each(['transfer-encoding', 'connection', 'upgrade', 'keep-alive', 'expect', 'host', 'content-length', 'a b'])(
    'with the header %s, which no caller may set, none is sent and every slot is free',
    async (name) => {
      const { url, sockets } = await server(() => expect.fail('it was sent'));
      const out = outgoing();
      const failures = await reasons(() => out.calls.fetchOf('read')(url, { headers: { [name]: 'x' } }));
      expect(failures).toEqual(failures.map(() => expect.stringMatching(/^the header .* cannot be sent$/)));
      expect(sockets.size).toBe(0);
      await expectEverySlotFree(out, url);
    },
  );

  test('that their caller abandoned, waiting or in progress, every slot is free and no connection is left', async () => {
    const { url, sockets } = await server(() => {});
    const out = outgoing();
    const caller = new AbortController();
    const failures = reasons(() => out.calls.fetchOf('read')(`${url}/bad`, { signal: caller.signal }));
    await expect.poll(() => sockets.size).toBe(inFlight);
    caller.abort(new Error('given up'));
    expect(await failures).toEqual(Array.from({ length: many }, () => 'given up'));
    await expect.poll(() => sockets.size).toBe(0);
    expect((await out.calls.fetchOf('read')(`${url}/probe`)).status).toBe(200);
    await expectEverySlotFree(out, url);
  });

  test('that ran out of time, no connection is left', async () => {
    const { url, sockets } = await server((socket) => socket.write(head));
    const out = outgoing(loopback, 300);
    for (const reason of await reasons(() => out.calls.fetchOf('read')(`${url}/bad`))) expect(reason).toMatch(inTime);
    await expect.poll(() => sockets.size).toBe(0);
    await expectEverySlotFree(out, url);
  });

  const broken: Record<string, [reason: RegExp, connect: (...args: Parameters<Connector>) => void]> = {
    'cannot be connected': [/^ETEST$/, (_, done) => done(Object.assign(new Error('no'), { code: 'ETEST' }), null)],
    'never get a connection': [inTime, () => {}],
    'lead to a connector that throws': [
      /^thrown$/,
      () => {
        throw new Error('thrown');
      },
    ],
  };
  test.each(Object.entries(broken))('that %s, every slot is free', async (_, [expected, connect]) => {
    const { url } = await server(() => {});
    let works = false;
    const out = outgoing(
      (target, done) => (works ? loopback : connect)(target, done),
      expected === inTime ? 300 : 10_000,
    );
    for (const reason of await reasons(() => out.calls.fetchOf('read')(`${url}/bad`))) expect(reason).toMatch(expected);
    works = true;
    await expectEverySlotFree(out, url);
  });
});
