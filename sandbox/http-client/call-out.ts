import type { Activity, CallSeen } from '../activity-log/activity.ts';
import type { Party } from '../activity-log/activity-entry.ts';
import { omittedBody } from '../activity-log/entry-size.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import { namesOf, type SpanEnd, type Spans } from '../runtime/spans.ts';
import { checkSendable, Interrupted, NotMade, oursOf } from './connections.ts';
import type { SentCall, WholeReply } from './exchange.ts';
import { isOwnReply, type Send, sendFaulty } from './faulty-call.ts';
import { type Outgoing, reasonOf } from './outgoing.ts';
import { type Judged, judge, type Outcome, type RawReply, type RefusalRules, type ValidatedReply } from './reply.ts';

/** One call to another party: its log entry, its connection, and how its reply is checked. */
export interface CallOut extends RefusalRules {
  readonly operation: string;
  readonly party: Party;
  readonly trace: string;
  readonly method: string;
  /** The whole address, as the log shows it. */
  readonly url: string;
  /** The body, as the log shows it; null if there is none. */
  readonly request: unknown;
  /** The same as it is sent; left out, as JSON. */
  readonly text?: string;
  /** Headers in addition to the trace, which every call has, and the media type of JSON. */
  readonly headers?: Headers | (() => Promise<Headers>);
  readonly outgoing: () => Outgoing;
  /** Whose failures count together; left out, those of the operation (OP-61). */
  readonly circuit?: string;
  readonly judged: Judged;
}

type Headers = SentCall['headers'];

/** Records a call: the activity log and the spans of the workspace. */
export interface CallRecorder {
  readonly activity: Activity;
  readonly spans: Spans;
}

/**
 * Makes a call to another party, as all are made: under its trace, with the fault that was set for it, judged, and
 * logged once in the activity log, whatever the outcome. Never rejects. `T` is what the operation's contract says of a
 * success.
 */
export async function callOut<T>({ activity, spans }: CallRecorder, call: CallOut): Promise<Outcome<T>> {
  const { operation, party, trace, method, url, request } = call;
  const span = spans.begin({ name: operation, kind: 'client', party: callerOf(party), trace });
  const seen = {
    kind: 'call_out',
    began: activity.now(),
    ...namesOf(span),
    trace,
    party,
    method,
    url,
    operation,
    request,
  } as const;
  const faultNotices: string[] = [];
  const met: Met = { sent: undefined, begun: false, response: undefined, own: true, validated: undefined };
  try {
    met.sent = await toBeSent(call, span.headers);
    const response = await throughFault(call, met.sent, faultNotices, met);
    met.validated = validatedReply(call, response);
    const { outcome, logged } = judge(operation, call.judged, call, response, met.validated);
    const { notices, ...read } = logged;
    // What is no JSON was there all the same.
    const reply =
      read.reply === undefined && response.text !== ''
        ? { reply: omittedBody(response.bytes || response.text.length) }
        : read;
    void activity.call({
      ...seen,
      status: response.status,
      ...reply,
      notices: [...notices, ...faultNotices],
      ...headersOf(met),
      ...foundIn(call, met),
    });
    span.end(endOf(call, response.status, outcome.kind === 'accepted' ? undefined : `status ${response.status}`));
    return outcome as Outcome<T>;
  } catch (error) {
    const reason = reasonOf(error);
    void activity.call({
      ...seen,
      status: null,
      reply: null,
      notices: [reason, ...faultNotices],
      ...headersOf(met),
      ...foundIn(call, met),
    });
    span.end(endOf(call, null, reason));
    // What failed before anything could be sent failed here, unless the call itself cannot be sent.
    const ours = oursOf(error) ?? (met.begun || error instanceof NotMade ? undefined : 'not_sent');
    return { kind: 'no_answer', status: null, reason, ...(ours !== undefined && { ours }) };
  }
}

/** The party that makes the call: the reference client calls the platform, and the platform calls all others. */
function callerOf(called: Party): Party {
  return called === 'platform' ? 'client' : 'platform';
}

