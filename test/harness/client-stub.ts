/** A stub in front of the reference client that can refuse calls, lose replies or stay silent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './http-server.ts';
import { ok, type TestSandbox } from './sandbox.ts';

/** A call from the platform. `times` counts the calls of this operation so far, including this one. */
export interface ReceivedCall {
  readonly operation: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly times: number;
}

/**
 * The stub's reaction to a call. `pass` forwards it to the reference client, `lose` forwards it and disconnects before the reply, and
 * `drop` disconnects immediately.
 */
export type Reaction =
  | 'pass'
  | 'lose'
  | 'drop'
  | 'silence'
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

/** Replaces the client with a stub. Returns a live list of the calls that the stub receives. */
export async function stubClient(
  sandbox: TestSandbox,
  react: (call: ReceivedCall) => Reaction | Promise<Reaction>,
): Promise<ReceivedCall[]> {
  const calls: ReceivedCall[] = [];
  const url = await serve(async (request, body, response) => {
    const operation = (request.url ?? '').slice(1).split('?')[0] ?? '';
    const times = calls.filter((call) => call.operation === operation).length + 1;
    const authorization = request.headers.authorization ?? '';
    const call = { operation, authorization, body: body === '' ? {} : JSON.parse(body), times };
    calls.push(call);
    const reaction = await react(call);
    if (reaction === 'silence') return;
    if (reaction === 'drop') return request.socket.destroy();
    if (typeof reaction === 'object') return reply(response, reaction.status, reaction.body, reaction.headers);
    const passedReply = await pass(sandbox, request, body);
    if (reaction === 'lose') request.socket.destroy();
    else reply(response, passedReply.status, passedReply.body);
  });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: url } } }));
  return calls;
}

/** Replaces the client with a stub that drops status reports until the test sets `down` to false. */
export async function downForReports(sandbox: TestSandbox) {
  const state = { down: true };
  const calls = await stubClient(sandbox, ({ operation }) =>
    state.down && operation === 'updateRedeemStatus' ? 'drop' : 'pass',
  );
  return { state, calls };
}

/** Forwards a call with its headers, as a proxy does, so that the call still identifies itself as the sandbox's. */
async function pass({ urls }: TestSandbox, { url, method = 'POST', headers }: IncomingMessage, body: string) {
  const { host: _host, connection: _connection, 'content-length': _length, ...forwarded } = headers;
  const init = { method, headers: forwarded as Record<string, string> };
  const response = await fetch(`${urls.client}${url}`, body === '' ? init : { ...init, body });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
