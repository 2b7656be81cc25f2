import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { originOf, setOrigin } from './api.ts';
import { nodeHttp } from './node-http.ts';
import { bodyLimit } from './request.ts';

/**
 * The request's body, whole; of one that is too large as much as shows that. What the caller broke off ends where it
 * broke.
 */
export function takeWhole(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bodyLimit) done();
  };
  // Broken off, it is too short for its declared length, and answered as such.
  const ends = ['end', 'error', 'close'] as const;
  const done = () => {
    request.pause().off('data', take);
    for (const end of ends) request.off(end, done);
    resolve(Buffer.concat(chunks));
  };
  for (const end of ends) request.on(end, done);
  request.on('data', take);
  return promise;
}

/** The same call with its body to be read again; its reply is the call's reply. */
export function arriveAgain(ctx: Context, raw: Buffer): Context {
  return Object.create(ctx, { req: { value: arriveWhole(ctx.req, raw) } });
}

/** The same call with its body to be read again; its reply goes nowhere. */
export function arriveApart(ctx: Context, raw: Buffer): Context {
  const request = arriveWhole(ctx.req, raw);
  return ctx.app.createContext(request, new nodeHttp.ServerResponse(request));
}

/** What the call's body says, undefined where it is not JSON, and the call with its body to be read again. */
export async function lookInside(ctx: Context): Promise<{ readonly arrived: Context; readonly body: unknown }> {
  const raw = await takeWhole(ctx.req);
  const arrived = arriveAgain(ctx, raw);
  try {
    return { arrived, body: JSON.parse(raw.toString()) };
  } catch {
    return { arrived, body: undefined };
  }
}

/** The same request with its body to be read again. */
export function arriveWhole(request: IncomingMessage, raw: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const same = new nodeHttp.IncomingMessage(request.socket);
  // Complete, or else its end would end the connection that the other one still needs.
  const head = { headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor, complete: true };
  Object.assign(same, head, { method, url });
  setOrigin(same, originOf(request));
  same.push(raw);
  same.push(null);
  return same;
}
