import type { Context } from 'koa';
import type { SeededRandom } from './random.ts';

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The trace that a call belongs to: the caller's, when it sends a W3C `traceparent`, else a new one (OP-42). */
export function traceOf(ctx: Context, random: SeededRandom): string {
  return traceparent.exec(ctx.get('traceparent'))?.[1] ?? random.hex(16);
}

/** The span that a call belongs to: that of the call that its caller made, where it sends a `traceparent`. */
export function parentSpanOf(ctx: Context): string | undefined {
  return traceparent.exec(ctx.get('traceparent'))?.[2];
}
