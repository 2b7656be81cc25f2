/** Tests that the control API compresses replies for callers that accept gzip, because a full activity log is large. */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';

interface Raw {
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
  readonly length: string | undefined;
  readonly body: Buffer;
}

/** Returns a reply exactly as it was sent over the network. */
function get(url: string, acceptEncoding: string | undefined, method = 'GET'): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>();
  const headers = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding };
  const call = request(url, { method, headers }, async (response) => {
    const body = Buffer.concat(await response.toArray());
    const { 'content-encoding': encoding, 'content-length': length, vary } = response.headers;
    resolve({ encoding, vary, length, body });
  });
  call.on('error', reject);
  call.end();
  return promise;
}

it('a long reply is compressed for a caller that accepts gzip, and has a Vary header', async () => {
  const { urls } = await testSandbox();
  const url = `${urls.sandbox}/catalogue`;
  const plain = await get(url, undefined);
  expect(plain).toMatchObject({ encoding: undefined, vary: 'Accept-Encoding' });
  const compressed = await get(url, 'gzip, deflate, br');
  expect(compressed).toMatchObject({ encoding: 'gzip', vary: 'Accept-Encoding' });
  expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
  expect(compressed.body.length).toBeLessThan(plain.body.length / 4);
  expect(compressed.length).toBe(String(compressed.body.length));
  for (const encoding of ['identity', 'br', 'gzip;q=0']) expect((await get(url, encoding)).encoding).toBeUndefined();
  expect(await get(url, 'gzip', 'HEAD')).toMatchObject({ encoding: 'gzip', body: Buffer.alloc(0) });
});

it('a short reply is not compressed, and neither is a reply of the interface', async () => {
  const { urls } = await testSandbox();
  expect(await get(`${urls.sandbox}/clock`, 'gzip')).toMatchObject({ encoding: undefined, vary: undefined });
  expect((await get(`${urls.rewards}/v1/partner/rewards`, 'gzip')).encoding).toBeUndefined();
});
