import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'content-type';
import { depthLimit } from '../contract/body.ts';
import { getOrCreate, once } from '../runtime/caches.ts';
import { header, type Message } from './exchange.ts';

/** Maximum size of a checked body, in bytes. Larger bodies pass with a notice. */
export const mostCheckedBytes = 1024 * 1024;

/** A decoded body, ready for checks. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string; readonly json: () => Json | undefined }
  | { readonly kind: 'value'; readonly value: unknown }
  /** The body exists but cannot be read. `broken` means that the sender is at fault. */
  | { readonly kind: 'closed'; readonly why: string; readonly broken: boolean };

/** A parsed JSON value. `excess` is the reason that it is too deep or too large to check, if it is. */
export interface Json {
  readonly value: unknown;
  readonly excess: Excess | undefined;
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

/** Maximum ratio of the decoded size to the encoded size, which applies only above a minimum decoded size. */
const mostGrowth = 100;
const leastUnpackedBytes = 64 * 1024;

/** Maximum number of content codings decoded per body. Each coding can multiply the size. */
const mostCodings = 3;

/** Decoded content by message, shared by the contract checks, the rules and Prism. */
const contents = new WeakMap<Message, Content>();

/** Returns the body of a message without its content codings. Each message is decoded only once. */
export function contentOf(message: Message): Content {
  return getOrCreate(contents, message, () => decodedBody(message));
}

function decodedBody({ headers, body }: Message): Content {
  if (body.kind === 'unseen') return { kind: 'closed', why: body.why, broken: false };
  if (body.kind === 'uncaptured') return { kind: 'unknown' };
  if (body.kind === 'value') return body.value === null ? { kind: 'none' } : body;
  if (body.kind === 'text') return textContent(body.text);
  if (body.bytes.length === 0) return { kind: 'none' };
  if (body.bytes.length > mostCheckedBytes) return tooLarge;
  const stated = body.plain === true ? '' : (header(headers, 'content-encoding') ?? '');
  const codings = stated.split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity');
  return decoded(body.bytes, applied);
}

/** Removes these content codings from a body. */
function decoded(coded: Buffer, codings: readonly string[]): Content {
  if (codings.length > mostCodings) return { kind: 'closed', why: 'it has too many content encodings', broken: false };
  let bytes = coded;
  const grown = Math.max(leastUnpackedBytes, mostGrowth * coded.length);
  const maxOutputLength = Math.min(mostCheckedBytes, grown);
  for (const coding of codings.toReversed()) {
    const decode = decoders.get(coding);
    if (decode === undefined) return { kind: 'closed', why: 'its content encoding is unknown', broken: false };
    try {
      bytes = decode(bytes, { maxOutputLength });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        return maxOutputLength < mostCheckedBytes ? growsTooMuch : tooLarge;
      return { kind: 'closed', why: `it is not ${coding}, although its headers say so`, broken: true };
    }
  }
  return textContent(bytes.toString('utf8'));
}

/** Returns text content that is parsed as JSON on first use. */
function textContent(text: string): Content {
  if (text === '') return { kind: 'none' };
  const parsed = once(() => ({ json: jsonIn(text) }));
  return { kind: 'text', text, json: () => parsed().json };
}

/** Parses text as JSON. Returns `undefined` if it is not JSON. */
function jsonIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value, excess: excessOf(value) };
  } catch {
    return undefined;
  }
}

const growsTooMuch: Content = {
  kind: 'closed',
  why: `it unpacks to more than ${mostGrowth} times its size`,
  broken: false,
};
const tooLarge: Content = { kind: 'closed', why: `it is larger than ${mostCheckedBytes} bytes`, broken: false };

/** Returns the media type of a message without its parameters, or an empty string if there is none. */
export function mediaType(headers: Message['headers']): string {
  return parse(header(headers, 'content-type') ?? '', { parameters: false }).type;
}

/** Maximum number of values in a checked body, and maximum length of a list in it. Each value can have findings. */
const mostValues = 30_000;
const longestList = 2000;

/** The reason that a body is too deep or too large to check. */
type Excess = { readonly kind: 'deep' } | { readonly kind: 'large'; readonly why: string };

/**
 * Measures a value from another party level by level, because later code walks it recursively. Nothing in the contracts is nested
 * deeper than a request may be (OP-39). Returns `undefined` if the value is within the limits.
 */
export function excessOf(value: unknown): Excess | undefined {
  let values = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const container of level) {
      if (typeof container !== 'object' || container === null) continue;
      if (depth > depthLimit) return { kind: 'deep' };
      const children = Object.values(container);
      values += children.length;
      if (Array.isArray(container) && children.length > longestList) return large(`a list of more than ${longestList}`);
      if (values > mostValues) return large(`more than ${mostValues} values`);
      below.push(...children);
    }
    level = below;
  }
  return undefined;
}

function large(what: string): Excess {
  return { kind: 'large', why: `it has ${what}` };
}