function endOf({ method, url }: CallOut, status: number | null, failure: string | undefined): SpanEnd {
  const attributes = {
    'http.request.method': method,
    'server.address': new URL(url).host,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  return { attributes, ...(failure !== undefined && { failure }) };
}

/** What a call met so far. */
interface Met {
  /** What was to be sent; undefined before it was clear that it can be. */
  sent: SentCall | undefined;
  /** Whether it was handed to the connection, or to its fault. */
  begun: boolean;
  response: RawReply | undefined;
  /** Whether the reply came from the other side. */
  own: boolean;
  validated: ValidatedReply | undefined;
}

/** The call as it goes out. Rejects where it cannot: then it meets no fault either. */
async function toBeSent(
  { method, url, request, text, headers }: CallOut,
  trace: SentCall['headers'],
): Promise<SentCall> {
  const body = text ?? (request === null ? undefined : JSON.stringify(request));
  const own = typeof headers === 'function' ? await headers() : headers;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = { method, url, headers: { ...type, ...own, ...trace }, body };
  checkSendable(sent.headers);
  return sent;
}

/**
 * What validation finds in a reply. A success of the sandbox itself was validated before it was sent, unless a fault changed it
 * there.
 */
function validatedReply(call: CallOut, reply: RawReply): ValidatedReply | undefined {
  const { judged, operation, method, url, trace, request } = call;
  if (!('contract' in judged)) return undefined;
  if (call.outgoing().isToItself && reply.status < 300 && !hasFault(reply)) return undefined;
  return judged.contract.validate({ operation, method, url, trace, request, reply });
}

/** Findings for the log. The sandbox's own replies are logged where they were sent, and a fault's reply has no sender. */
function foundIn(call: CallOut, { validated, own }: Met): Pick<CallSeen, 'validated'> {
  return validated === undefined || !own || call.outgoing().isToItself ? {} : { validated };
}

/** The headers as they went over the wire. */
function headersOf({ sent, response, own }: Met): Pick<CallSeen, 'requestHeaders' | 'replyHeaders'> {
  const requestHeaders = Object.entries(sent?.headers ?? {});
  return response === undefined || !own ? { requestHeaders } : { requestHeaders, replyHeaders: response.headers };
}

/** Makes the call with its fault, if any, and adds notices for the log to `faultNotices`. */
async function throughFault(call: CallOut, sent: SentCall, faultNotices: string[], seen: Met): Promise<RawReply> {
  const { operation, request, judged } = call;
  const outgoing = call.outgoing();
  const { faults, patience } = outgoing;
  const carriedOut = faults?.behind(operation);
  const met = await faults?.take(operation, request);
  try {
    if (met === undefined || faults === undefined) return await exchange(call, outgoing, sent, seen);
    seen.own = isOwnReply(met);
    const contract = 'contract' in judged ? judged.contract : undefined;
    const meeting = { met, faults, patience, operation: documented(contract, operation), operationId: operation };
    const through = (once: Send) => sendFaulty({ ...meeting, tell: (notice) => faultNotices.push(notice) }, once);
    return await exchange(call, outgoing, sent, seen, through);
  } finally {
    if (met !== undefined) faultNotices.push(`fault ${met.id}: ${met.fault}`);
    carriedOut?.();
  }
}

function documented(contract: LoadedContract | undefined, operation: string) {
  return contract?.operations.find(({ operationId }) => operationId === operation);
}

/**
 * Sends a call, through a fault if there is one, and returns its response, recorded in `seen`. Rejects if there is
 * none.
 */
async function exchange(
  { operation, circuit = operation }: CallOut,
  outgoing: Outgoing,
  sent: SentCall,
  seen: Met,
  through: (once: Send) => ReturnType<Send> = (once) => once(),
): Promise<RawReply> {
  seen.begun = true;
  const { status, headers, body } = await through(() => outgoing.send(circuit, sent));
  const empty = status === 204 || (body.length === 0 && !isChunked(headers));
  seen.response = { status, text: utf8.decode(body), bytes: body.length, empty, headers };
  // A refusal of the sandbox itself is no reply of the other party, unless a fault asked for it.
  if (status === 503 && outgoing.isToItself && !hasFault(seen.response)) {
    throw new Interrupted('broken_off', 'the sandbox cannot serve this call now');
  }
  return seen.response;
}

/** Whether a fault of the sandbox made or changed a reply. */
function hasFault({ headers }: RawReply): boolean {
  return headers.some(([name]) => name === 'x-fault');
}

function isChunked(headers: WholeReply['headers']): boolean {
  return headers.some(([name, value]) => name === 'transfer-encoding' && value.includes('chunked'));
}

/** Leaves a byte order mark out, as readers of JSON do. */
const utf8 = new TextDecoder();
