import type { Context } from 'koa';
import type { SeededRandom } from './random.ts';

const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The trace that a call belongs to: the caller's, when it sends a W3C `traceparent`, else a new one (OP-42). */
export function traceOf(ctx: Context, random: SeededRandom): string {
  return traceparent.exec(ctx.get('traceparent'))?.[1] ?? random.hex(16);
}

/**
 * The span of the call that the caller made, and its trace state, where it sends a `traceparent`. A state is dropped if it is
 * longer than W3C Trace Context asks to pass on, or has characters that it does not allow.
 */
export function callerSpanOf(ctx: Context): { readonly parent?: string; readonly tracestate?: string } {
  const parent = traceparent.exec(ctx.get('traceparent'))?.[2];
  const tracestate = ctx.get('tracestate');
  if (parent === undefined) return {};
  return { parent, ...(passable.test(tracestate) && { tracestate }) };
}

const passable = /^[\x20-\x7e]{1,512}$/;
