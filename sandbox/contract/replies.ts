import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, ParameterizedContext } from 'koa';
import type { InvalidRequest } from '../domain/failures.ts';
import type { Watch } from './api.ts';
import type { DocumentedReply, Operation } from './document.ts';
import type { Envelope } from './envelopes.ts';
import type { Check, Schemas } from './schemas.ts';
import type { HandlerAnswer, WrittenReply } from './types.ts';

type AnyFailure = { readonly kind: string };

/** The replies that the contract documents, by status, each with the validator of its body. */
export type CheckedReplies = ReadonlyMap<number, DocumentedReply & { readonly check: Check | undefined }>;

/** Makes the validators of the replies of an operation. */
export function checkedReplies({ replies }: Operation, schemas: Schemas): CheckedReplies {
  const checked = ({ schema }: DocumentedReply) => (schema === undefined ? undefined : schemas.check(schema));
  return new Map([...replies].map(([status, reply]) => [status, { ...reply, check: checked(reply) }]));
}

/** Turns what a handler answers to a call into bytes, and holds it against the contract first. */
export class Replies {
  readonly #operationId: string;
  readonly #envelope: Envelope<AnyFailure>;
  readonly #watch: Watch;
  readonly #documented: CheckedReplies;

  constructor(operationId: string, documented: CheckedReplies, envelope: Envelope<AnyFailure>, watch: Watch) {
    this.#operationId = operationId;
    this.#documented = documented;
    this.#envelope = envelope;
    this.#watch = watch;
  }

  /** A handler's answer: a reply as it is, a failure in the API's envelope. */
  answer(answer: HandlerAnswer): WrittenReply {
    if ('kind' in answer) return this.refuse(answer);
    if ('stream' in answer) return this.#streamed(answer.status, answer.stream);
    if ('location' in answer) return this.#checked(answer.status, undefined, { Location: answer.location });
    if (!('type' in answer)) {
      const { joined, body } = answer;
      const found = this.#violation(answer.status, joined === undefined ? body : joined.rest, undefined);
      if (found !== undefined) return this.#broken(answer.status, found);
      return this.#written(answer.status, body, answer.headers ?? {}, joined?.text);
    }
    const { status, type, text, gzip } = answer;
    if (!this.#documented.get(status)?.types.has(type)) {
      return this.#broken(status, { where: '', problem: `${type} is not documented under ${status}` });
    }
    const written = this.#checked(status, text, {});
    return written.status === status ? { ...written, type, ...(gzip !== undefined && { gzip }) } : written;
  }

  /**
   * The reply to a caller who sent `If-None-Match`: a 304 without a body if it names the tag of the reply (RFC 9110,
   * 15.4.5).
   */
  unlessNamed(written: WrittenReply, ifNoneMatch: string | undefined): WrittenReply {
    const { ETag: tag } = written.headers;
    return tag !== undefined && isNamed(ifNoneMatch, tag) ? this.#checked(304, undefined, written.headers) : written;
  }

  /** A stream, where the contract has one under its status. */
  #streamed(status: number, stream: Readable): WrittenReply {
    if (this.#documented.get(status)?.stream) {
      return { status, text: null, body: null, headers: { 'Cache-Control': 'no-store' }, stream };
    }
    stream.destroy();
    return this.#broken(status, { where: '', problem: `a stream is not documented under ${status}` });
  }

  /** A failure in the API's envelope. */
  refuse(blamed: AnyFailure): WrittenReply {
    const failure = withoutBlame(blamed);
    const { status, body, headers } = this.#envelope.render(failure);
    return this.#checked(status, body, headers, failure.kind);
  }

  /** A reply that breaks the contract is reported and becomes the documented internal error. */
  #checked(status: number, body: unknown, headers: Readonly<Record<string, string>>, kind?: string): WrittenReply {
    const found = this.#violation(status, body, kind);
    return found === undefined ? this.#written(status, body, headers) : this.#broken(status, found);
  }

  /**
   * JSON unless the contract says otherwise; the log does not keep the text of an HTML page. Where the contract documents
   * a 304, a 200 carries an entity tag (OP-89).
   */
  #written(status: number, body: unknown, headers: Readonly<Record<string, string>>, json?: string): WrittenReply {
    if (body === undefined) return { status, body, headers, text: null };
    if (typeof body !== 'string') {
      const text = json ?? JSON.stringify(body);
      const isTagged = status === 200 && this.#documented.has(304);
      return { status, body, headers: isTagged ? { ...headers, ETag: entityTag(text) } : headers, text };
    }
    const [type = 'text/plain'] = this.#documented.get(status)?.types ?? [];
    return { status, body: null, headers, text: body, type };
  }

  #broken(status: number, { where, problem }: InvalidRequest): WrittenReply {
    this.#watch.violation({ operationId: this.#operationId, status, where, problem });
    const { status: failed, body, headers } = this.#envelope.render({ kind: 'internal_error' });
    return this.#written(failed, body, headers);
  }

  #violation(status: number, body: unknown, kind: string | undefined): InvalidRequest | undefined {
    const documented = this.#documented.get(status);
    if (documented === undefined) return { where: '', problem: `status ${status} is not documented` };
    if (kind !== undefined && !documented.examples.has(kind)) {
      return { where: '', problem: `the error ${kind} is not documented under ${status}` };
    }
    if (documented.stream) return { where: '', problem: `a stream is documented under ${status}` };
    if (documented.check === undefined) {
      return body === undefined ? undefined : { where: '', problem: `a body is not documented under ${status}` };
    }
    return documented.check(body)?.[0];
  }
}

/** The client is not blamed for a call that this process did not make, or broke off (OP-150). */
function withoutBlame(failure: AnyFailure): AnyFailure {
  const isOurs = failure.kind === 'client_no_answer' && 'ours' in failure && failure.ours !== undefined;
  return isOurs ? { kind: 'unavailable' } : failure;
}

/** A strong entity tag: two texts have the same one if they are the same byte for byte (RFC 9110, 8.8.3). */
export function entityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
}

/** An entity tag in `If-None-Match`; the prefix of a weak one does not count when tags are compared. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const tagList = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/**
 * Whether `If-None-Match` names the representation with this tag: `*`, or a list that contains it, by weak comparison
 * (RFC 9110, 13.1.2). A malformed header names nothing.
 */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  if (!tagList.test(ifNoneMatch)) return false;
  return ifNoneMatch.matchAll(listedTag).some(([, tag]) => tag === etag);
}

export function setHeaders({ res }: Pick<Context, 'res'>, headers: Readonly<Record<string, string>> = {}): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}

/** Hands the reply to Koa: a text, compressed if the caller accepts that, a stream of events, or nothing. */
export function writeReply(ctx: ParameterizedContext, { text, stream, type, gzip }: WrittenReply): void {
  if (stream !== undefined) ctx.type = 'text/event-stream';
  else if (text !== null) ctx.type = type ?? 'application/json';
  ctx.body = stream ?? text;
  if (gzip === undefined) return;
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = gzip;
}

const compress = promisify(gzip);

/** Shorter texts fit into a packet or two, and gain nothing. */
const leastCharacters = 1024;

/** Compresses a text that is the reply to a call, for a caller that accepts gzip (RFC 9110, 12.5.3). */
export async function compressReply(ctx: ParameterizedContext): Promise<void> {
  const { body } = ctx;
  if (typeof body !== 'string' || body.length < leastCharacters) return;
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await compress(body);
  ctx.set('Content-Encoding', 'gzip');
}
