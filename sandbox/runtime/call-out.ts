import type { LoadedContract } from '../contract/schemas.ts';
import type { Activity, CallSeen, Party } from './activity.ts';
import { mostBodyBytes, omitted } from './entry-size.ts';
import { isOwnReply, type Send, sendFaulty } from './faulty-call.ts';
import { type Outgoing, reasonOf } from './outgoing.ts';
import type { SeededRandom } from './random.ts';
import { type CameBack, type Judged, judge, type Outcome, type RefusalRules } from './reply.ts';
import { checkSendable } from './sendable.ts';
import type { Wire, WireMessage } from './wire.ts';

/** One call to another party: what the log tells of it, over what it goes, and how its reply is judged. */
export interface CallOut extends RefusalRules {
  readonly operation: string;
  readonly party: Party;
  readonly trace: string;
  readonly method: string;
  /** The whole address, as the log tells it. */
  readonly url: string;
  /** The body, as the log tells it; null where there is none. */
  readonly request: unknown;
  /** Beside the trace, which every call carries. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly outgoing: () => Outgoing;
  /** Whose failures count together; left out, those of the operation (OP-61). */
  readonly circuit?: string;
  readonly judged: Judged;
}

/** What a call is sent with: the headers, and what a generated client takes as its `fetch` and `Request`. */
export type Way = ReturnType<Outgoing['options']> & { readonly headers: Readonly<Record<string, string>> };

/** What is needed to note a call and to name its span. */
interface CallRecorder {
  readonly activity: Activity;
  readonly random: SeededRandom;
}

/**
 * Makes a call to another party, as all are made: under its trace, with the fault that was set for it, judged, and
 * noted in the activity log once, whatever came of it. Never rejects.
 *
 * @param send sends it, by a generated client of the operation's API, whose type of a success becomes the outcome's
 */
export async function callOut<T>(
  { activity, random }: CallRecorder,
  call: CallOut,
  send: (way: Way) => Promise<{ readonly data?: T }>,
): Promise<Outcome<T>> {
  const { operation, party, trace, method, url, request } = call;
  const seen = { kind: 'call_out', trace, party, method, url, operation, request } as const;
  const headers = { ...call.headers, traceparent: `00-${trace}-${random.hex(8)}-01` };
  const told: string[] = [];
  const met: Met = { sent: [], came: undefined, own: true };
  try {
    // A generated client would tell the value of a header that cannot be sent.
    checkSendable(headers);
    const came = await throughFault(call, headers, send, told, met);
    const { outcome, noted } = judge(operation, call.judged, call, came);
    const { notices, ...read } = noted;
    // What is no JSON was there all the same.
    const reply =
      read.reply === undefined && came.text !== '' ? { reply: omitted(came.bytes || came.text.length) } : read;
    const more = { notices: [...notices, ...told], ...deviationsOf(call, met), wire: wireOf(call, met) };
    activity.call({ ...seen, status: came.status, ...reply, ...more });
    return outcome as Outcome<T>;
  } catch (error) {
    const reason = reasonOf(error);
    const more = { notices: [reason, ...told], ...deviationsOf(call, met), wire: wireOf(call, met) };
    activity.call({ ...seen, status: null, reply: null, ...more });
    return { kind: 'no_answer', status: null, reason };
  }
}

/** What a call met so far. */
interface Met {
  /** The headers that were sent. */
  sent: WireMessage['headers'];
  came: CameBack | undefined;
  /** Whether what came is the other side's own. */
  own: boolean;
}

/** Most deviations of one reply that are noted. */
const mostDeviations = 20;

/** Where the other side's own reply is not as its contract says. */
function deviationsOf({ operation, url, judged }: CallOut, { came, own }: Met): Pick<CallSeen, 'deviations'> {
  if (came === undefined || !own || !('contract' in judged)) return {};
  const found = judged.contract.deviations(operation, url, came);
  return found.length === 0 ? {} : { deviations: found.slice(0, mostDeviations) };
}

/** The call as it went over the wire. A fault's reply is nobody's. */
function wireOf({ url, request }: CallOut, { sent, came, own }: Met): Wire {
  const held = (text: string) => (Buffer.byteLength(text) > mostBodyBytes ? undefined : text);
  const asked = { headers: sent, text: held(request === null ? '' : JSON.stringify(request)) };
  if (came === undefined || !own) return { url, request: asked, reply: undefined };
  const { status, headers, text } = came;
  return { url, request: asked, reply: { status, headers, text: held(text) } };
}

/** Makes the exchange with the fault that the call meets, if any, and adds to `told` what the log is to say of it. */
async function throughFault(
  call: CallOut,
  headers: Way['headers'],
  send: (way: Way) => Promise<unknown>,
  told: string[],
  seen: Met,
): Promise<CameBack> {
  const { operation, request, judged } = call;
  const { faults, patience } = call.outgoing();
  const carriedOut = faults?.behind(operation);
  const met = await faults?.take(operation, request);
  try {
    if (met === undefined || faults === undefined) return await exchange(call, headers, send, seen);
    seen.own = isOwnReply(met);
    const contract = 'contract' in judged ? judged.contract : undefined;
    const meeting = { met, faults, patience, operation: documented(contract, operation), operationId: operation };
    const through = (once: Send) => sendFaulty({ ...meeting, tell: (notice) => told.push(notice) }, once);
    return await exchange(call, headers, send, seen, through);
  } finally {
    if (met !== undefined) told.push(`fault ${met.id}: ${met.fault}`);
    carriedOut?.();
  }
}

function documented(contract: LoadedContract | undefined, operation: string) {
  return contract?.operations.find(({ operationId }) => operationId === operation);
}

/**
 * Sends a call, through a fault if there is one, and takes its reply as it came, noted in `seen`. Rejects when there is
 * none.
 */
async function exchange(
  { operation, circuit = operation, outgoing }: CallOut,
  headers: Way['headers'],
  send: (way: Way) => Promise<unknown>,
  seen: Met,
  through?: (once: Send) => Promise<Response>,
): Promise<CameBack> {
  const { fetch, Request } = outgoing().options(circuit);
  let came: Response | undefined;
  const kept: typeof fetch = async (request, init) => {
    const sent = request instanceof Request ? request.headers : new Headers(init?.headers);
    seen.sent = [...sent];
    // What is sent twice needs its body twice.
    const once = () => fetch(request instanceof Request ? request.clone() : request, init);
    came = await (through === undefined ? fetch(request, init) : through(once));
    // It is read here, and once: the client is told that there is nothing to read.
    return new Response(null, { status: 204 });
  };
  await send({ fetch: kept, Request, headers });
  if (came === undefined) throw new Error('nothing was sent');
  const { status, headers: told } = came;
  const bytes = Number(told.get('content-length'));
  const chunked = told.get('transfer-encoding')?.includes('chunked') === true;
  const empty = status === 204 || (bytes === 0 && !chunked);
  seen.came = { status, text: await came.text(), bytes, empty, headers: [...told] };
  return seen.came;
}
