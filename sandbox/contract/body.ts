import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import type { Context } from 'koa';
import type { InvalidRequest } from '../domain/failures.ts';
import { at, follow, type Node } from './document.ts';
import type { RequestFailure } from './failure-tables.ts';

/** Maximum size of a request body, in bytes (OP-39). */
export const bodyLimit = 64 * 1024;
/** Maximum nesting depth of a request body (OP-39). */
export const depthLimit = 16;
/** Maximum number of form fields, counting repetitions (OP-39). */
export const formFieldLimit = 64;

/** The result of receiving a request body. */
interface ReceivedBody {
  /** The received bytes. Reading stops when the body exceeds the limit. */
  readonly bytes: Buffer;
  readonly isTooLarge: boolean;
  /** Whether the caller disconnected before the whole body arrived. */
  readonly isBrokenOff: boolean;
}

/** The JSON value of a body, or the reason that it cannot be used. */
type JsonBody = { readonly value: unknown } | { readonly problem: JsonProblem };

/** The problem with a JSON body. An `unstorable` body contains a number outside the double range or a lone surrogate (OP-81). */
type JsonProblem = 'malformed' | 'too_deep' | 'unstorable';

/** A request body that is read and parsed at most once, even if several steps need it. */
class RequestBody {
  readonly #request: IncomingMessage;
  #received: Promise<ReceivedBody> | undefined;
  #json: JsonBody | undefined;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** Resolves with the bytes after they have arrived. Never rejects. */
  received(): Promise<ReceivedBody> {
    this.#received ??= receive(this.#request);
    return this.#received;
  }

  /** Parses the body as JSON, regardless of its media type. */
  async json(): Promise<JsonBody> {
    this.#json ??= parseJson((await this.received()).bytes);
    return this.#json;
  }
}

const bodies = new WeakMap<IncomingMessage, RequestBody>();

/** Returns the body of a request. Every step of a call receives the same object. */
export function bodyOf(request: IncomingMessage): RequestBody {
  const body = bodies.get(request) ?? new RequestBody(request);
  bodies.set(request, body);
  return body;
}

/** Returns whether the request has a body (RFC 9112). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** A body that was read: its parsed value, and its bytes, which identify repeated calls. */
interface ReadBody {
  readonly raw: Buffer;
  readonly value: unknown;
}

/** The value used for a missing optional body. */
export const leftOut: ReadBody = { raw: Buffer.alloc(0), value: {} };

/** The reason that a body is refused, and its bytes if all of them were read. */
export interface RefusedBody {
  readonly failure: RequestFailure;
  readonly raw?: Buffer;
  readonly problem?: JsonProblem;
}

/** A readable body that is invalid regardless of its schema. */
interface InvalidBody {
  readonly invalid: InvalidRequest;
  readonly raw: Buffer;
}

/** Reads a JSON body or a submitted form, or returns the reason that it cannot be read (OP-39). */
export async function readBody(
  ctx: Pick<Context, 'req'>,
  isForm: boolean,
): Promise<ReadBody | RefusedBody | InvalidBody> {
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  if (!isDeclared(ctx, type)) return { failure: { kind: 'unsupported_media_type' } };
  const body = bodyOf(ctx.req);
  const { bytes: raw, isTooLarge, isBrokenOff } = await body.received();
  if (isTooLarge) return { failure: { kind: 'body_too_large' } };
  // The caller has gone, so nobody reads the reply.
  if (isBrokenOff) return { failure: { kind: 'malformed_json' } };
  if (isForm) return formIn(raw);
  const json = await body.json();
  return 'value' in json
    ? { raw, value: json.value }
    : { failure: { kind: 'malformed_json' }, raw, problem: json.problem };
}

function formIn(raw: Buffer): ReadBody | InvalidBody {
  const text = raw.toString();
  // Count the fields before parsing, because parsing 64 KiB of names takes 9 ms.
  if (text.split('&', formFieldLimit + 1).length <= formFieldLimit) return { raw, value: formFields(text) };
  return { raw, invalid: { where: 'body', problem: `must have at most ${formFieldLimit} fields` } };
}

/** Parses the fields of a form or a query. A name that occurs more than once has an array of strings. */
export function formFields(text: string): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const existing = values.get(name);
    if (Array.isArray(existing)) existing.push(value);
    else values.set(name, existing === undefined ? value : [existing, value]);
  }
  return Object.fromEntries(values);
}

