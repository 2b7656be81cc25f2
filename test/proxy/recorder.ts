/** A server that keeps the bytes of each connection to it, and connections of our own that say what comes back. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a server got, connection by connection. */
export interface Recorder {
  readonly url: URL;
  readonly got: () => readonly string[];
  /** The same of the connections that have ended, which are forgotten then. */
  readonly take: () => readonly string[];
}

/** Answers to the bytes of one connection so far: bytes, of which `null` closes; undefined to wait for more. */
export type Reply = (got: string, socket: Socket) => string | undefined;

/** A server of bare bytes on a free port. It answers once on each connection, and closes it. */
export async function recorder(reply: Reply): Promise<Recorder> {
  let connections: { got: string; ended: boolean }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const connection = { got: '', ended: false };
    connections.push(connection);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      connection.ended = true;
      sockets.delete(socket);
    });
    let answered = false;
    socket.on('data', (chunk) => {
      connection.got += chunk.toString('latin1');
      const bytes = answered ? undefined : reply(connection.got, socket);
      if (bytes === undefined) return;
      answered = true;
      socket.end(Buffer.from(bytes, 'latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const take = () => {
    const ended = connections.filter((connection) => connection.ended);
    connections = connections.filter((connection) => !connection.ended);
    return ended.map(({ got }) => got);
  };
  return { url, got: () => connections.map(({ got }) => got), take };
}

/** Whether these bytes are a whole request with one kind of framing, as a server would read them. */
export function isWhole(got: string): boolean {
  const end = got.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [head, body] = [got.slice(0, end), got.slice(end + 4)];
  if (/^transfer-encoding: chunked$/im.test(head)) return body.endsWith('0\r\n\r\n');
  return body.length >= Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
}

/** A reply of 200 whose body is this. */
export function ok(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** One reply of those that came back over a connection. */
export interface Came {
  readonly status: number;
  readonly own: boolean;
  readonly body: string;
}

/** A connection on which these bytes go out. */
export function opened(url: string | URL, bytes: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A server that has heard enough may close while the rest is still being sent.
  socket.on('error', () => socket.destroy());
  socket.write(Buffer.from(bytes, 'latin1'));
  return socket;
}

/**
 * Sends bytes, and reads until the other side closes: everything that came, as replies with a length. Throws when
 * something came that is none.
 */
export async function sendBytes(url: string | URL, bytes: string): Promise<readonly Came[]> {
  const socket = opened(url, bytes);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return repliesIn(text);
}

function repliesIn(text: string): Came[] {
  const replies: Came[] = [];
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
