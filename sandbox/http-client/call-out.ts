import type { Activity, CallSeen } from '../activity-log/activity.ts';
import type { Party } from '../activity-log/activity-entry.ts';
import { omittedBody } from '../activity-log/entry-size.ts';
import { clientEnvelope } from '../contract/envelopes.ts';
import { type FaultPort, injectedReply, type MetFault } from '../contract/faults.ts';
import { namesOf, type SpanEnd, type Spans } from '../runtime/spans.ts';
import { checkSendable, Interrupted, NotMade, oursOf } from './connections.ts';
import { type Outgoing, reasonOf } from './outgoing.ts';
import type { HttpReply, SentCall } from './read-response.ts';
import {
  judge,
  type Outcome,
  operationOf,
  type RefusalRules,
  type ReplyValidation,
  type ValidatedReply,
} from './reply.ts';

/** A call to another party: its log entry, its connection, and the validation of its reply. */
export interface CallOut extends RefusalRules {
  readonly operation: string;
  readonly party: Party;
  readonly trace: string;
  readonly method: string;
  /** The complete URL, as logged. */
  readonly url: string;
  /** The body, as logged; null if there is none. */
  readonly request: unknown;
  /** The body as sent. Default: `request` as JSON. */
  readonly text?: string;
  /** Headers in addition to the trace headers and the JSON media type. */
  readonly headers?: Headers | (() => Promise<Headers>);
  readonly outgoing: () => Outgoing;
  /** The name of the circuit that counts the call's failures. Default: the operation (OP-61). */
  readonly circuit?: string;
  readonly judged: ReplyValidation;
}

type Headers = SentCall['headers'];

/** The recorders of a call: the activity log and the spans of the workspace. */
export interface CallRecorder {
  readonly activity: Activity;
  readonly spans: Spans;
}

/**
 * Makes a call to another party under its trace. Applies a configured fault, validates the reply, and writes exactly
 * one log entry, regardless of the outcome. Never rejects. `T` is the type of the operation's success body.
 */
export async function callOut<T>({ activity, spans }: CallRecorder, call: CallOut): Promise<Outcome<T>> {
  const { operation, party, trace, method, url, request } = call;
  const span = spans.begin({ name: operation, kind: 'client', party: callerOf(party), trace });
  const begun = { kind: 'call_out', began: activity.now(), ...namesOf(span) } as const;
  const progress: Progress = { isBegun: false, isOwnReply: true, notices: [] };
  const end = (status: number | null, logged: Logged, failure: string | undefined) => {
    const seen = { ...begun, trace, party, method, url, operation, request, status, ...logged };
    const notices = [...logged.notices, ...progress.notices];
    void activity.call({ ...seen, notices, ...wayOf(progress), ...foundIn(call, progress) });
    span.end(spanEnd(call, status, failure));
  };
  try {
    progress.sent = await toBeSent(call, span.headers);
    const reply = await throughFault(call, progress.sent, progress);
    const { status, body } = reply;
    progress.validated = validatedReply(call, reply);
    const { outcome, logged } = judge(operation, call.judged, call, reply, progress.validated);
    // A body that is not JSON is logged by its size.
    const isUnread = logged.reply === undefined && body.length > 0;
    const read = isUnread ? { reply: omittedBody(body.length), notices: logged.notices } : logged;
    end(status, read, outcome.kind === 'accepted' ? undefined : `status ${status}`);
    return outcome as Outcome<T>;
  } catch (error) {
    const reason = reasonOf(error);
    end(null, { reply: null, notices: [reason] }, reason);
    // A failure before anything was sent is the sandbox's own, unless the call itself cannot be sent.
    const ours = oursOf(error) ?? (progress.isBegun || error instanceof NotMade ? undefined : 'not_sent');
    return { kind: 'no_answer', status: null, reason, ...(ours !== undefined && { ours }) };
  }
}

type Logged = Pick<CallSeen, 'reply' | 'replyBytes' | 'notices'>;

/** Returns the calling party: the reference client calls the platform, and the platform calls all others. */
function callerOf(called: Party): Party {
  return called === 'platform' ? 'client' : 'platform';
}

