import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, ParameterizedContext } from 'koa';
import type { InvalidRequest } from '../domain/failures.ts';
import type { IdempotencyStore, Watch } from './api.ts';
import type { DocumentedReply, Operation } from './document.ts';
import type { Envelope } from './envelopes.ts';
import type { Check, Schemas } from './schemas.ts';
import type { HandlerAnswer, KeepingTx, KeptReply, WrittenReply } from './types.ts';

type AnyFailure = { readonly kind: string };

/** Documented replies by status, each with the validator of its body. */
export type CheckedReplies = ReadonlyMap<number, DocumentedReply & { readonly check: Check | undefined }>;

/** Adds validators to the documented replies of an operation. */
export function checkedReplies({ replies }: Operation, schemas: Schemas): CheckedReplies {
  const checked = ({ schema }: DocumentedReply) => (schema === undefined ? undefined : schemas.check(schema));
  return new Map([...replies].map(([status, reply]) => [status, { ...reply, check: checked(reply) }]));
}

/** Validates the answers of a handler against the contract, and serializes them. */
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

  /** Converts a handler's answer to a reply. A failure is rendered in the API's envelope. */
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
   * Replaces the reply by a 304 without a body if `If-None-Match` contains the entity tag of the reply (RFC 9110, 15.4.5).
   * Returns any other reply unchanged.
   */
  unlessNamed(written: WrittenReply, ifNoneMatch: string | undefined): WrittenReply {
    const { ETag: tag } = written.headers;
    return tag !== undefined && isNamed(ifNoneMatch, tag) ? this.#checked(304, undefined, written.headers) : written;
  }

  /** Returns a stream reply, or an internal error if the contract has no stream for the status. */
  #streamed(status: number, stream: Readable): WrittenReply {
    if (this.#documented.get(status)?.stream) {
      return { status, text: null, body: null, headers: { 'Cache-Control': 'no-store' }, stream };
    }
    stream.destroy();
    return this.#broken(status, { where: '', problem: `a stream is not documented under ${status}` });
  }

  /** Renders a failure in the API's envelope. */
  refuse(blamed: AnyFailure): WrittenReply {
    const failure = withoutBlame(blamed);
    const { status, body, headers } = this.#envelope.render(failure);
    return this.#checked(status, body, headers, failure.kind);
  }

  /** Validates a reply. A reply that violates the contract is reported and replaced by the documented internal error. */
  #checked(status: number, body: unknown, headers: Readonly<Record<string, string>>, kind?: string): WrittenReply {
    const found = this.#violation(status, body, kind);
    return found === undefined ? this.#written(status, body, headers) : this.#broken(status, found);
  }

  /**
   * Serializes a reply: a string as the documented text type, and other values as JSON. The log does not store such a string.
   * If the contract documents a 304, a 200 JSON reply gets an entity tag (OP-89).
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

/** Replaces a client failure that this process caused itself, so that the client is not blamed (OP-150). */
function withoutBlame(failure: AnyFailure): AnyFailure {
  const isOurs = failure.kind === 'client_no_answer' && 'ours' in failure && failure.ours !== undefined;
  return isOurs ? { kind: 'unavailable' } : failure;
}

/** Returns a strong entity tag, which identifies the exact bytes of the text (RFC 9110, 8.8.3). */
export function entityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
}

/** An entity tag in `If-None-Match`. Comparison ignores the prefix of a weak tag. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const tagList = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/**
 * Returns whether `If-None-Match` matches this entity tag: it is `*` or a list that contains the tag. The comparison is weak
 * (RFC 9110, 13.1.2). A malformed header matches nothing.
 */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  if (!tagList.test(ifNoneMatch)) return false;
  return ifNoneMatch.matchAll(listedTag).some(([, tag]) => tag === etag);
}

/** Sets headers directly on the Node response. */
export function setHeaders({ res }: Pick<Context, 'res'>, headers: Readonly<Record<string, string>> = {}): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}

/** Sets the type and body of a Koa response. Uses the compressed text if there is one and the caller accepts gzip. */
export function writeReply(ctx: ParameterizedContext, { text, stream, type, gzip }: WrittenReply): void {
  if (stream !== undefined) ctx.type = 'text/event-stream';
  else if (text !== null) ctx.type = type ?? 'application/json';
  ctx.body = stream ?? text;
  if (gzip === undefined || !negotiateGzip(ctx)) return;
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = gzip;
}

/** Sets `Vary`, and returns whether the caller accepts gzip. */
function negotiateGzip(ctx: ParameterizedContext): boolean {
  ctx.vary('Accept-Encoding');
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}

const compress = promisify(gzip);

/**
 * Minimum length for compression, in characters. Shorter text fits into one or two packets, so compression gains nothing.
 */
const leastCharacters = 1024;

/** Compresses the text of a reply if the caller accepts gzip and the text is long enough (RFC 9110, 12.5.3). */
export async function compressReply(ctx: ParameterizedContext): Promise<void> {
  const { body } = ctx;
  if (typeof body !== 'string' || body.length < leastCharacters || !negotiateGzip(ctx)) return;
  ctx.body = await compress(body);
  ctx.set('Content-Encoding', 'gzip');
}

/** The id and fingerprint of a reply to store, and the store for it. */
export interface Keeping {
  readonly id: string;
  readonly fingerprint: string;
  readonly store: IdempotencyStore;
}

/** The parts of a call that idempotency depends on. */
interface KeyedCall {
  /** The id of the stored reply, composed of operation, caller and key. */
  readonly id: string;
  readonly raw: Buffer | undefined;
  readonly notices: string[];
}

/** Runs the first call with a key. Replays its reply to repeats, and refuses a repeat with a different body (OP-20). */
export async function onceByKey(
  { id, raw, notices }: KeyedCall,
  store: IdempotencyStore,
  run: (keeping: Keeping) => Promise<WrittenReply>,
): Promise<WrittenReply | { readonly kind: 'idempotency_conflict' }> {
  const { underWay } = store;
  const fingerprint = hash('sha256', raw ?? '', 'hex');
  const earlier = store.get(id) ?? underWay.get(id);
  if (earlier !== undefined) {
    notices.push('repeat of an idempotency key');
    if (earlier.fingerprint !== fingerprint) return { kind: 'idempotency_conflict' };
    return replay('written' in earlier ? await earlier.written : fromKept(earlier));
  }
  const written = run({ id, fingerprint, store });
  underWay.set(id, { fingerprint, written });
  try {
    return await written;
  } finally {
    underWay.delete(id);
  }
}

/** Stores a reply in the transaction that also stores its effect. */
export function keepReply(tx: KeepingTx, { id, fingerprint, store }: Keeping, written: WrittenReply): void {
  const { status, text, type, headers } = written;
  const { Location: location, 'X-Problem': problem } = headers;
  const kept = { ...(location !== undefined && { location }), ...(problem !== undefined && { problem }) };
  store.keep(tx, id, { fingerprint, status, text, ...(type !== undefined && { type }), ...kept });
}

function fromKept({ status, text, type, location, problem }: KeptReply): WrittenReply {
  const headers = {
    ...(location !== undefined && { Location: location }),
    ...(problem !== undefined && { 'X-Problem': problem }),
  };
  if (type !== undefined) return { status, text, type, body: null, headers };
  return { status, text, body: text === null ? undefined : JSON.parse(text), headers };
}

function replay(written: WrittenReply): WrittenReply {
  return { ...written, headers: { ...written.headers, 'Idempotent-Replayed': 'true' } };
}
