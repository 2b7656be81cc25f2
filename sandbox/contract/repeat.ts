import { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { About } from './faults.ts';
import { bodyLimit } from './request.ts';

/** The request's body, whole; of one that is too large as much as shows that. What the caller broke off ends where it broke. */
export async function takeWhole(ctx: Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > bodyLimit) break;
    }
  } catch {
    // Too short for its declared length, it is answered as a broken-off body is.
  }
  return Buffer.concat(chunks);
}

/** The same call with its body to be read anew; its reply is the call's reply. */
export function arriveAgain(ctx: Context, raw: Buffer): Context {
  return Object.create(ctx, { req: { value: sameRequest(ctx.req, raw) } });
}

/** The same call with its body to be read anew; its reply goes nowhere. */
export function arriveApart(ctx: Context, raw: Buffer): Context {
  const request = sameRequest(ctx.req, raw);
  return ctx.app.createContext(request, new ServerResponse(request));
}

/** Whom and what the call's body names, and the call with its body to be read anew. */
export async function whatIsMeant(ctx: Context): Promise<{ readonly arrived: Context; readonly about: About }> {
  const raw = await takeWhole(ctx);
  const arrived = arriveAgain(ctx, raw);
  try {
    const { uid, customer_id = uid, paymentAmount, transactionId } = JSON.parse(raw.toString()) ?? {};
    const named = Object.entries({ customer: customer_id, amount: paymentAmount, transactionId });
    return { arrived, about: Object.fromEntries(named.filter(([, value]) => typeof value === 'string')) };
  } catch {
    return { arrived, about: {} };
  }
}

function sameRequest(request: IncomingMessage, raw: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const same = new IncomingMessage(request.socket);
  // Complete, or else its end would end the connection that the other one still needs.
  const known = { headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor, complete: true };
  Object.assign(same, known, { method, url });
  same.push(raw);
  same.push(null);
  return same;
}
