/**
 * A client server that stands in front of the reference client and does to chosen calls what networks and servers do.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const faults = [
  'refused',
  'hang',
  'reset',
  'reply lost after commit',
  '500',
  '302',
  'malformed body',
  'slow drip',
  'endless body',
  'duplicate',
  'late success',
] as const;

export type Fault = (typeof faults)[number];

/** Which calls are hit: the first `times` of an operation. */
export interface Plan {
  readonly operation: string;
  readonly fault: Fault;
  readonly times: number;
}

interface Held {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export class FaultyClient {
  /** The reference client that calls are passed on to; another one after a restart. */
  target = '';
  /** Is called when a call has been hit, for a test that wants to kill the process just then. */
  onHit: () => void = () => {};
  readonly #plan: Plan;
  #left: number;
  #server: Server | undefined;
  #port = 0;
  /** Calls whose answer was never awaited: they reach the client late, when the test says so. */
  readonly #late: Held[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#left = plan.times;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** No call is hit any more, and whoever calls is listened to. What was held back arrives now. */
  async heal(): Promise<void> {
    this.#left = 0;
    if (this.#server?.listening !== true) await this.listen();
    for (const held of this.#late.splice(0)) await this.#pass(held);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = callOf(request, Buffer.concat(chunks).toString());
    const operation = call.path.slice(1).split('?')[0];
    // Every call comes on a connection of its own, so that a server that stops listening refuses the next.
    response.setHeader('connection', 'close');
    if (operation === this.#plan.operation && this.#left > 0) {
      this.#left -= 1;
      await this.#hit(call, request, response);
      this.onHit();
      return;
    }
    const passed = await this.#pass(call);
    if (this.#closesAfter(operation)) this.#server?.close();
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(passed.text);
  }

  /** An order asks for the profile before it deducts: to have the deduction refused, listening ends in between. */
  #closesAfter(operation: string | undefined): boolean {
    const { fault, operation: hit } = this.#plan;
    return fault === 'refused' && hit === 'saveRedeemDetails' && operation === 'getProfileAndPoints' && this.#left > 0;
  }

  async #hit(call: Held, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = { 'content-type': 'application/json' };
    switch (this.#plan.fault) {
      case 'refused':
        // Reached only by a connection that was open before: from now on nobody listens.
        this.#server?.close();
        request.socket.destroy();
        return;
      case 'hang':
        return;
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'reply lost after commit':
        await this.#pass(call);
        request.socket.destroy();
        return;
      case '500':
        response.writeHead(500, json).end('{"success":false}');
        return;
      case '302':
        response.writeHead(302, { location: `${this.target}${call.path}` }).end();
        return;
      case 'malformed body':
        response.writeHead(200, json).end('{"success":true,');
        return;
      case 'slow drip':
        drip(response);
        return;
      case 'endless body':
        flood(response);
        return;
      case 'duplicate': {
        const [first] = await Promise.all([this.#pass(call), this.#pass(call)]);
        response.writeHead(first.status, json).end(first.text);
        return;
      }
      case 'late success':
        this.#late.push(call);
        return;
    }
  }

  async #pass({ path, headers, body }: Held): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.target}${path}`, { method: 'POST', headers, ...(body !== '' && { body }) });
    return { status: response.status, text: await response.text() };
  }
}

function callOf(request: IncomingMessage, body: string): Held {
  const { authorization = '', traceparent = '' } = request.headers;
  const headers = { authorization, traceparent: String(traceparent) };
  return {
    path: request.url ?? '',
    headers: body === '' ? headers : { ...headers, 'content-type': 'application/json' },
    body,
  };
}

/** One byte after the other, and never the last. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}

/** More and more, as fast as it is read. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(16_384)));
  };
  response.on('drain', more);
  more();
}
