/** A client server in front of the reference client. It makes chosen calls fail as networks and servers do. */
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

/** The calls that the client fails: the first `times` calls of an operation. */
export interface Plan {
  readonly operation: string;
  readonly fault: Fault;
  readonly times: number;
}

interface ClientCall {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export class FaultyClient {
  /** The address of the reference client that receives the calls. It changes after a restart. */
  target = '';
  /** Called when a call has failed, for a test that kills the process at that point. */
  onHit: () => void = () => {};
  readonly #plan: Plan;
  #remainingHits: number;
  #server: Server | undefined;
  #port = 0;
  /** Calls to forward late, when the test calls `heal`. By then, their caller no longer waits. */
  readonly #late: ClientCall[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#remainingHits = plan.times;
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

  /** Stops the faults, accepts every connection and forwards the late calls. */
  async heal(): Promise<void> {
    this.#remainingHits = 0;
    if (this.#server?.listening !== true) await this.listen();
    for (const call of this.#late.splice(0)) await this.#pass(call);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = callOf(request, Buffer.concat(chunks).toString());
    const operation = call.path.slice(1).split('?')[0];
    // Each call uses a separate connection, so that a server that stops listening refuses the next call.
    response.setHeader('connection', 'close');
    if (operation === this.#plan.operation && this.#remainingHits > 0) {
      this.#remainingHits -= 1;
      await this.#hit(call, request, response);
      this.onHit();
      return;
    }
    const reply = await this.#pass(call);
    if (this.#closesAfter(operation)) this.#server?.close();
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
  }

  /**
   * Checks whether the server must stop listening after this call. An order requests the profile before the deduction, so refusing the
   * deduction requires a stop in between.
   */
  #closesAfter(operation: string | undefined): boolean {
    const { fault, operation: hit } = this.#plan;
    return (
      fault === 'refused' &&
      hit === 'saveRedeemDetails' &&
      operation === 'getProfileAndPoints' &&
      this.#remainingHits > 0
    );
  }

  async #hit(call: ClientCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = { 'content-type': 'application/json' };
    switch (this.#plan.fault) {
      case 'refused':
        // Only a connection that was already open reaches this case. The server stops listening.
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

  async #pass({ path, headers, body }: ClientCall): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.target}${path}`, { method: 'POST', headers, ...(body !== '' && { body }) });
    return { status: response.status, text: await response.text() };
  }
}

function callOf(request: IncomingMessage, body: string): ClientCall {
  const { authorization = '', traceparent = '' } = request.headers;
  const headers = { authorization, traceparent: String(traceparent) };
  return {
    path: request.url ?? '',
    headers: body === '' ? headers : { ...headers, 'content-type': 'application/json' },
    body,
  };
}

/** Sends one byte after another but never completes the reply. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}

/** Sends endless data, as fast as the caller reads it. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(16_384)));
  };
  response.on('drain', more);
  more();
}
