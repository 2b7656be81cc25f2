import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

const compress = promisify(gzip);

/** Shorter texts fit into a packet or two, and gain nothing. */
const leastCharacters = 1024;

/** Compresses a text that is the reply to a call, for a caller that accepts gzip (RFC 9110, 12.5.3). */
export async function compressReply(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (typeof body !== 'string' || body.length < leastCharacters) return;
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await compress(body);
  ctx.set('Content-Encoding', 'gzip');
}