function spanEnd({ method, url }: CallOut, status: number | null, failure: string | undefined): SpanEnd {
  const attributes = {
    'http.request.method': method,
    'server.address': new URL(url).host,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  return { attributes, ...(failure !== undefined && { failure }) };
}

/** The progress of a call. */
interface Progress {
  /** The call to send; set once it is known to be sendable. */
  sent?: SentCall;
  /** Whether the call was handed to the connection or to its fault. */
  isBegun: boolean;
  via?: Outgoing['via'];
  reply?: HttpReply;
  /** Whether the reply is from the other party. */
  isOwnReply: boolean;
  validated?: ValidatedReply | undefined;
  /** Log notices about the call's fault. */
  readonly notices: string[];
}

/** Builds the call to send. Rejects if it cannot be sent; faults do not affect such a call. */
async function toBeSent(call: CallOut, trace: SentCall['headers']): Promise<SentCall> {
  const { operation, method, url, request, text, headers } = call;
  const body = text ?? (request === null ? undefined : JSON.stringify(request));
  const own = typeof headers === 'function' ? await headers() : headers;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = { operation, method, url, headers: { ...type, ...own, ...trace }, body };
  checkSendable(sent.headers);
  return sent;
}

/**
 * Validates a reply. Skips successes of the sandbox itself, which were validated before they were sent, unless a fault
 * changed them.
 */
function validatedReply(call: CallOut, reply: HttpReply): ValidatedReply | undefined {
  const { judged, operation, method, url, trace, request } = call;
  if (!('contract' in judged)) return undefined;
  if (call.outgoing().isToItself && reply.status < 300 && !hasFault(reply)) return undefined;
  return judged.contract.validate({ operation, method, url, trace, request, reply });
}

/**
 * Returns the validation result for the log. Omits it for the sandbox's own replies, which the serving side logs, and
 * for replies that a fault made.
 */
function foundIn(call: CallOut, { validated, isOwnReply }: Progress): Pick<CallSeen, 'validated'> {
  return validated === undefined || !isOwnReply || call.outgoing().isToItself ? {} : { validated };
}

/** Returns the connection type and the headers as sent and received. */
function wayOf({ sent, via, reply, isOwnReply }: Progress): Pick<CallSeen, 'requestHeaders' | 'replyHeaders' | 'via'> {
  return {
    requestHeaders: Object.entries(sent?.headers ?? {}),
    ...(reply !== undefined && isOwnReply && { replyHeaders: reply.headers }),
    ...(via !== undefined && { via }),
  };
}

/** Makes the call with its fault, if any. Rejects if there is no response. */
async function throughFault(call: CallOut, sent: SentCall, progress: Progress): Promise<HttpReply> {
  const { operation, request, circuit = operation } = call;
  const outgoing = call.outgoing();
  const { faults } = outgoing;
  const send = () => {
    progress.via = outgoing.via;
    return outgoing.send(circuit, sent);
  };
  const carriedOut = faults?.behind(operation);
  const met = await faults?.take(operation, request);
  try {
    progress.isBegun = true;
    if (met === undefined || faults === undefined) return received(await send(), outgoing, progress);
    // With these two faults, the reply is not the server's own, or is incomplete.
    progress.isOwnReply = met.fault !== 'status' && met.fault !== 'malformed';
    const faulty = { call, met, faults, patience: outgoing.patience, notices: progress.notices };
    return received(await sendFaulty(faulty, send), outgoing, progress);
  } finally {
    if (met !== undefined) progress.notices.push(`fault ${met.id}: ${met.fault}`);
    carriedOut?.();
  }
}

/**
 * Records a reply. Throws if the sandbox itself refused the call, because the other party has not replied. A refusal
 * that a fault requested is an ordinary reply.
 */
function received(reply: HttpReply, { isToItself }: Outgoing, progress: Progress): HttpReply {
  progress.reply = reply;
  if (reply.status === 503 && isToItself && !hasFault(reply)) {
    throw new Interrupted('broken_off', 'the sandbox cannot serve this call now');
  }
  return reply;
}

/** Returns whether a fault of the sandbox made or changed a reply. */
function hasFault({ headers }: HttpReply): boolean {
  return headers.some(([name]) => name === 'x-fault');
}

/** Sends a call; each invocation sends it again. Rejects if there is no reply. */
type Send = () => Promise<HttpReply>;

/** A call to another server that is subject to a fault (OP-115). */
interface FaultyCall {
  readonly call: CallOut;
  readonly met: MetFault;
  readonly faults: FaultPort;
  /** Maximum wait for a reply, in milliseconds. */
  readonly patience: number;
  /** Effects other than the reply, for the log. */
  readonly notices: string[];
}

/** Sends a call with its fault, and returns the resulting reply. Rejects if there is none. */
async function sendFaulty(faulty: FaultyCall, send: Send): Promise<HttpReply> {
  const { call, met, faults, patience, notices } = faulty;
  switch (met.fault) {
    case 'latency':
    // Responses are read completely, so dripping differs from latency only in timing.
    case 'drip': {
      const reply = await send();
      const late = met.ms ?? 0;
      await faults.wait(Math.min(late, patience));
      if (late >= patience) throw new DOMException('The call took too long.', 'TimeoutError');
      return reply;
    }
    case 'status':
      return injected(faulty);
    case 'reset':
      throw new Error('the connection was reset before anything was sent');
    case 'lost_reply': {
      const { status } = await send();
      throw new Error(`the response with status ${status} was lost`);
    }
    case 'malformed':
      return half(await send());
    case 'duplicate': {
      const [first] = await Promise.allSettled([send()]);
      const [repeat] = await Promise.allSettled([send()]);
      const outcome = repeat.status === 'fulfilled' ? `returned status ${repeat.value.status}` : 'received no response';
      notices.push(`the repeated call ${outcome}`);
      if (first.status === 'rejected') throw first.reason;
      return first.value;
    }
    case 'out_of_order':
      await faults.released(call.operation);
      return send();
  }
}

function injected({ call: { judged, operation }, met: { id, status: wanted, failure } }: FaultyCall): HttpReply {
  const status = wanted ?? 500;
  // Without a contract, only the status of the reply matters.
  const documented = 'contract' in judged ? operationOf(judged.contract, operation) : undefined;
  if (documented === undefined) return { status, headers: [], body: Buffer.alloc(0) };
  const named = failure === undefined ? undefined : { kind: failure, by: id };
  return withText(JSON.stringify(injectedReply(documented, clientEnvelope, status, named).body), status);
}

function half({ status, body }: HttpReply): HttpReply {
  const text = body.toString();
  // A status without a body cannot carry a malformed one.
  return withText(text.slice(0, Math.ceil(text.length / 2)) || '{', [204, 205, 304].includes(status) ? 200 : status);
}

/** Builds a JSON reply with a `content-length` header. */
function withText(text: string, status: number): HttpReply {
  const body = Buffer.from(text);
  const length = ['content-length', String(body.length)] as const;
  return { status, headers: [['content-type', 'application/json'], length], body };
}
