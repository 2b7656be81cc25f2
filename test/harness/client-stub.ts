/** A stub of the client's server, in front of the reference client, that can refuse, lose replies or keep silent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './http-server.ts';
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

/** Puts a stub in the client's place. Returns what it hears from then on. */
export async function stubClient(
  sandbox: TestSandbox,
  react: (heard: Heard) => Reaction | Promise<Reaction>,
): Promise<Heard[]> {
  const heard: Heard[] = [];
  const url = await serve(async (request, body, response) => {
    const operation = (request.url ?? '').slice(1).split('?')[0] ?? '';
    const times = heard.filter((call) => call.operation === operation).length + 1;
    const authorization = request.headers.authorization ?? '';
    const call = { operation, authorization, body: body === '' ? {} : JSON.parse(body), times };
    heard.push(call);
    const reaction = await react(call);
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

/** A client that is down for status reports until it is said to be up. */
export async function downForReports(sandbox: TestSandbox) {
  const state = { down: true };
  const heard = await stubClient(sandbox, ({ operation }) =>
    state.down && operation === 'updateRedeemStatus' ? 'drop' : 'pass',
  );
  return { state, heard };
}

/** Passes a call on with its headers, as a proxy does: it stays a call that the sandbox made. */
async function pass({ urls }: TestSandbox, { url, method = 'POST', headers }: IncomingMessage, body: string) {
  const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
  const init = { method, headers: passed as Record<string, string> };
  const response = await fetch(`${urls.client}${url}`, body === '' ? init : { ...init, body });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
