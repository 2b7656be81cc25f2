/** A client server of the test's own, in front of the reference client, that can refuse, lose replies or keep silent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { ok, type TestSandbox } from './sandbox.ts';

/** A call that the platform made. `times` counts the calls of this operation so far, this one included. */
export interface Heard {
  readonly operation: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly times: number;
}

/** `pass` asks the reference client; `lose` asks it too, and breaks off before the reply; `drop` breaks off at once. */
export type Reaction =
  | 'pass'
  | 'lose'
  | 'drop'
  | 'silence'
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

const open = new Set<{ close(): void }>();

afterEach(() => {
  for (const server of open) server.close();
  open.clear();
});

/** Puts the stand-in in the client's place. Answers what it hears from then on. */
export async function standIn(sandbox: TestSandbox, react: (heard: Heard) => Reaction): Promise<Heard[]> {
  const heard: Heard[] = [];
  const url = await serve(async (request, body, response) => {
    const operation = (request.url ?? '').slice(1).split('?')[0] ?? '';
    const times = heard.filter((call) => call.operation === operation).length + 1;
    const authorization = request.headers.authorization ?? '';
    const call = { operation, authorization, body: body === '' ? {} : JSON.parse(body), times };
    heard.push(call);
    const reaction = react(call);
    if (reaction === 'silence') return;
    if (reaction === 'drop') return request.socket.destroy();
    if (typeof reaction === 'object') return reply(response, reaction.status, reaction.body, reaction.headers);
    const passed = await pass(sandbox, request, body);
    if (reaction === 'lose') request.socket.destroy();
    else reply(response, passed.status, passed.body);
  });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: url } } }));
  return heard;
}

/** A server on loopback that ends with the test. Answers its address. */
export async function serve(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await answer(request, Buffer.concat(chunks).toString(), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  open.add({ close });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address of loopback on which nobody listens. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function pass({ urls }: TestSandbox, { url, method = 'POST', headers }: IncomingMessage, body: string) {
  const { authorization = '', traceparent = '' } = headers;
  const init = { method, headers: { authorization, traceparent: String(traceparent) } };
  const typed = { ...init, headers: { ...init.headers, 'content-type': 'application/json' }, body };
  const response = await fetch(`${urls.client}${url}`, body === '' ? init : typed);
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
