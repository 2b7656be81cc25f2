import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'content-type';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import type { Parameter } from './document.ts';
import type { RequestFailure } from './failure-tables.ts';
import type { Patience } from './types.ts';

/** Most bytes of a request body (OP-39). */
export const bodyLimit = 64 * 1024;
/** Deepest nesting of a request body (OP-39). */
export const depthLimit = 16;

/** A body as it came: the bytes, for telling repeats apart, and what they say. */
export interface ReadBody {
  readonly raw: Buffer;
  readonly value: unknown;
}

/** What a body that may be left out counts as. */
export const leftOut: ReadBody = { raw: Buffer.alloc(0), value: {} };

/** Whether the request has a body (RFC 9112). */
export function hasBody({ req: { headers } }: Context): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Why a body is rejected, and the bytes that were read. */
export interface Unreadable {
  readonly failure: RequestFailure;
  readonly raw?: Buffer;
}

/** Reads a JSON body, or says why it cannot be read (OP-39). */
export async function readBody(ctx: Context): Promise<ReadBody | Unreadable> {
  const raw = await readRaw(ctx, 'application/json');
  if (!Buffer.isBuffer(raw)) return { failure: raw };
  const malformed: Unreadable = { failure: { kind: 'malformed_json' }, raw };
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
    return sound(value) ? { raw, value } : malformed;
  } catch {
    return malformed;
  }
}

/** Reads the form of a page: text by field name, an array where a name came more than once (OP-39). */
export async function readForm(ctx: Context): Promise<ReadBody | Unreadable> {
  const raw = await readRaw(ctx, 'application/x-www-form-urlencoded');
  if (!Buffer.isBuffer(raw)) return { failure: raw };
  const fields = new URLSearchParams(raw.toString());
  const names = [...new Set(fields.keys())];
  const values = names.map((name) => [name, fields.getAll(name)] as const);
  return { raw, value: Object.fromEntries(values.map(([name, all]) => [name, all.length > 1 ? all : all[0]])) };
}

async function readRaw(ctx: Context, wanted: string): Promise<Buffer | RequestFailure> {
  if (!declared(ctx, wanted)) return { kind: 'unsupported_media_type' };
  try {
    return await getRawBody(ctx.req, { limit: bodyLimit, length: ctx.req.headers['content-length'] ?? null });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') return { kind: 'body_too_large' };
    // Anything else means that the caller disconnected: a reply would have no reader.
    return { kind: 'malformed_json' };
  }
}

function declared(ctx: Context, wanted: string): boolean {
  const { type, parameters } = parse(ctx.req.headers['content-type'] ?? '');
  const utf8 = /^utf-?8$/i.test(parameters.charset ?? 'utf-8');
  return type === wanted && utf8 && ctx.req.headers['content-encoding'] === undefined;
}

/**
 * Whether a value can be stored and passed on: no deeper than the limit, numbers that a double holds, whole characters
 * (OP-81).
 */
function sound(value: unknown, depth = 1): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth > depthLimit) return false;
  for (const [name, field] of Object.entries(value)) {
    if (!name.isWellFormed() || !sound(field, depth + 1)) return false;
  }
  return true;
}

/** Whether a header that must be single came more than once. Node keeps the first and drops the rest silently. */
export function isRepeated({ rawHeaders }: IncomingMessage, header: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times > 1;
}

/** Aborts when the caller disconnects. It is created on first use: few handlers wait. */
export function leaving({ res }: Context): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller === undefined) {
      const made = new AbortController();
      controller = made;
      if (res.destroyed) made.abort();
      else res.once('close', () => made.abort());
    }
    return controller.signal;
  };
}

/** The patience of a call's caller; the call releases its slot while it waits. */
export function patienceOf({ res }: Context, gone: () => AbortSignal): (seconds: number) => Patience {
  const aside: Patience['aside'] = (waiting) => slotOf(res)?.aside(waiting) ?? waiting;
  return (seconds) => ({ seconds, gone: gone(), aside });
}

/** Where a call carries its parameters. */
export interface Carrier {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * What takes the value of a parameter out of a call, as it was sent, a whole number where the contract asks for one;
 * undefined when absent.
 */
export function readerOf(parameter: Parameter): (call: Carrier) => unknown {
  const sent = senderOf(parameter);
  return parameter.integer ? (call) => asInteger(sent(call)) : sent;
}

function senderOf({ in: place, name }: Parameter): (call: Carrier) => unknown {
  const header = name.toLowerCase();
  switch (place) {
    case 'path':
      return ({ path }) => path[name];
    case 'header':
      return ({ headers }) => headers[header];
    case 'query':
      return ({ query }) => {
        const values = query.getAll(name);
        return values.length > 1 ? values : values[0];
      };
  }
}

function asInteger(sent: unknown): unknown {
  return typeof sent === 'string' && /^-?(0|[1-9][0-9]{0,14})$/.test(sent) ? Number.parseInt(sent, 10) : sent;
}

/** Whether a caller prefers a page to JSON: browsers do, programs that accept anything do not. */
export function prefersPage(ctx: Context): boolean {
  return ctx.accepts('json', 'html') === 'html';
}

/** What counts a call among those in service. */
export interface Slot {
  /** Releases the slot while the call only waits, and takes it again afterwards. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

const slotKey = Symbol('slot');

type Counted = ServerResponse & { [slotKey]?: Slot };

/** Sets the slot of a call when it is admitted. */
export function setSlot(response: Counted, slot: Slot): void {
  response[slotKey] = slot;
}

/** The slot of the call that this is the reply to; undefined if calls are not counted. */
export function slotOf(response: Counted): Slot | undefined {
  return response[slotKey];
}
