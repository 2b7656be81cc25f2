/** Hostile servers. Each answers every call in one way that can harm a caller. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A running hostile server. */
export interface HostileServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Answers a call whose header has arrived. */
type Answer = (socket: Socket) => void;

async function start(answer: Answer): Promise<HostileServer> {
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

/** Accepts the call and never answers. */
export const startHanging = () => start(() => {});

/** Sends the header of a reply, but never its body. */
export const startStalling = () => start((socket) => socket.write(`${json}Content-Length: 100\r\n\r\n`));

/** Sends a JSON text that never ends. */
export const startEndlessBody = () =>
  start((socket) => {
    socket.write(`${json}Transfer-Encoding: chunked\r\n\r\n1\r\n"\r\n`);
    forever(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`);
  });

/** Resets the connection instead of answering. */
export const startResetting = () => start((socket) => socket.resetAndDestroy());

/** Resets the connection in the middle of the body. */
export const startResettingMidway = () =>
  start((socket) => {
    socket.write(`${json}Content-Length: 1000\r\n\r\n{"success":`, () => socket.resetAndDestroy());
  });

/** Redirects the caller to an address, by default an internal one. */
export const startRedirecting = (to = 'http://169.254.169.254/latest/meta-data/') =>
  start((socket) => socket.write(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`));

/** Answers with 1 MiB that decompresses to 1 GiB. */
export const startGzipBomb = () => {
  const member = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  const body = Buffer.concat(Array.from({ length: 1024 }, () => member));
  return start((socket) => {
    socket.write(`${json}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
  });
};

/** Answers with 10,000 header fields. */
export const startManyHeaders = () => {
  const fields = Array.from({ length: 10_000 }, (_, index) => `X-Field-${index}: ${index}\r\n`).join('');
  return start((socket) => socket.write(`${json}${fields}Content-Length: 2\r\n\r\n{}`));
};

/** Answers one byte at a time. */
export const startDripping = (everyMs = 1000) =>
  start((socket) => drip(socket, `${json}Content-Length: 33\r\n\r\n{ "success": true, "status": 200}`, everyMs));

/** Answers with data that is not HTTP. */
export const startGarbage = () => start((socket) => socket.end('\u0016\u0003\u0001 this is no HTTP \u0000\r\n\r\n'));

/** Sends endless interim replies, and never the final one. */
export const startInterim = () => start((socket) => forever(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000)));

/** Answers with JSON that is nested 20,000 levels deep. */
export const startDeepJson = () => {
  const body = '['.repeat(20_000) + ']'.repeat(20_000);
  return start((socket) => socket.write(`${json}Content-Length: ${body.length}\r\n\r\n${body}`));
};

/** Answers with 0.5 MiB of JSON that expands to 174,000 objects. */
export const startWideJson = () => {
  const body = `[${'{},'.repeat(174_000)}{}]`;
  return start((socket) => socket.write(`${json}Content-Length: ${body.length}\r\n\r\n${body}`));
};

/** All hostile servers, by behaviour. */
export const hostileServers: Readonly<Record<string, () => Promise<HostileServer>>> = {
  hangs: startHanging,
  stalls: startStalling,
  'endless body': startEndlessBody,
  resets: startResetting,
  'resets midway': startResettingMidway,
  'redirects inward': () => startRedirecting(),
  'gzip bomb': startGzipBomb,
  '10,000 headers': startManyHeaders,
  drips: () => startDripping(),
  garbage: startGarbage,
  'interim replies': startInterim,
  'deep JSON': startDeepJson,
  'wide JSON': startWideJson,
};
