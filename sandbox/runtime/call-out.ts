import type { Activity, Party } from './activity.ts';
import { type Outgoing, reasonOf } from './outgoing.ts';
import type { SeededRandom } from './random.ts';
import { type CameBack, type Judged, judge, type Outcome, type RefusalRules } from './reply.ts';
import { checkSendable } from './sendable.ts';

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
 * Makes a call to another party, as all are made: under its trace, judged, and noted in the activity log once, whatever
 * came of it. Never rejects.
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
  try {
    // A generated client would tell the value of a header that cannot be sent.
    checkSendable(headers);
    const came = await exchange(call, headers, send);
    const { outcome, noted } = judge(operation, call.judged, call, came);
    activity.call({ ...seen, status: came.status, ...noted });
    return outcome as Outcome<T>;
  } catch (error) {
    const reason = reasonOf(error);
    activity.call({ ...seen, status: null, reply: null, notices: [reason] });
    return { kind: 'no_answer', status: null, reason };
  }
}

/** Sends a call and takes its reply as it came. Rejects when there is none. */
async function exchange(
  { operation, circuit = operation, outgoing }: CallOut,
  headers: Way['headers'],
  send: (way: Way) => Promise<unknown>,
): Promise<CameBack> {
  const { fetch, Request } = outgoing().options(circuit);
  let came: Response | undefined;
  const kept: typeof fetch = async (request, init) => {
    came = await fetch(request, init);
    // It is read here, and once: the client is told that there is nothing to read.
    return new Response(null, { status: 204 });
  };
  await send({ fetch: kept, Request, headers });
  if (came === undefined) throw new Error('nothing was sent');
  const { status, headers: told } = came;
  const bytes = Number(told.get('content-length'));
  const chunked = told.get('transfer-encoding')?.includes('chunked') === true;
  return { status, text: await came.text(), bytes, empty: status === 204 || (bytes === 0 && !chunked) };
}
