/**
 * What the client deducts for an order, line by line, before the order stands (G13, B7; OP-07, OP-23, OP-24). It is
 * requested line by line, up to the first that it does not accept.
 */
import type { Answer, NotAccepted, PlatformFailure } from './failures.ts';

/** How often a deduction is tried within one order call (OP-24). */
const mostTries = 3;

/** How far the client went along with an order. */
export interface Deductions {
  /** The client's answer to the last requested line. */
  readonly answer: Answer;
  /** The codes of lines that the client has deducted, or may have. */
  readonly touched: readonly string[];
  /** Points that it has deducted for sure. */
  readonly deducted: number;
}

/** Before the first request to the client. */
export const noDeductions: Deductions = { answer: { kind: 'accepted', body: undefined }, touched: [], deducted: 0 };

/** Whether to retry a deduction with the same code after this many attempts (OP-23). */
export function asksAgain(answer: Answer, tries: number): boolean {
  return answer.kind === 'no_answer' && answer.ours === undefined && tries < mostTries;
}

/** How far the client went along once it answered for one more line, at the last of `tries`. */
export function recordDeduction(
  before: Deductions,
  line: { readonly redeemCode: string; readonly points: number },
  answer: Answer,
  tries: number,
): Deductions {
  // An earlier try without an answer may still arrive: such a line is reported too.
  const isUntouched = answer.kind === 'refused' || (answer.kind === 'no_answer' && answer.ours === 'not_sent');
  const maybe = !isUntouched || tries > 1;
  return {
    answer,
    touched: maybe ? [...before.touched, line.redeemCode] : before.touched,
    deducted: before.deducted + (answer.kind === 'accepted' ? line.points : 0),
  };
}

/** The name of a client that gives no usable response, for the caller of an order and the remark of its lines. */
export const noUsableAnswer = 'No usable response from the client';

/** What a refusal of the client's is called, to the caller of an order and in the remark of its lines. */
export function refusedByClient(message: string): string {
  return `Refused by the client: ${message}`;
}

/** The error that a caller gets when the client did not accept the order, or another call. */
export function clientSaysNo<A extends NotAccepted>(answer: A): ClientSaysNo<A> {
  return saysNo(answer) as ClientSaysNo<A>;
}

type Refused = Extract<PlatformFailure, { kind: 'refused_by_client' }>;
type Unanswered = Extract<PlatformFailure, { kind: 'client_no_answer' }>;
type ClientSaysNo<A extends NotAccepted> = A extends { readonly kind: 'refused' } ? Refused : Unanswered;

function saysNo(answer: NotAccepted): Refused | Unanswered {
  if (answer.kind === 'refused') return { kind: 'refused_by_client', message: answer.message };
  const { reason, ours } = answer;
  return { kind: 'client_no_answer', reason, ...(ours !== undefined && { ours }) };
}

/** What an order is called whose call ended before it was placed, in the remark of its lines. */
export const cutOff = 'The order was interrupted before it was placed';

/** Why the lines of a failed order were rejected, for their remark. */
export function remarkOf(answer: NotAccepted): string {
  if (answer.kind === 'refused') return refusedByClient(answer.message);
  return answer.ours === undefined ? noUsableAnswer : cutOff;
}
