/** What probes expect of answers. Each throws a `RequirementFailed` with the answer if it does not hold. */
import type { Finding } from '../conformance/finding.ts';
import { type Answer, jsonOf } from './answer.ts';
import { inTime } from './partner.ts';
import { Blocked, type Cause, type Evidence, RequirementFailed } from './verdict.ts';

/** Where a message says what an answer was: `422 Token Invalid`, or why there was none. */
export function describeAnswer({ status, body, problem, detail }: Answer): string {
  if (problem !== undefined || status === undefined) return `no response (${detail ?? problem ?? 'unknown'})`;
  const message = (jsonOf({ body }) as { data?: { message?: unknown } } | null | undefined)?.data?.message;
  // It is part of a sentence.
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
export function assertInTime({ problem }: Answer, what: string): void {
  if (problem === 'timeout') throw new Blocked(inTime, `${what} received no response in time.`);
}

/** The call was carried out: any 2xx. What its body says is for the requirements about shapes. */
export function assertSucceeded(answer: Answer, what: string, before: readonly Answer[] = [], cause?: Cause): void {
  if (isSuccess(answer)) return;
  assertInTime(answer, what);
  failStatus(`${what} failed`, '200', answer, { before, cause });
}

/**
 * A request with every field of the contract was carried out. Where it was refused, what to change names the fields that
 * were sent and what the server said.
 */
export function assertComplete(answer: Answer, what: string, { before = [], cause }: Carried = {}): void {
  if (isSuccess(answer) || !isRefusal(answer)) return assertSucceeded(answer, what, before);
  failStatus(`${what} failed`, '200, because the request is complete', answer, {
    before,
    change: `Accept this request. It has every field of the contract: ${fieldsOf(answer)}. Your server returned ${describeAnswer(answer)}.`,
    cause: cause === undefined ? undefined : { is: cause },
  });
}

interface Carried {
  /** Earlier calls that the failure shows too. */
  readonly before?: readonly Answer[];
  /** The mistake that other requirements detect as well. */
  readonly cause?: string;
}

/** The names of the fields that a call sent. */
function fieldsOf({ call }: Answer): string {
  return Object.keys(JSON.parse(call.body?.toString('utf8') ?? '{}')).join(', ');
}

/** The call was refused: any 4xx. */
export function assertRefused(answer: Answer, what: string, before: readonly Answer[] = []): void {
  if (isRefusal(answer)) return;
  assertInTime(answer, what);
  failStatus(`${what} was not refused`, 'a refusal, 4xx', answer, { before });
}

/** Returns the answer to a call that was carried out as a step. Throws Blocked, with the requirement that it is, for any other. */
export function requireSuccess(answer: Answer, by: string, what: string): Answer {
  if (!isSuccess(answer)) throw new Blocked(by, `${what} was refused: ${describeAnswer(answer)}.`);
  return answer;
}

/** Returns the answer to a call that was refused as a step. Throws Blocked, with the requirement that it is, for any other. */
export function requireRefusal(answer: Answer, by: string, what: string): Answer {
  if (!isRefusal(answer)) throw new Blocked(by, `${what} was not refused: ${describeAnswer(answer)}.`);
  return answer;
}

/** The call was refused with this status, and this message where one is stated. */
export function assertRefusedWith(answer: Answer, what: string, { status, why, message, cause }: Refusal): void {
  if (answer.status !== status)
    failStatus(`${what} was not refused with ${status}`, `${status}, because ${why}`, answer, { cause });
  const data = (jsonOf(answer) as { data?: { message?: unknown } } | null | undefined)?.data;
  if (message === undefined || data?.message === message) return;
  const pointer = '/body/data/message';
  throw new RequirementFailed({
    message: `${what} has a different message than specified.`,
    pointer,
    expected: message,
    actual: valueText(data?.message),
    answers: [answer],
    cause: data?.message === undefined ? replyCause('refusal', pointer) : undefined,
  });
}

/** How a call has to be refused. */
interface Refusal {
  readonly status: number;
  /** Why, behind `because`. */
  readonly why: string;
  readonly message?: string;
  /** The mistake that another status shows. */
  readonly cause?: Cause;
}

/** What is wrong with a part of a reply: a part above it that is wrong explains it. */
export function replyCause(reply: string, pointer: string): Cause {
  const parts = pointer.split('/').slice(1, -1);
  const above = parts.map((_, at) => `${reply} /${parts.slice(0, at + 1).join('/')}`);
  return { is: `${reply} ${pointer}`, explainedBy: above.toReversed() };
}

/** How to validate a response against its contract. */
interface Stated {
  /** Whether what was only assumed counts too. */
  readonly assumed?: boolean;
  /** JSON pointer of the one part that is meant, as findings have it. */
  readonly below?: string;
  /** What kind of reply it is, where the same part can be wrong in several: `refusal`. */
  readonly reply?: string;
}

/**
 * The reply is as its contract says: no finding of weight `error`; with `assumed`, none of weight `warning` either. What rules over
 * several fields or over the form of a date find has requirements of its own.
 */
export function assertShape(answer: Answer, what: string, { assumed = false, below = '', reply }: Stated = {}): void {
  const [finding, ...others] = answer.findings.filter(
    ({ code, severity, pointer }) =>
      !code.includes('.rule.') &&
      (severity === 'error' || (assumed && severity === 'warning')) &&
      `${pointer}/`.startsWith(`${below}/`),
  );
  if (finding === undefined) return;
  const { pointer, expected, actual } = withoutParts(finding, others) ?? finding;
  throw new RequirementFailed({
    message: `${what} violates the contract: ${pointer} ${ruleOf(expected)}, but ${foundWords(actual)}.`,
    pointer,
    expected,
    actual,
    answers: [answer],
    finding,
    change: changeOf({ pointer, expected, actual }),
    cause: reply === undefined ? undefined : replyCause(reply, pointer),
  });
}

/** What was found, and what was expected there. */
type Deviation = Pick<Finding, 'pointer' | 'expected' | 'actual'>;

/** What the validator expects of a field that is missing. */
const required = 'is required';

/** Several fields missing from one object, as one deviation of the object; undefined if no more than one is missing. */
function withoutParts(first: Finding, others: readonly Finding[]): Deviation | undefined {
  const parentOf = ({ pointer }: Finding) => pointer.slice(0, pointer.lastIndexOf('/'));
  const parent = parentOf(first);
  const all = [first, ...others].filter((of) => of.expected === required && parentOf(of) === parent);
  if (first.expected !== required || all.length < 2) return undefined;
  const names = all.map(({ pointer }) => `\`${pointer.slice(parent.length + 1)}\``).join(', ');
  return { pointer: parent, expected: `must have ${names}`, actual: 'none of them' };
}

/** What to change in a reply, by what the validator found in it. */
function changeOf({ pointer, expected, actual }: Deviation): string {
  const [, part = '', ...names] = pointer.split('/');
  const place = names.length > 0 ? `\`${names.join('.')}\` of the ${part}` : `the ${part}`;
  if (actual === 'none of them') return `Add ${expected.replace('must have ', '')} to ${place}.`;
  return actual === 'nothing' ? `Add ${place}.` : `Change ${place}: it ${ruleOf(expected)}, but ${foundWords(actual)}.`;
}

/** What was found there, after the name of the part. */
function foundWords(actual: string): string {
  if (actual === 'nothing') return 'is missing';
  return actual === 'none of them' ? 'has none of them' : `is ${actual}`;
}

/** What the contract expects, after the name of the part: a rule such as `must be an integer`, or a value. */
function ruleOf(expected: string): string {
  return /^(is|must) /.test(expected) ? expected : `must be ${expected}`;
}

/** A value is the one that is expected. */
export function assertSame(
  actual: unknown,
  expected: unknown,
  { message, pointer, answers }: { message: string; pointer: string; answers: readonly Answer[] },
): void {
  if (!Object.is(actual, expected)) failWith(message, pointer, valueText(expected), valueText(actual), answers);
}

/** Says that a requirement is not met. */
export function failWith(
  message: string,
  pointer: string,
  expected: string,
  actual: string,
  answers: readonly Answer[],
): never {
  throw new RequirementFailed({ message, pointer, expected, actual, answers });
}

/** Says that a requirement is not met, as the status of an answer shows, which ends the message. */
export function failStatus(
  message: string,
  expected: string,
  answer: Answer,
  { before = [], ...more }: Pick<Evidence, 'cause' | 'change'> & { readonly before?: readonly Answer[] } = {},
): never {
  const actual = describeAnswer(answer);
  const answers = [...before, answer];
  throw new RequirementFailed({
    message: `${message}: ${actual}.`,
    pointer: '/status',
    expected,
    actual,
    answers,
    ...more,
  });
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
