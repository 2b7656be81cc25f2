/** Hostile servers. Each answers every call in one way that can harm a caller. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A running hostile server. */
interface HostileServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a server. `answer` answers a call whose header has arrived. */
async function start(answer: (socket: Socket) => void): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      head = '';
      answer(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes the same chunk repeatedly for as long as the caller reads. */
function forever(socket: Socket, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) {
      // Write until the caller's buffer is full.
    }
  };
  socket.on('drain', more);
  more();
}

/** Writes text byte by byte. */
function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length) socket.write(text.charAt(at++));
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Redirects the caller to an address, by default an internal one. */
export const startRedirecting = (to = 'http://169.254.169.254/latest/meta-data/') =>
  start((socket) => socket.write(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`));

/** Sends endless interim replies, and never the final one. */
export const startInterim = () => start((socket) => forever(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000)));

/** Starts a server that sends a body with these header fields. */
const sending = (body: string | Buffer, fields = '') =>
  start((socket) => {
    socket.write(`${json}${fields}Content-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
  });

/** All hostile servers, by behaviour. */
export const hostileServers: Readonly<Record<string, () => Promise<HostileServer>>> = {
  hangs: () => start(() => {}),
  stalls: () => start((socket) => socket.write(`${json}Content-Length: 100\r\n\r\n`)),
  'endless body': () =>
    start((socket) => {
      socket.write(`${json}Transfer-Encoding: chunked\r\n\r\n1\r\n"\r\n`);
      forever(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`);
    }),
  resets: () => start((socket) => socket.resetAndDestroy()),
  'resets midway': () =>
    start((socket) => {
      socket.write(`${json}Content-Length: 1000\r\n\r\n{"success":`, () => socket.resetAndDestroy());
    }),
  'redirects inward': () => startRedirecting(),
  // 1 MiB that decompresses to 1 GiB.
  'gzip bomb': () => {
    const member = gzipSync(Buffer.alloc(1024 * 1024, ' '));
    return sending(Buffer.concat(Array.from({ length: 1024 }, () => member)), 'Content-Encoding: gzip\r\n');
  },
  '10,000 headers': () =>
    sending('{}', Array.from({ length: 10_000 }, (_, index) => `X-Field-${index}: ${index}\r\n`).join('')),
  drips: () =>
    start((socket) => drip(socket, `${json}Content-Length: 33\r\n\r\n{ "success": true, "status": 200}`, 1000)),
  garbage: () => start((socket) => socket.end('\u0016\u0003\u0001 this is no HTTP \u0000\r\n\r\n')),
  'interim replies': startInterim,
  'deep JSON': () => sending('['.repeat(20_000) + ']'.repeat(20_000)),
  // 0.5 MiB that expands to 174,000 objects.
  'wide JSON': () => sending(`[${'{},'.repeat(174_000)}{}]`),
};
