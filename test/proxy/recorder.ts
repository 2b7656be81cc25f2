/** A server that records the bytes of each connection, and a client that reads all replies on a connection. */
import { connect, type Socket } from 'node:net';
import { readContract } from '../../sandbox/contract/document.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import { socketServer } from '../harness/http-server.ts';

/** The schemas of the proxy's own replies. */
export const proxySchemas = new Schemas(readContract('proxy'));
export const checkProblem = proxySchemas.check('/components/schemas/ProxyProblem');

/** A server that exposes its received bytes, as one string per connection. */
export interface Recorder {
  readonly url: URL;
  readonly requests: () => readonly string[];
  /** Returns the bytes of all connections that have ended, and removes those connections. */
  readonly takeEnded: () => readonly string[];
}

/** Returns the reply to all bytes received on a connection so far, or `undefined` to wait for more. */
export type Reply = (input: string, socket: Socket) => string | undefined;

/** Starts a raw TCP server on a free port. It answers once on each connection and then closes it. */
export async function recorder(reply: Reply): Promise<Recorder> {
  let connections: { input: string; ended: boolean }[] = [];
  const url = await socketServer((socket) => {
    const connection = { input: '', ended: false };
    connections.push(connection);
    socket.once('close', () => {
      connection.ended = true;
    });
    let isAnswered = false;
    socket.on('data', (chunk) => {
      connection.input += chunk.toString('latin1');
      const bytes = isAnswered ? undefined : reply(connection.input, socket);
      if (bytes === undefined) return;
      isAnswered = true;
      socket.end(Buffer.from(bytes, 'latin1'));
    });
  });
  const takeEnded = () => {
    const ended = connections.filter((connection) => connection.ended);
    connections = connections.filter((connection) => !connection.ended);
    return ended.map(({ input }) => input);
  };
  return { url, requests: () => connections.map(({ input }) => input), takeEnded };
}

/** Returns whether these bytes are a complete request with exactly one kind of framing, as a server would read them. */
export function isComplete(bytes: string): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [head, body] = [bytes.slice(0, end), bytes.slice(end + 4)];
  if (/^transfer-encoding: chunked$/im.test(head)) return body.endsWith('0\r\n\r\n');
  return body.length >= Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
}

/** Returns a 200 reply with this body. */
export function ok(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** One of the replies on a connection. */
export interface ReceivedReply {
  readonly status: number;
  readonly own: boolean;
  readonly body: string;
}

/** Opens a connection and sends these bytes. */
export function openConnection(url: string | URL, bytes: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A server may close the connection before it has read everything.
  socket.on('error', () => socket.destroy());
  socket.write(Buffer.from(bytes, 'latin1'));
  return socket;
}

/** Sends bytes and reads until the server closes. Returns all replies, which must declare their length. Throws on any other data. */
export async function sendBytes(url: string | URL, bytes: string): Promise<readonly ReceivedReply[]> {
  const socket = openConnection(url, bytes);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return repliesIn(text);
}

function repliesIn(text: string): ReceivedReply[] {
  const replies: ReceivedReply[] = [];
  for (let rest = text; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
    const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
    if (status === '100') {
      rest = rest.slice(head.length + 4);
      continue;
    }
    if (status === undefined || length === undefined) throw new Error(`no reply with a length: ${rest}`);
    const start = head.length + 4;
    const own = /^x-answered-by: rewards-sandbox-proxy$/im.test(head);
    replies.push({ status: Number(status), own, body: rest.slice(start, start + Number(length)) });
    rest = rest.slice(start + Number(length));
  }
  return replies;
}
