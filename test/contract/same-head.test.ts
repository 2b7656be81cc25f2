import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SameHead } from '../../sandbox/contract/same-head.ts';

/** What was worked out for each call, and how often something was. */
let worked = 0;
const heads = new SameHead((request: IncomingMessage) => {
  worked += 1;
  return [request.method, request.url, request.httpVersion, ...request.rawHeaders].join(' ');
});
const server = createServer((request, response) => {
  const before = worked;
  const found = heads.of(request);
  const text = `${worked === before ? 'kept' : 'worked out'}: ${found}`;
  response.writeHead(200, { 'Content-Length': text.length }).end(text);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends heads one after the other on one connection, and resolves with what each was answered. */
async function answers(...sent: readonly string[]): Promise<string[]> {
  const socket: Socket = connect(port, '127.0.0.1');
  const found: string[] = [];
  let text = '';
  const next = () => {
    const head = sent[found.length];
    if (head === undefined) socket.end();
    else socket.write(head);
  };
  socket.setEncoding('latin1').on('connect', next);
  socket.on('data', (piece: string) => {
    text += piece;
    const [, length, body = ''] = /content-length: (\d+).*?\r\n\r\n(.*)$/is.exec(text) ?? [];
    if (length === undefined || body.length < Number(length)) return;
    found.push(body);
    text = '';
    next();
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return found;
}

const get = 'GET /a HTTP/1.1\r\nHost: x\r\nA: 1\r\n\r\n';

describe('OP-77: what a head says is worked out once for the same head of a connection', () => {
  test('the same head again is not looked into', async () => {
    expect(await answers(get, get)).toEqual(['worked out: GET /a 1.1 Host x A 1', 'kept: GET /a 1.1 Host x A 1']);
  });

  test.each([
    [
      'another method',
      get.replace('GET', 'PUT').replace('A: 1', 'Content-Length: 0'),
      'PUT /a 1.1 Host x Content-Length 0',
    ],
    ['another address', get.replace('/a', '/b'), 'GET /b 1.1 Host x A 1'],
    [
      'another version',
      get.replace('1.1', '1.0').replace('A: 1', 'Connection: keep-alive'),
      'GET /a 1.0 Host x Connection keep-alive',
    ],
    ['another value', get.replace('A: 1', 'A: 2'), 'GET /a 1.1 Host x A 2'],
    ['a value more', get.replace('A: 1', 'A: 1\r\nB: 1'), 'GET /a 1.1 Host x A 1 B 1'],
    ['a value less', get.replace('A: 1\r\n', ''), 'GET /a 1.1 Host x'],
  ])('a head with %s is', async (_, head, seen) => {
    expect(await answers(get, head)).toEqual(['worked out: GET /a 1.1 Host x A 1', `worked out: ${seen}`]);
  });

  test('only the version differs', async () => {
    const head = (version: string) => `GET /a HTTP/${version}\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`;
    expect(await answers(head('1.1'), head('1.0'))).toEqual([
      'worked out: GET /a 1.1 Host x Connection keep-alive',
      'worked out: GET /a 1.0 Host x Connection keep-alive',
    ]);
  });

  test('another connection begins anew', async () => {
    await answers(get);
    expect(await answers(get)).toEqual(['worked out: GET /a 1.1 Host x A 1']);
  });

  test('OP-82: a head of more than 2,048 characters is not kept', async () => {
    const large = `GET /a HTTP/1.1\r\nHost: x\r\nA: ${'1'.repeat(2048)}\r\n\r\n`;
    const found = await answers(large, large);
    expect(found.map((text) => text.slice(0, 12))).toEqual(['worked out: ', 'worked out: ']);
  });
});
