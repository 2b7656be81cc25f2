/** Tests decoding reply bodies within limits (OP-24). */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeContent, TooLarge } from '../../sandbox/http-client/read-response.ts';

const text = 'points '.repeat(100);
const plain = Buffer.from(text);
const most = 1000;

describe('OP-24: a compressed reply', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ])('as %s is decoded', async (coding, packed) => {
    expect((await decodeContent(packed, [coding], most)).toString()).toBe(text);
  });

  it.each([
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
  ])('as %s that decodes to more than the limit is refused', async (coding, packed) => {
    await expect(decodeContent(packed, [coding], text.length - 1)).rejects.toThrow(TooLarge);
    expect(await decodeContent(packed, [coding], text.length)).toHaveLength(text.length);
  });

  it('with an unknown coding stays as received', async () => {
    expect(await decodeContent(plain, ['odd'], most)).toBe(plain);
    expect(await decodeContent(plain, ['gzip', 'odd'], most)).toBe(plain);
    expect(await decodeContent(plain, [], most)).toBe(plain);
  });

  it('that was cut short is decoded up to the cut', async () => {
    const packed = gzipSync(plain);
    expect((await decodeContent(packed.subarray(0, packed.length - 8), ['gzip'], most)).toString()).toBe(text);
  });

  it('with six codings is refused', async () => {
    const six = ['gzip, gzip, gzip', 'gzip', 'gzip', 'gzip'];
    await expect(decodeContent(gzipSync(plain), six, most)).rejects.toThrow('the response has 6 content encodings');
  });

  it('that is empty stays empty', async () => {
    expect(await decodeContent(Buffer.alloc(0), ['gzip'], most)).toHaveLength(0);
  });
});
