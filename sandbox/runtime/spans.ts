import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { SeededRandom } from './ids.ts';

/** The position of a job in a trace (W3C Trace Context). */
export interface SpanContext {
  /** The trace id, 32 hex digits. */
  readonly trace: string;
  /** The span id, 16 hex digits. */
  readonly span: string;
  /** The caller's `tracestate` header, forwarded unchanged. */
  readonly tracestate?: string | undefined;
}

/** The properties of a span at its start. */
interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly party: 'client' | 'platform' | 'vendor' | 'sandbox';
  readonly trace: string;
  /** The id of the parent span. Default: the current span. */
  readonly parent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** The result of a span. `failure` is the reason if the span failed. */
export interface SpanEnd {
  readonly name?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly failure?: string | undefined;
}

/**
 * A span that has ended. Times are real milliseconds since 1970, because on a frozen sandbox clock all durations would
 * be zero.
 */
export interface EndedSpan extends SpanStart, SpanContext, SpanEnd {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
}

/** Called with each span of a workspace when it ends. */
export type OnSpan = (span: EndedSpan, workspace: string) => void;

const running = new AsyncLocalStorage<SpanContext>();

/** Returns the current span if it belongs to this trace; otherwise `undefined`. */
export function currentSpan(trace: string): SpanContext | undefined {
  const context = running.getStore();
  return context?.trace === trace ? context : undefined;
}

/** Creates the spans of a workspace, and reports each one when it ends. */
export class Spans {
  readonly #random: SeededRandom;
  readonly #now: () => number;
  readonly #report: ((span: EndedSpan) => void) | undefined;

  constructor(random: SeededRandom, now: () => number, report?: (span: EndedSpan) => void) {
    this.#random = random;
    this.#now = now;
    this.#report = report;
  }

  begin(start: SpanStart): OpenSpan {
    const around = currentSpan(start.trace);
    const parent = start.parent ?? around?.span;
    const tracestate = start.tracestate ?? around?.tracestate;
    const context = { trace: start.trace, span: this.#random.hex(8), tracestate };
    const report = this.#report;
    if (report === undefined) return new OpenSpan(context, parent);
    const began = this.#now();
    const begun = { ...start, ...context, parent, began };
    return new OpenSpan(context, parent, (end) =>
      report({ ...begun, ...end, name: end.name ?? start.name, ended: this.#now() }),
    );
  }

  /** Runs `work` as a span. If it throws, the span has failed. */
  async during<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
    const span = this.begin(start);
    try {
      const result = await span.run(work);
      span.end();
      return result;
    } catch (error) {
      // The error message can contain customer data or a code, so only its name is reported.
      span.end({ failure: (error as Error).name });
      throw error;
    }
  }
}

/** A span in progress. */
export class OpenSpan {
  readonly context: SpanContext;
  /** The id of the parent span; `undefined` for the first span of a trace. */
  readonly parent: string | undefined;
  readonly #end: ((end: SpanEnd) => void) | undefined;

  constructor(context: SpanContext, parent: string | undefined, end?: (end: SpanEnd) => void) {
    this.context = context;
    this.parent = parent;
    this.#end = end;
  }

  /** The trace headers for outgoing calls of this span. */
  get headers(): Readonly<Record<string, string>> {
    const { trace, span, tracestate } = this.context;
    return { traceparent: `00-${trace}-${span}-01`, ...(tracestate !== undefined && { tracestate }) };
  }

  /** Runs `work` with this span as the parent of all spans that begin in it. */
  run<T>(work: () => T): T {
    return running.run(this.context, work);
  }

  /** Ends and reports the span. */
  end(end: SpanEnd = {}): void {
    this.#end?.(end);
  }
}

/** Returns the ids of a span and its parent under their names in the activity log. */
export function namesOf({ context, parent }: OpenSpan): { readonly span: string; readonly parent?: string } {
  return { span: context.span, ...(parent !== undefined && { parent }) };
}

const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

function readTraceparent({ req: { headers } }: Context): RegExpExecArray | null {
  return traceparent.exec(String(headers.traceparent ?? ''));
}

/** Returns the trace id of a call: the caller's if it sends a W3C `traceparent`, otherwise a new one (OP-42). */
export function traceOf(ctx: Context, random: SeededRandom): string {
  return readTraceparent(ctx)?.[1] ?? random.hex(16);
}

/**
 * Returns the caller's span and trace state if the call has a `traceparent`. Drops a trace state that exceeds the
 * length that W3C Trace Context requires to be forwarded, or that contains invalid characters.
 */
export function callerSpanOf(ctx: Context): { readonly parent?: string; readonly tracestate?: string } {
  const parent = readTraceparent(ctx)?.[2];
  if (parent === undefined) return {};
  const tracestate = ctx.get('tracestate');
  return { parent, ...(passable.test(tracestate) && { tracestate }) };
}

const passable = /^[\x20-\x7e]{1,512}$/;
