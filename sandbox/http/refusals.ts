import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { splitAddress } from '../apis/registry.ts';
import type { Rendered } from '../contract/envelopes.ts';
import type { RequestFailure } from '../contract/failure-tables.ts';
import { nodeHttp } from '../contract/node-http.ts';
import { hangUp, type IncomingConnections } from '../runtime/incoming-connections.ts';

/** The replies to calls that do not reach the application. */
export interface Refusals {
  /** Returns a trace id for a refusal (OP-42). */
  readonly newTrace: () => string;
  /** Returns the reply in the format of the API at the path. */
  readonly refusal: (path: string, failure: RequestFailure) => Rendered;
  /** Receives the status of each refusal. */
  readonly refused?: ((status: number) => void) | undefined;
}

/** Refuses a call and ends its connection. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusals: Refusals,
  failure: RequestFailure,
  more: Readonly<Record<string, string>> = {},
): void {
  reply(request, response, refusals, failure, { ...more, Connection: 'close' });
}

/**
 * Refuses a call that cannot be served now, by default because the server is overloaded. The connection stays open, because a
 * replacement would only add one more connection to accept.
 */
export function turnAway(
  request: IncomingMessage,
  response: ServerResponse,
  refusals: Refusals,
  problem = overload,
): undefined {
  reply(request, response, refusals, { kind: 'unavailable' }, { 'X-Problem': problem });
}

function reply(
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
  { refusal, newTrace, refused }: Refusals,
  failure: RequestFailure,
  more: Readonly<Record<string, string>>,
): void {
  const { status, body, headers } = refusal(pathIn(url), failure);
  refused?.(status);
  const { type, text } = written(body);
  const own = { 'X-Trace-Id': newTrace(), 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...more, ...own });
  response.end(text);
}

const overload = 'the server is overloaded';

/** Returns the reply to a connection beyond the limit, whose request has not been read. */
export function noRoom({ refusal, newTrace, refused }: Refusals): string {
  const rendered = refusal('', { kind: 'unavailable' });
  refused?.(rendered.status);
  return messageOf(rendered, newTrace(), { 'X-Problem': overload });
}

/** Returns the API path in a request target of any form, if it can be determined. */
function pathIn(target: string): string {
  return splitAddress(target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/+/, '/')).url;
}

/** Serializes a reply body: a page as HTML, anything else as JSON. */
function written(body: unknown): { readonly type: string; readonly text: string } {
  if (typeof body === 'string') return { type: 'text/html; charset=utf-8', text: body };
  return { type: 'application/json', text: JSON.stringify(body) };
}

type Broken = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const tooLate = { 'X-Problem': 'the request did not arrive completely in time' };

/**
 * Answers a request that is not valid HTTP or does not arrive completely in time, because it never reaches the application.
 * Complete earlier calls on the same connection are answered first.
 */
export async function answerBroken(
  error: Broken,
  socket: Socket,
  connections: IncomingConnections,
  { refusal, newTrace, refused }: Refusals,
): Promise<void> {
  const handshake = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code ?? '');
  if (!socket.writable || error.code === 'ECONNRESET' || handshake) {
    socket.destroy();
    return;
  }
  // After the first broken request, the rest of the connection cannot be read either.
  if (connections.givenUp(socket)) return;
  const unfinished = await connections.giveUp(socket);
  const silent = socket.bytesRead === 0 || unfinished?.response.headersSent === true;
  if (silent || !socket.writable) return hangUp(socket, '');
  const kind = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_http';
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooLate : {};
  const rendered = refusal(unfinished?.request.url ?? pathOf(error), { kind });
  refused?.(rendered.status);
  hangUp(socket, messageOf(rendered, newTrace(), late));
}

/** Returns a complete raw reply, for a connection without a call in progress. */
function messageOf({ status, body, headers }: Rendered, trace: string, more: Readonly<Record<string, string>>): string {
  const { type, text } = written(body);
  const head = [
    `HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Trace-Id: ${trace}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

/** Returns the path of the last request in data that could not be parsed, or an empty string if there is none. */
function pathOf({ rawPacket }: Broken): string {
  const lines = rawPacket?.toString('latin1').matchAll(/^[A-Z]+ (\S+)/gm) ?? [];
  const target = [...lines].at(-1)?.[1];
  return target === undefined ? '' : pathIn(target);
}
