/** Opens raw connections, for requests that an HTTP client refuses to send. */
import { connect } from 'node:net';

/** A reply received over a raw connection. Header names are in lower case. A page's body is its text. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Sends lines over a new connection and reads until the server closes it. Useful for requests that `fetch` refuses to send. CRLF separates
 * the lines, and an empty line ends the head. Returns all received text.
 */
export async function sent(origin: string, lines: readonly string[], encoding: BufferEncoding = 'utf8') {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  // The server may close the connection before it has read the whole request.
  socket.on('error', () => {});
  socket.write(lines.join('\r\n'), encoding);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Sends lines like `sent`, and parses the reply as an HTTP message. */
export async function exchange(origin: string, lines: readonly string[]): Promise<RawReply> {
  const [head = '', body = ''] = (await sent(origin, lines)).split('\r\n\r\n');
  const [status = '', ...rest] = head.split('\r\n');
  const headers = rest.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const response = Object.fromEntries(headers);
  return {
    status: Number.parseInt(status.split(' ')[1] ?? '', 10),
    headers: response,
    body: body === '' || response['content-type']?.startsWith('text/') ? body || undefined : JSON.parse(body),
  };
}

/** Opens a connection for step-by-step writing and reading. It closes at the latest after the test file. */
export function converse(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  let look = () => {};
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    look();
  });
  return {
    send: (...lines: readonly string[]) => void socket.write(lines.join('\r\n')),
    /** Resolves with all received text as soon as it matches. */
    waitFor(pattern: RegExp): Promise<string> {
      return new Promise((resolve) => {
        look = () => {
          if (pattern.test(received)) resolve(received);
        };
        look();
      });
    },
    /** All received text, once the server has closed the connection. */
    ended,
    close: () => void socket.destroy(),
  };
}

/** Returns the statuses of all replies in the text. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Sends bytes and returns all bytes received until the other side closes. */
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
