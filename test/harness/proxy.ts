/** Servers with awkward habits, a proxy in front of them, and exact bytes on both sides. */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { loadContractSet } from '../../sandbox/conformance/contracts.ts';
import { FindingBook } from '../../sandbox/conformance/finding-book.ts';
import { type ProxyOptions, startProxy } from '../../sandbox/conformance/proxy.ts';

const closing: (() => Promise<unknown>)[] = [];
/** Closes what was started so far; after each test this happens by itself. */
export async function closeServers(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
afterEach(closeServers);

let loaded: Promise<Checker> | undefined;
/** The checker over all contracts, loaded once for a test file. */
export function sharedChecker(): Promise<Checker> {
  loaded ??= loadContractSet().then((contracts) => new Checker(contracts));
  return loaded;
}

/** An HTTP server on a free port. */
export async function httpServer(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A server that answers exactly these bytes to every call and keeps the bytes that it got. */
export async function byteServer(reply: string | Buffer): Promise<{ url: URL; got: () => string }> {
  let got = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
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
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), got: () => got.toString('latin1') };
}

/** A proxy in front of one server for everything. */
export async function proxyTo(upstream: URL, options: Partial<ProxyOptions> = {}) {
  const checker = await sharedChecker();
  const book = new FindingBook(checker, 'proxy', '0.0.0');
  const settings = { host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 5000 } as const;
  const proxy = await startProxy(checker, book, { ...settings, sandbox: upstream, ...options });
  closing.push(() => proxy.close());
  return { url: proxy.url, book, close: proxy.close };
}

/** Sends bytes and answers everything that comes back until the other side closes. */
export function exchangeBytes(url: string | URL, request: string | Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('end', () => resolve(Buffer.concat(chunks)));
    socket.once('error', reject);
  });
}
