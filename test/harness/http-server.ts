/** Servers that a test starts on free loopback ports. They close after the test. */
import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEveryTest } from './lifecycle.ts';

const closing: (() => Promise<unknown>)[] = [];

/** Registers a function that closes a resource after the test. The functions run in reverse order of registration. */
export function closesWithTest(close: () => Promise<unknown>): void {
  closing.push(close);
}

/** Closes all servers started so far. This also runs after each test. */
export async function closeServers(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
afterEveryTest(closeServers);

async function listening(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Starts an HTTP server. Returns its address. */
export async function httpServer(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  const url = await listening(server);
  closesWithTest(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return url;
}

/** Starts an HTTP server that replies once a request's body is complete. Returns its origin. */
export async function serve(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => unknown,
): Promise<string> {
  const { origin } = await httpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await answer(request, Buffer.concat(chunks).toString(), response);
  });
  return origin;
}

/**
 * Returns the origin of a port without a listener. The port lies below the range for outgoing connections, so none of them can occupy it
 * before a test starts a server there.
 */
export async function closedPort(): Promise<string> {
  const server = createTcpServer();
  const port = randomInt(12_000, 30_000);
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!free) return closedPort();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Starts a TCP server that passes each connection to `take`. */
export async function socketServer(take: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    take(socket);
  });
  const url = await listening(server);
  closesWithTest(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return url;
}

/** Starts a server that answers every call with exactly these bytes and records the bytes it receives. */
export async function byteServer(reply: string | Buffer): Promise<{ url: URL; got: () => string }> {
  let got = Buffer.alloc(0);
  const url = await socketServer((socket) => {
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk]);
      const text = got.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const whole = /transfer-encoding: chunked/i.test(head)
        ? text.endsWith('0\r\n\r\n')
        : (body?.length ?? -1) >= length;
      if (body !== undefined && whole) socket.end(reply);
    });
  });
  return { url, got: () => got.toString('latin1') };
}
