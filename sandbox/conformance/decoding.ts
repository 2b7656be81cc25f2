import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'content-type';
import { depthLimit } from '../contract/body.ts';
import { once } from '../runtime/once.ts';
import { header, type Message } from './exchange.ts';

/** Most bytes of a body that are checked; larger ones pass with a notice. */
export const mostCheckedBytes = 1024 * 1024;

/** A body as it can be checked. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string; readonly json: () => Json | undefined }
  | { readonly kind: 'value'; readonly value: unknown }
  /** It is there, and cannot be looked into; `broken` when that is the sender's doing. */
  | { readonly kind: 'closed'; readonly why: string; readonly broken: boolean };

/** What a text says as JSON, and why it is too large to look into, where it is. */
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

/** How many times its size a body may unpack to, where that is more than the least. */
const mostGrowth = 100;
const leastUnpackedBytes = 64 * 1024;

/** Most codings of one body that are decoded: each can multiply its size. */
const mostCodings = 3;

/** Contents by message, while it is checked: the contract, the rules and Prism read the same one. */
const contents = new WeakMap<Message, Content>();

/** The body of a message without its content coding; decoded once for each message. */
export function contentOf(message: Message): Content {
  const content = contents.get(message) ?? decodedBody(message);
  contents.set(message, content);
  return content;
}

function decodedBody({ headers, body }: Message): Content {
  if (body.kind === 'unseen') return { kind: 'closed', why: body.why, broken: false };
  if (body.kind === 'uncaptured') return { kind: 'unknown' };
  if (body.kind === 'value') return body.value === null ? { kind: 'none' } : body;
  if (body.kind === 'text') return textContent(body.text);
  if (body.bytes.length === 0) return { kind: 'none' };
  if (body.bytes.length > mostCheckedBytes) return tooLarge;
  const stated = body.plain === true ? '' : (header(headers, 'content-encoding') ?? '');
  const codings = stated
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  return decoded(
    body.bytes,
    codings.filter((coding) => coding !== '' && coding !== 'identity'),
  );
}

/** The content without these codings. */
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

/** A text, parsed as JSON when that is first needed. */
function textContent(text: string): Content {
  if (text === '') return { kind: 'none' };
  const parsed = once(() => ({ json: jsonIn(text) }));
  return { kind: 'text', text, json: () => parsed().json };
}

/** Undefined if the text is not JSON. */
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

/** The media type that a message is called, without its parameters; empty if there is none. */
export function mediaType(headers: Message['headers']): string {
  return parse(header(headers, 'content-type') ?? '', { parameters: false }).type;
}

/** Most values of a body that is looked into, and most items of one list: each of them can have findings. */
const mostValues = 30_000;
const longestList = 2000;

/** Why a body is not looked into, as far as its extent goes. */
type Excess = { readonly kind: 'deep' } | { readonly kind: 'large'; readonly why: string };

/**
 * Measures a value from another party, level by level: later code walks it recursively, and
 * nothing that the contracts know is nested deeper than a request may be (OP-39). Undefined for one that can be walked.
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
