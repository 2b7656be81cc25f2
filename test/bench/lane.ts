import { connect, type Socket } from 'node:net';

/**
 * One connection that sends the same request repeatedly, with almost no work of its own: on two cores the caller takes
 * processor time from the server, and makes a fast server look slow.
 */
export class Lane {
  readonly #socket: Socket;
  readonly #request: Buffer;
  #parts: Buffer[] = [];
  #waiting: PromiseWithResolvers<number> | undefined;

  constructor(url: URL, headers: Readonly<Record<string, string>>) {
    const { hostname, port, host, pathname, search } = url;
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`);
    this.#request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (part: Buffer) => this.#took(part));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')));
  }

  /** Makes one call and reads its reply: the bytes of the body. Rejects unless the status is 200. */
  call(): Promise<number> {
    this.#waiting = Promise.withResolvers<number>();
    this.#socket.write(this.#request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #took(part: Buffer): void {
    this.#parts.push(part);
    const reply = Buffer.concat(this.#parts);
    const end = reply.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = reply.toString('latin1', 0, end);
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    const chunked = /^transfer-encoding: *chunked/im.test(head);
    const whole = chunked
      ? reply.subarray(-5).equals(Buffer.from('0\r\n\r\n'))
      : reply.length === end + 4 + Number(length ?? Number.NaN);
    if (!whole) return;
    this.#parts = [];
    if (head.startsWith('HTTP/1.1 200 ')) this.#waiting?.resolve(reply.length - end - 4);
    else this.#waiting?.reject(new Error(head));
  }
}
