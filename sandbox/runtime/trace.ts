import type { Context } from 'koa';
import type { SeededRandom } from './random.ts';

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The trace that a call belongs to: the caller's, when it sends a W3C `traceparent`, else a new one (OP-42). */
export function traceOf(ctx: Context, random: SeededRandom): string {
  return traceparent.exec(ctx.get('traceparent'))?.[1] ?? random.hex(16);
}

/**
 * The span of the call that the caller made, and its trace state, where it sends a `traceparent`. A longer state than W3C
 * Trace Context asks to pass on is dropped.
 */
export function callerSpanOf(ctx: Context): { readonly parent?: string; readonly tracestate?: string } {
  const parent = traceparent.exec(ctx.get('traceparent'))?.[2];
  const tracestate = ctx.get('tracestate');
  if (parent === undefined) return {};
  return { parent, ...(tracestate !== '' && tracestate.length <= longestState && { tracestate }) };
}

const longestState = 512;
