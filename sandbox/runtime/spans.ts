import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { SeededRandom } from './ids.ts';

/** The position of a job in a trace (W3C Trace Context). */
export interface SpanContext {
  /** 32 hex digits. */
  readonly trace: string;
  /** 16 hex digits. */
  readonly span: string;
  /** What the caller sent as `tracestate`, passed on as it came. */
  readonly tracestate?: string | undefined;
}

/** A span when it begins. */
interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly party: 'client' | 'platform' | 'vendor' | 'sandbox';
  readonly trace: string;
  /** The span that caused it. Default: the current span. */
  readonly parent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** The result of a span. `failure` is the reason of one that failed. */
export interface SpanEnd {
  readonly name?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly failure?: string | undefined;
}

/** A span that has ended. Times are real milliseconds since 1970: on a frozen sandbox clock nothing takes any time. */
export interface EndedSpan extends SpanStart, SpanContext, SpanEnd {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
}

/** Called with each span of a workspace when it ends. */
export type OnSpan = (span: EndedSpan, workspace: string) => void;

const running = new AsyncLocalStorage<SpanContext>();

/** The current span, if it belongs to this trace; else undefined. */
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
      // Its message can contain a customer or a code.
      span.end({ failure: (error as Error).name });
      throw error;
    }
  }
}

/** A span that has begun. */
export class OpenSpan {
  readonly context: SpanContext;
  /** The span that caused it; undefined for the first one of a trace. */
  readonly parent: string | undefined;
  readonly #end: ((end: SpanEnd) => void) | undefined;

  constructor(context: SpanContext, parent: string | undefined, end?: (end: SpanEnd) => void) {
    this.context = context;
    this.parent = parent;
    this.#end = end;
  }

  /** The headers that pass it on with a call. */
  get headers(): Readonly<Record<string, string>> {
    const { trace, span, tracestate } = this.context;
    return { traceparent: `00-${trace}-${span}-01`, ...(tracestate !== undefined && { tracestate }) };
  }

  /** Runs `work`; spans that begin in it have this one as their parent. */
  run<T>(work: () => T): T {
    return running.run(this.context, work);
  }

  /** Ends and reports it. */
  end(end: SpanEnd = {}): void {
    this.#end?.(end);
  }
}

/** A span and what caused it, as the activity log names them. */
export function namesOf({ context, parent }: OpenSpan): { readonly span: string; readonly parent?: string } {
  return { span: context.span, ...(parent !== undefined && { parent }) };
}

const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

function readTraceparent({ req: { headers } }: Context): RegExpExecArray | null {
  return traceparent.exec(String(headers.traceparent ?? ''));
}

/** The trace that a call belongs to: the caller's, when it sends a W3C `traceparent`, else a new one (OP-42). */
export function traceOf(ctx: Context, random: SeededRandom): string {
  return readTraceparent(ctx)?.[1] ?? random.hex(16);
}

/**
 * The span of the call that the caller made, and its trace state, where it sends a `traceparent`. A state is dropped if it is
 * longer than W3C Trace Context asks to pass on, or has characters that it does not allow.
 */
export function callerSpanOf(ctx: Context): { readonly parent?: string; readonly tracestate?: string } {
  const parent = readTraceparent(ctx)?.[2];
  if (parent === undefined) return {};
  const tracestate = ctx.get('tracestate');
  return { parent, ...(passable.test(tracestate) && { tracestate }) };
}

const passable = /^[\x20-\x7e]{1,512}$/;