function isDeclared({ req: { headers } }: Pick<Context, 'req'>, wanted: string): boolean {
  const { type, parameters } = parse(headers['content-type'] ?? '');
  const isUtf8 = /^utf-?8$/i.test(parameters.charset ?? 'utf-8');
  return type === wanted && isUtf8 && headers['content-encoding'] === undefined;
}

function receive(request: IncomingMessage): Promise<ReceivedBody> {
  const { promise, resolve } = Promise.withResolvers<ReceivedBody>();
  const chunks: Buffer[] = [];
  let length = 0;
  let isTooLarge = false;
  const ends = ['end', 'error', 'close'] as const;
  const done = () => {
    request.pause().off('data', take);
    for (const end of ends) request.off(end, done);
    const [first = Buffer.alloc(0)] = chunks;
    const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first;
    resolve({ bytes, isTooLarge, isBrokenOff: !isTooLarge && !request.complete });
  };
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= bodyLimit) return;
    isTooLarge = true;
    done();
  };
  // The caller disconnected before reading started, so no further event will be emitted.
  if (request.destroyed) done();
  else {
    for (const end of ends) request.on(end, done);
    request.on('data', take);
  }
  return promise;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): JsonBody {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    const problem = problemOf(value);
    return problem === undefined ? { value } : { problem };
  } catch {
    return { problem: 'malformed' };
  }
}

/** Returns the reason that a value cannot be stored or forwarded, or `undefined` if it can. */
function problemOf(value: unknown, depth = 1): JsonProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'unstorable';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'unstorable';
  if (value === null || typeof value !== 'object') return undefined;
  if (depth > depthLimit) return 'too_deep';
  for (const [name, part] of Object.entries(value)) {
    if (!name.isWellFormed()) return 'unstorable';
    // Fast path: most values are well-formed strings or finite numbers.
    if (typeof part === 'string' ? part.isWellFormed() : Number.isFinite(part)) continue;
    const problem = problemOf(part, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The fields of a request schema. All other fields of a request are dropped, so that they are never stored (OP-38). */
export interface Shape {
  readonly fields: ReadonlyMap<string, Shape>;
  readonly items: Shape | undefined;
}

/** Shapes by bundle and JSON pointer. Bundles do not change, so all workspaces share each shape. */
const cache = new WeakMap<Node, Map<string, Shape>>();

/** Returns the shape of the schema at a JSON pointer, which includes the properties of all `allOf` branches. */
export function shapeOf(bundle: Node, pointer: string): Shape {
  const shapes = cache.get(bundle) ?? new Map<string, Shape>();
  cache.set(bundle, shapes);
  const shape = shapes.get(pointer) ?? makeShape(bundle, pointer);
  shapes.set(pointer, shape);
  return shape;
}

function makeShape(bundle: Node, pointer: string): Shape {
  const place = follow(bundle, pointer);
  const node = at(bundle, place) as Node | undefined;
  const fields = new Map<string, Shape>();
  for (const name of Object.keys((node?.properties ?? {}) as Node)) {
    fields.set(name, shapeOf(bundle, `${place}/properties/${name}`));
  }
  const branches = (node?.allOf ?? []) as readonly Node[];
  branches.forEach((_, index) => {
    for (const [name, shape] of shapeOf(bundle, `${place}/allOf/${index}`).fields) fields.set(name, shape);
  });
  return { fields, items: node?.items === undefined ? undefined : shapeOf(bundle, `${place}/items`) };
}

/** Returns a copy of `value` with only the fields of the shape. Adds the pointers of the other fields to `unknown`. */
export function pickFields(value: unknown, shape: Shape, unknown: string[], pointer = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = shape;
    if (items === undefined) return value;
    return value.map((item, index) => pickFields(item, items, unknown, `${pointer}/${index}`));
  }
  if (value === null || typeof value !== 'object' || shape.fields.size === 0) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const fieldShape = shape.fields.get(name);
    if (fieldShape === undefined) unknown.push(`${pointer}/${name}`);
    else if (typeof field !== 'object') copy[name] = field;
    else copy[name] = pickFields(field, fieldShape, unknown, `${pointer}/${name}`);
  }
  return copy;
}
