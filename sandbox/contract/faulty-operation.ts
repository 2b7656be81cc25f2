import { type ServedCall, unseen } from './api.ts';
import { bodyOf } from './body.ts';
import { type FaultPort, injectedReply, type MetFault } from './faults.ts';
import { nodeHttp } from './node-http.ts';
import { type CarryOut, type OperationContext, operationOf } from './operation.ts';

/** Number of chunks in which a `drip` fault sends a reply. */
const drips = 10;

/** A call and the fault that applies to it. */
interface Meeting {
  readonly ctx: OperationContext;
  readonly met: MetFault;
  readonly faults: FaultPort;
  readonly carryOut: CarryOut;
}

/** Applies the fault configured for an operation (OP-70). The call may then run once, twice or not at all. */
export function meetFaults(carryOut: CarryOut): CarryOut {
  return async (ctx) => {
    const { api, operation } = operationOf(ctx);
    if (!api.meetsFaults) return carryOut(ctx);
    const { operationId } = operation;
    const { workspace, origin } = ctx.state;
    const { faults } = workspace;
    const bySandbox = origin.kind === 'sandbox';
    const carriedOut = faults.behind(operationId, bySandbox);
    try {
      const json = faults.asksForBody(operationId, bySandbox) ? await bodyOf(ctx.req).json() : {};
      const met = await faults.take(operationId, 'value' in json ? json.value : undefined, bySandbox);
      if (met === undefined) return await carryOut(ctx);
      ctx.set('X-Fault', met.id);
      const { notices, ...served } = await effects[met.fault]({ ctx, met, faults, carryOut });
      return { ...served, notices: [...notices, `fault ${met.id}: ${met.fault}`] };
    } finally {
      carriedOut?.();
    }
  };
}

/** The implementation of each fault. */
const effects: Readonly<Record<MetFault['fault'], (meeting: Meeting) => Promise<ServedCall>>> = {
  async latency({ ctx, met, faults, carryOut }) {
    const served = await carryOut(ctx);
    await faults.wait(met.ms ?? 0);
    return served;
  },
  async status({ ctx, met: { id, status = null, failure } }) {
    const { operation, api } = operationOf(ctx);
    const named = failure === undefined ? undefined : { kind: failure, by: id };
    const envelope = api.envelope(api.party(ctx.state.workspace.hosts));
    const { body, headers } = injectedReply(operation, envelope, status ?? 500, named);
    const text = JSON.stringify(body);
    ctx.status = status ?? 500;
    ctx.set(headers);
    ctx.set('X-Problem', `injected by ${id}`);
    ctx.type = 'application/json';
    ctx.body = text;
    return { ...notCarriedOut(ctx), status: ctx.status, reply: body, replyBytes: Buffer.byteLength(text) };
  },
  async reset({ ctx }) {
    breakOff(ctx);
    return notCarriedOut(ctx);
  },
  lost_reply: loseReply,
  async malformed({ ctx, carryOut }) {
    const served = await carryOut(ctx);
    const text = textOf(ctx) ?? '{}';
    // These statuses cannot carry a body, and the entity tag does not match a truncated one.
    if (ctx.status === 204 || ctx.status === 304) ctx.status = 200;
    ctx.remove('ETag');
    ctx.type = 'application/json';
    ctx.body = text.slice(0, Math.ceil(text.length / 2));
    return { ...served, status: ctx.status };
  },
  drip,
  async duplicate({ ctx, carryOut }) {
    const served = await carryOut(ctx);
    // The reply to the repeated call is discarded.
    const repeated = ctx.app.createContext(ctx.req, new nodeHttp.ServerResponse(ctx.req));
    const { status } = await carryOut(Object.assign(repeated, { state: ctx.state }));
    return { ...served, notices: [...served.notices, `the repeated call returned status ${status}`] };
  },
  async out_of_order({ ctx, faults, carryOut }) {
    // Read the body first, so that the call completes even if its caller gives up during the delay.
    await bodyOf(ctx.req).received();
    await faults.released(operationOf(ctx).operation.operationId);
    return carryOut(ctx);
  },
};

async function loseReply({ ctx, carryOut }: Meeting): Promise<ServedCall> {
  const served = await carryOut(ctx);
  breakOff(ctx);
  const notices = [...served.notices, `the response with status ${served.status} was not sent`];
  return { ...served, status: null, reply: null, replyBytes: 0, notices };
}

async function drip({ ctx, met, faults, carryOut }: Meeting): Promise<ServedCall> {
  const served = await carryOut(ctx);
  const text = textOf(ctx);
  if (text === undefined || ctx.method === 'HEAD') return served;
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / drips);
  ctx.set('X-Trace-Id', ctx.state.trace);
  ctx.respond = false;
  ctx.res.flushHeaders();
  for (let start = 0; start < bytes.length; start += size) {
    await faults.wait(Math.ceil((met.ms ?? 0) / drips));
    if (ctx.res.destroyed) return served;
    ctx.res.write(bytes.subarray(start, start + size));
  }
  ctx.res.end();
  return served;
}

/** Returns the log record of a call that did not run and received no reply. */
function notCarriedOut(ctx: OperationContext): ServedCall {
  const { operation } = operationOf(ctx);
  return { operation, status: null, request: null, reply: null, replyBytes: 0, notices: [], verdict: unseen };
}

/** Returns the body of a reply as text, or `undefined` if there is no body or it is a stream. */
function textOf({ body }: OperationContext): string | undefined {
  if (Buffer.isBuffer(body)) return body.toString();
  return typeof body === 'string' ? body : undefined;
}

/**
 * Resets the connection, so that the caller receives no reply. A TLS connection is closed, because TLS has no reset.
 */
function breakOff(ctx: OperationContext): void {
  const { socket } = ctx.req;
  ctx.respond = false;
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
