/** What probes expect of answers. Each throws an Unmet that shows the answer, where it is not so. */
import type { Answer } from './answer.ts';
import { inTime } from './partner.ts';
import { Blocked, Unmet } from './verdict.ts';

/** Where a message says what an answer was: `422 Token Invalid`, or why there was none. */
export function wordsOf({ status, json, problem, detail }: Answer): string {
  if (problem !== undefined || status === undefined) return `no answer (${detail ?? problem ?? 'unknown'})`;
  const message = (json as { data?: { message?: unknown } } | null | undefined)?.data?.message;
  // It stands within a sentence.
  return typeof message === 'string' ? `${status} ${message.replace(/\.$/, '')}` : String(status);
}

/** Whether a call was carried out, by its status. */
export function isSuccess({ status }: Answer): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Whether a call was refused, by its status. */
export function isRefusal({ status }: Answer): boolean {
  return status !== undefined && status >= 400 && status < 500;
}

/** An answer came in time. Where it did not, only the requirement about that is not met: throws Blocked. */
export function cameInTime({ problem }: Answer, what: string): void {
  if (problem === 'timeout') throw new Blocked(inTime, `${what} was not answered in time.`);
}

/** The call was carried out: any 2xx. What its body says is for the requirements about shapes. */
export function carriedOut(answer: Answer, what: string, before: readonly Answer[] = []): void {
  if (isSuccess(answer)) return;
  cameInTime(answer, what);
  unmet(`${what} was not carried out: ${wordsOf(answer)}.`, '/status', '200', wordsOf(answer), [...before, answer]);
}

/** The call was refused: any 4xx. */
export function refused(answer: Answer, what: string, before: readonly Answer[] = []): void {
  if (isRefusal(answer)) return;
  cameInTime(answer, what);
  unmet(`${what} was not refused: ${wordsOf(answer)}.`, '/status', 'a refusal, 4xx', wordsOf(answer), [
    ...before,
    answer,
  ]);
}

/** The call was refused with this status, and this message where one is stated. */
export function refusedWith(answer: Answer, what: string, status: number, message?: string): void {
  if (answer.status !== status)
    unmet(`${what} was not refused with ${status}: ${wordsOf(answer)}.`, '/status', String(status), wordsOf(answer), [
      answer,
    ]);
  const data = (answer.json as { data?: { message?: unknown } } | null | undefined)?.data;
  if (message !== undefined && data?.message !== message)
    unmet(`${what} has another message than is stated.`, '/body/data/message', message, shown(data?.message), [answer]);
}

/** How a reply is held against its contract. */
interface Stated {
  /** Whether what was only assumed counts too. */
  readonly assumed?: boolean;
  /** JSON pointer of the one part that is meant, as findings have it. */
  readonly below?: string;
}

/** The reply is as the interface states it: no finding of weight `error`; with `assumed`, none of weight `warning` either. */
export function asStated(answer: Answer, what: string, { assumed = false, below = '' }: Stated = {}): void {
  const finding = answer.findings.find(
    ({ severity, pointer }) =>
      (severity === 'error' || (assumed && severity === 'warning')) && `${pointer}/`.startsWith(`${below}/`),
  );
  if (finding === undefined) return;
  const { pointer, expected, actual } = finding;
  throw new Unmet({
    message: `${what} is not as the contract says: ${pointer} is ${actual}, expected ${expected}.`,
    pointer,
    expected,
    actual,
    answers: [answer],
    finding,
  });
}

/** A value is the one that is expected. */
export function same(
  actual: unknown,
  expected: unknown,
  { message, pointer, answers }: { message: string; pointer: string; answers: readonly Answer[] },
): void {
  if (!Object.is(actual, expected)) unmet(message, pointer, shown(expected), shown(actual), answers);
}

/** Says that a requirement is not met. */
export function unmet(
  message: string,
  pointer: string,
  expected: string,
  actual: string,
  answers: readonly Answer[],
): never {
  throw new Unmet({ message, pointer, expected, actual, answers });
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
