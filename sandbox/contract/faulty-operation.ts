import type { Context } from 'koa';
import { type Bound, originOf, type ServedCall, unseen } from './api.ts';
import { bodyOf } from './body.ts';
import type { Operation } from './document.ts';
import type { Envelope } from './envelopes.ts';
import { type FaultPort, injectedReply, type MetFault } from './faults.ts';
import { nodeHttp } from './node-http.ts';

type PathValues = Readonly<Record<string, string>>;
/** What an envelope must provide; any API's will do, as only failures that its own contract documents are rendered. */
type AnyEnvelope = Pick<Envelope<{ readonly kind: string }>, 'render' | 'plain'>;

/** One call on its way into an operation. */
interface Passing {
  readonly ctx: Context;
  readonly path: PathValues;
  readonly trace: string;
}

/** Pieces that a dripping reply comes in. */
const drips = 10;

/** An operation whose calls meet the faults that were set for it (OP-70); without one it is as it was. */
export class FaultyOperation implements Bound {
  readonly operation: Operation;
  readonly #bound: Bound;
  readonly #envelope: AnyEnvelope;
  readonly #faults: FaultPort;

  constructor(bound: Bound, envelope: AnyEnvelope, faults: FaultPort) {
    this.operation = bound.operation;
    this.#bound = bound;
    this.#envelope = envelope;
    this.#faults = faults;
  }

  async serve(ctx: Context, path: PathValues, trace: string): Promise<ServedCall> {
    const { operationId } = this.operation;
    const bySandbox = originOf(ctx.req).kind === 'sandbox';
    const carriedOut = this.#faults.behind(operationId, bySandbox);
    try {
      const json = this.#faults.asksForBody(operationId, bySandbox) ? await bodyOf(ctx.req).json() : {};
      const met = await this.#faults.take(operationId, 'value' in json ? json.value : undefined, bySandbox);
      if (met === undefined) return await this.#bound.serve(ctx, path, trace);
      ctx.set('X-Fault', met.id);
      const { notices, ...served } = await this.#meet(met, { ctx, path, trace });
      return { ...served, notices: [...notices, `fault ${met.id}: ${met.fault}`] };
    } finally {
      carriedOut?.();
    }
  }

  #meet(met: MetFault, passing: Passing): Promise<ServedCall> {
    switch (met.fault) {
      case 'latency':
        return this.#late(passing, met.ms ?? 0);
      case 'status':
        return this.#answer(passing.ctx, met);
      case 'reset':
        return this.#reset(passing.ctx);
      case 'lost_reply':
        return this.#loseReply(passing);
      case 'malformed':
        return this.#malform(passing);
      case 'drip':
        return this.#drip(passing, met.ms ?? 0);
      case 'duplicate':
        return this.#twice(passing);
      case 'out_of_order':
        return this.#hold(passing);
    }
  }

  #carryOut({ ctx, path, trace }: Passing): Promise<ServedCall> {
    return this.#bound.serve(ctx, path, trace);
  }

  async #late(passing: Passing, milliseconds: number): Promise<ServedCall> {
    const served = await this.#carryOut(passing);
    await this.#faults.wait(milliseconds);
    return served;
  }

  async #answer(ctx: Context, { id, status: wanted, failure }: MetFault): Promise<ServedCall> {
    const status = wanted ?? 500;
    const named = failure === undefined ? undefined : { kind: failure, by: id };
    const { body, headers } = injectedReply(this.operation, this.#envelope, status, named);
    const text = JSON.stringify(body);
    ctx.status = status;
    ctx.set(headers);
    ctx.set('X-Problem', `injected by ${id}`);
    ctx.type = 'application/json';
    ctx.body = text;
    return { ...this.#unseen(), status, reply: body, replyBytes: Buffer.byteLength(text) };
  }

  async #reset(ctx: Context): Promise<ServedCall> {
    breakOff(ctx);
    return this.#unseen();
  }

  async #loseReply(passing: Passing): Promise<ServedCall> {
    const served = await this.#carryOut(passing);
    breakOff(passing.ctx);
    const notices = [...served.notices, `the response with status ${served.status} was not sent`];
    return { ...served, status: null, reply: null, replyBytes: 0, notices };
  }

  async #malform(passing: Passing): Promise<ServedCall> {
    const served = await this.#carryOut(passing);
    const { ctx } = passing;
    const text = textOf(ctx) ?? '{}';
    // A reply without a body cannot carry a broken one, and what is broken is not what the tag stands for.
    if (ctx.status === 204 || ctx.status === 304) ctx.status = 200;
    ctx.remove('ETag');
    ctx.type = 'application/json';
    ctx.body = text.slice(0, Math.ceil(text.length / 2));
    return { ...served, status: ctx.status };
  }

  async #drip(passing: Passing, milliseconds: number): Promise<ServedCall> {
    const served = await this.#carryOut(passing);
    const { ctx, trace } = passing;
    const text = textOf(ctx);
    if (text === undefined || ctx.method === 'HEAD') return served;
    const bytes = Buffer.from(text);
    const size = Math.ceil(bytes.length / drips);
    ctx.set('X-Trace-Id', trace);
    ctx.respond = false;
    ctx.res.flushHeaders();
    for (let start = 0; start < bytes.length; start += size) {
      await this.#faults.wait(Math.ceil(milliseconds / drips));
      if (ctx.res.destroyed) return served;
      ctx.res.write(bytes.subarray(start, start + size));
    }
    ctx.res.end();
    return served;
  }

  async #twice(passing: Passing): Promise<ServedCall> {
    const served = await this.#carryOut(passing);
    const { ctx, path, trace } = passing;
    // The reply to the repeat goes nowhere.
    const repeated = ctx.app.createContext(ctx.req, new nodeHttp.ServerResponse(ctx.req));
    const { status } = await this.#bound.serve(repeated, path, trace);
    return { ...served, notices: [...served.notices, `the repeated call returned status ${status}`] };
  }

  async #hold(passing: Passing): Promise<ServedCall> {
    // The body is read now, so that the call completes even if its caller gives up in the meantime.
    await bodyOf(passing.ctx.req).received();
    await this.#faults.turn(this.operation.operationId);
    return this.#carryOut(passing);
  }

  /** What is seen of a call that was not carried out and got no reply. */
  #unseen(): ServedCall {
    const { operation } = this;
    return { operation, status: null, request: null, reply: null, replyBytes: 0, notices: [], verdict: unseen };
  }
}

/** The body of a reply as text; undefined where it has none, or is a stream. */
function textOf({ body }: Context): string | undefined {
  if (Buffer.isBuffer(body)) return body.toString();
  return typeof body === 'string' ? body : undefined;
}

/** Resets the connection, so that the caller gets no reply. TLS knows no reset; there it is closed. */
function breakOff(ctx: Context): void {
  const { socket } = ctx.req;
  ctx.respond = false;
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
