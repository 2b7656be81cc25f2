import type { Operation } from '../contract/document.ts';
import { clientEnvelope } from '../contract/envelopes.ts';
import { type FaultPort, injectedReply, type MetFault } from '../contract/faults.ts';
import type { WholeReply } from './exchange.ts';

/** Sends a call; each time it is called, the same once more. Rejects when there is no reply. */
export type Send = () => Promise<WholeReply>;

/** A call to another server that meets a fault, and what it needs for that (OP-115). */
interface FaultyCall {
  readonly met: MetFault;
  readonly faults: FaultPort;
  /** Milliseconds that a reply is waited for. */
  readonly patience: number;
  readonly operationId: string;
  /** What the contract says of it; undefined where nothing but the status of its reply counts. */
  readonly operation: Operation | undefined;
  /** Reports effects other than the reply to the log. */
  readonly tell: (notice: string) => void;
}

/** What comes back of a call that meets its fault. Rejects where nothing does. */
export async function sendFaulty(call: FaultyCall, send: Send): Promise<WholeReply> {
  const { met, faults, operationId } = call;
  switch (met.fault) {
    case 'latency':
    // Responses are read completely, so pieces differ only in time.
    case 'drip': {
      const reply = await send();
      await pass(call, met.ms ?? 0);
      return reply;
    }
    case 'status':
      return injected(call);
    case 'reset':
      throw new Error('the connection was reset before anything was sent');
    case 'lost_reply': {
      const { status } = await send();
      throw new Error(`the response with status ${status} was lost`);
    }
    case 'malformed':
      return half(await send());
    case 'duplicate':
      return twice(call, send);
    case 'out_of_order':
      await faults.turn(operationId);
      return send();
  }
}

/** Whether the reply to a call with this fault is the server's own, and complete. */
export function isOwnReply({ fault }: MetFault): boolean {
  return fault !== 'status' && fault !== 'malformed';
}

/** Waits for what is late; rejects when that is later than is waited for. */
async function pass({ faults, patience }: FaultyCall, milliseconds: number): Promise<void> {
  await faults.wait(Math.min(milliseconds, patience));
  if (milliseconds >= patience) throw new DOMException('The call took too long.', 'TimeoutError');
}

function injected({ operation, met: { id, status: wanted, failure } }: FaultyCall): WholeReply {
  const status = wanted ?? 500;
  if (operation === undefined) return { status, headers: [], body: Buffer.alloc(0) };
  const named = failure === undefined ? undefined : { kind: failure, by: id };
  return withText(JSON.stringify(injectedReply(operation, clientEnvelope, status, named).body), status);
}

function half({ status, body }: WholeReply): WholeReply {
  const text = body.toString();
  // A reply without a body cannot carry a broken one.
  return withText(text.slice(0, Math.ceil(text.length / 2)) || '{', [204, 205, 304].includes(status) ? 200 : status);
}

/** A reply as it comes over the wire, with its length. */
function withText(text: string, status: number): WholeReply {
  const body = Buffer.from(text);
  return {
    status,
    headers: [
      ['content-type', 'application/json'],
      ['content-length', String(body.length)],
    ],
    body,
  };
}

async function twice({ tell }: FaultyCall, send: Send): Promise<WholeReply> {
  const [first] = await Promise.allSettled([send()]);
  const [repeat] = await Promise.allSettled([send()]);
  const outcome = repeat.status === 'fulfilled' ? `returned status ${repeat.value.status}` : 'received no response';
  tell(`the repeated call ${outcome}`);
  if (first.status === 'rejected') throw first.reason;
  return first.value;
}
