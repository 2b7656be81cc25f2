import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** The response is larger than the limit. */
export class TooLarge extends Error {
  constructor(bytes: number) {
    super(`the response is larger than ${bytes} bytes`);
  }
}

type Unpack = (packed: Buffer, maxOutputLength: number) => Promise<Buffer>;

/** Like `fetch`: a truncated body is decoded as far as possible. */
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const gzipped: Unpack = (packed, maxOutputLength) => promisify(gunzip)(packed, { ...lenient, maxOutputLength });
/** Some servers send `deflate` without the head of zlib, which has 8 in the low half of its first byte. */
const deflated: Unpack = (packed, maxOutputLength) =>
  promisify(((packed[0] ?? 8) & 0x0f) === 8 ? inflate : inflateRaw)(packed, { ...lenient, maxOutputLength });

/** The largest window that RFC 9659 has a receiver take. */
const zstd = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const codings: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', gzipped],
  ['x-gzip', gzipped],
  ['deflate', deflated],
  ['br', (packed, maxOutputLength) => promisify(brotliDecompress)(packed, { ...brotli, maxOutputLength })],
  ['zstd', (packed, maxOutputLength) => promisify(zstdDecompress)(packed, { ...zstd, maxOutputLength })],
]);

/** Most codings of one body. */
const mostCodings = 5;

/** A decoded body; unchanged if one of its codings is unknown. Throws `TooLarge` beyond the byte limit. */
export async function decodeContent(body: Buffer, encodings: readonly string[], mostBytes: number): Promise<Buffer> {
  if (encodings.length === 0 || body.length === 0) return body;
  const named = encodings.join(',').toLowerCase().split(',');
  if (named.length > mostCodings) throw new Error(`the response has ${named.length} content encodings`);
  const unpackers = named.map((coding) => codings.get(coding.trim()));
  let plain = body;
  for (const unpack of unpackers.toReversed()) {
    if (unpack === undefined) return body;
    plain = await unpack(plain, mostBytes).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge(mostBytes) : error;
    });
  }
  return plain;
}
