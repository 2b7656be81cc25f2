import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { header, type Message } from './exchange.ts';

/** Most bytes of a body that are checked; larger ones pass with a notice. */
export const mostCheckedBytes = 1024 * 1024;

/** A body as it can be checked. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  /** It is there, and cannot be looked into; `broken` when that is the sender's doing. */
  | { readonly kind: 'closed'; readonly why: string; readonly broken: boolean };

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Takes the content coding off a copy of a body. */
export function contentOf({ headers, body }: Message): Content {
  if (body.kind === 'unseen') return { kind: 'closed', why: body.why, broken: false };
  if (body.kind === 'value') return body.value === null ? { kind: 'none' } : body;
  if (body.bytes.length === 0) return { kind: 'none' };
  if (body.bytes.length > mostCheckedBytes) return tooLarge;
  const codings = body.plain === true ? [] : (header(headers, 'content-encoding') ?? '').toLowerCase().split(/\s*,\s*/);
  let { bytes } = body;
  for (const coding of codings.toReversed()) {
    if (coding === '' || coding === 'identity') continue;
    const decode = decoders[coding];
    if (decode === undefined) return { kind: 'closed', why: `its coding ${coding} is not known`, broken: false };
    try {
      bytes = decode(bytes, { maxOutputLength: mostCheckedBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge;
      return { kind: 'closed', why: `it is not ${coding}, which its headers call it`, broken: true };
    }
  }
  return bytes.length === 0 ? { kind: 'none' } : { kind: 'text', text: bytes.toString('utf8') };
}

const tooLarge: Content = { kind: 'closed', why: `it has more than ${mostCheckedBytes} bytes`, broken: false };

/** The media type without its parameters. */
export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
