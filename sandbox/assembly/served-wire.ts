import type { Context } from 'koa';
import type { ServedCall } from '../contract/api.ts';
import { hasBody } from '../contract/request.ts';
import { mostBodyBytes } from '../runtime/entry-size.ts';
import type { Wire, WireMessage } from '../runtime/wire.ts';

type Served = Omit<ServedCall, 'operation'> & Partial<ServedCall>;

/** A call that was answered here, as it went over the wire. */
export function wireOf(ctx: Context, served: Served): Wire {
  const request = { headers: requestHeaders(ctx, served), text: requestText(ctx, served) };
  const { status } = served;
  if (status === null) return { url: ctx.url, request, reply: undefined };
  return { url: ctx.url, request, reply: { status, headers: replyHeaders(ctx), text: replyText(ctx, served) } };
}

/** Headers that say something of every request. */
const ofEvery: ReadonlySet<string> = new Set(['authorization', 'content-type', 'content-encoding']);

/**
 * Of a request's headers those that say something, and those that the contract has of its operation: what else a caller
 * sends is nothing to anybody.
 */
function requestHeaders({ req }: Context, { operation }: Served): WireMessage['headers'] {
  const headers: string[] = [];
  const { rawHeaders } = req;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (ofEvery.has(name) || operation?.headers.has(name)) headers.push(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

function requestText(ctx: Context, { raw }: Served): string | undefined {
  if (raw === undefined) return hasBody(ctx) ? undefined : '';
  return raw.length > mostBodyBytes ? undefined : raw.toString();
}

function replyHeaders({ res }: Context): WireMessage['headers'] {
  const headers: string[] = [];
  for (const name of res.getHeaderNames()) {
    const value = res.getHeader(name);
    if (Array.isArray(value)) for (const each of value) headers.push(name, each);
    else headers.push(name, String(value));
  }
  return headers;
}

/** Undefined for a stream, which nobody has whole, and for what is too large. */
function replyText({ body }: Context, { replyBytes }: Served): string | undefined {
  if (body === null || body === undefined) return '';
  if (Buffer.isBuffer(body)) return replyBytes > mostBodyBytes ? undefined : body.toString();
  if (replyBytes > mostBodyBytes || typeof body !== 'string') return isPlain(body) ? JSON.stringify(body) : undefined;
  return body;
}

/** Whether a body is what a refusal says, which the application writes as JSON. */
function isPlain(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}
