import type { PlatformFailure } from '../domain/failures.ts';
import type { Line } from './books.ts';
import type { ClientAnswer } from './client-reply.ts';
import type { Asker, Contact, Dialect } from './dialects.ts';

/** How often a deduction is tried within one order call (OP-24). */
const deductionTries = 3;

/** How far the client went along with an order. */
export interface Taken {
  /** The client's answer to the last line that was sent. */
  readonly answer: ClientAnswer;
  /** Lines that the client has deducted, or may have. */
  readonly touched: readonly Line[];
  /** Points that it has deducted for sure. */
  readonly deducted: number;
}

/** Has the client deduct the lines one after the other, up to the first that it does not accept. */
export async function deductAll(
  dialect: Dialect,
  asker: Asker,
  lines: readonly Line[],
  contact: Contact,
): Promise<Taken> {
  const touched: Line[] = [];
  let deducted = 0;
  let answer: ClientAnswer = { kind: 'accepted', body: undefined };
  for (const line of lines) {
    const asked = await deduct(dialect, asker, line, contact);
    answer = asked.answer;
    // A try without an answer may still arrive after a refusal: such a line is reported too.
    if (answer.kind !== 'refused' || asked.tries > 1) touched.push(line);
    if (answer.kind !== 'accepted') break;
    deducted += line.points.totalPointWithProcessingFee;
  }
  return { answer, touched, deducted };
}

/** Asks for one deduction, again with the same code while no answer comes (OP-23). */
async function deduct(dialect: Dialect, asker: Asker, line: Line, contact: Contact) {
  let answer = await dialect.deduct(asker, line, contact);
  let tries = 1;
  for (; tries < deductionTries && answer.kind === 'no_answer'; tries += 1) {
    answer = await dialect.deduct(asker, line, contact);
  }
  return { answer, tries };
}

/** What the caller of the order hears when the client does not go along. */
export function clientSaysNo(
  answer: Exclude<ClientAnswer, { kind: 'accepted' }>,
): Extract<PlatformFailure, { kind: 'refused_by_client' | 'client_no_answer' }> {
  return answer.kind === 'refused'
    ? { kind: 'refused_by_client', message: answer.message }
    : { kind: 'client_no_answer' };
}

/** Why the lines of a failed order were rejected, for their remark. */
export function remarkOf(answer: ClientAnswer): string {
  return answer.kind === 'refused' ? `Refused by the client: ${answer.message}` : 'The client did not answer';
}
