/** Assertions about answers, for use in probes. A failed assertion throws a `RequirementFailed` that contains the answer. */
import type { Finding } from '../conformance/finding.ts';
import { type Answer, objectIn } from './answer.ts';
import { Blocked, type Cause, type Evidence, inTime, RequirementFailed } from './verdict.ts';

/** Describes an answer for a message, such as `422 Token Invalid`, or the reason that there was none. */
export function describeAnswer({ status, body, problem, detail }: Answer): string {
  if (problem !== undefined || status === undefined) return `no response (${detail ?? problem ?? 'unknown'})`;
  const message = objectIn({ body }, 'data')?.message;
  // Remove the final period, because the text becomes part of a sentence.
  return typeof message === 'string' ? `${status} ${message.replace(/\.$/, '')}` : String(status);
}

/** Returns whether a call succeeded, according to its status. */
export function isSuccess({ status }: Answer): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Returns whether a call was refused, according to its status. */
export function isRefusal({ status }: Answer): boolean {
  return status !== undefined && status >= 400 && status < 500;
}

/** Asserts that an answer arrived in time. Throws `Blocked` if not, because another requirement covers response times. */
export function assertInTime({ problem }: Answer, what: string): void {
  if (problem === 'timeout') throw new Blocked(inTime, `${what} received no response in time.`);
}

/** Asserts that a call succeeded with any 2xx status, and returns its answer. Other requirements cover the body. */
export function assertSucceeded(answer: Answer, what: string, before: readonly Answer[] = [], cause?: Cause): Answer {
  if (isSuccess(answer)) return answer;
  assertInTime(answer, what);
  failStatus(`${what} failed`, '200', answer, { before, cause });
}

/**
 * Asserts that a request with every field of the contract succeeded, and returns its answer. If the server refused it, the
 * suggested change lists the sent fields and the server's response.
 */
export function assertComplete(answer: Answer, what: string, before: readonly Answer[] = [], cause?: Cause): Answer {
  if (!isRefusal(answer)) return assertSucceeded(answer, what, before);
  const sent = Object.keys(JSON.parse(answer.call.body?.toString('utf8') ?? '{}')).join(', ');
  const change = `Accept this request. It has every field of the contract: ${sent}. Your server returned ${describeAnswer(answer)}.`;
  failStatus(`${what} failed`, '200, because the request is complete', answer, { before, change, cause });
}

/** Asserts that a call was refused with any 4xx status, and returns its answer. */
export function assertRefused(answer: Answer, what: string, before: readonly Answer[] = []): Answer {
  if (isRefusal(answer)) return answer;
  assertInTime(answer, what);
  failStatus(`${what} was not refused`, 'a refusal, 4xx', answer, { before });
}

/** Returns the answer if a preparatory call succeeded. Otherwise throws `Blocked` with the requirement that covers the call. */
export function requireSuccess(answer: Answer, by: string, what: string): Answer {
  if (!isSuccess(answer)) throw new Blocked(by, `${what} was refused: ${describeAnswer(answer)}.`);
  return answer;
}

/** Returns the answer if a preparatory call was refused. Otherwise throws `Blocked` with the requirement that covers the refusal. */
export function requireRefusal(answer: Answer, by: string, what: string): Answer {
  if (!isRefusal(answer)) throw new Blocked(by, `${what} was not refused: ${describeAnswer(answer)}.`);
  return answer;
}

/** Asserts that a call was refused with a given status, and with a given message if one is stated. */
export function assertRefusedWith(answer: Answer, what: string, { status, why, message, cause }: Refusal): void {
  if (answer.status !== status)
    failStatus(`${what} was not refused with ${status}`, `${status}, because ${why}`, answer, { cause });
  const actual = objectIn(answer, 'data')?.message;
  if (message === undefined || actual === message) return;
  const pointer = '/body/data/message';
  const missing = actual === undefined ? replyCause('refusal', pointer) : undefined;
  failWith(`${what} has a different message than specified.`, pointer, message, valueText(actual), [answer], missing);
}

/** The expected refusal of a call. */
interface Refusal {
  readonly status: number;
  /** The reason, as a clause that follows `because`. */
  readonly why: string;
  readonly message?: string;
  /** The cause to report if the status is different. */
  readonly cause?: Cause;
}

/** Returns the cause of a violation in a reply. Violations in enclosing parts explain it. */
export function replyCause(reply: string, pointer: string): Cause {
  const parts = pointer.split('/').slice(1, -1);
  const above = parts.map((_, at) => `${reply} /${parts.slice(0, at + 1).join('/')}`);
  return { is: `${reply} ${pointer}`, explainedBy: above.toReversed() };
}

/** Options for validating a response against its contract. */
export interface Stated {
  /** Whether violations of assumptions also fail the assertion. */
  readonly assumed?: boolean;
  /** JSON pointer of the part to check, in the form that findings use. */
  readonly below?: string;
  /** The kind of reply, such as `refusal`, if several kinds can violate the contract in the same part. */
  readonly reply?: string;
}

/**
 * Asserts that a reply matches its contract: no finding of severity `error`, nor of `warning` if `assumed` is true.
 * Ignores findings of cross-field and date format rules, which have their own requirements.
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

/** The location of a violation, with the expected and the actual value. */
type Deviation = Pick<Finding, 'pointer' | 'expected' | 'actual'>;

/** The validator's expectation for a missing field. */
const required = 'is required';

/** Combines several missing fields of an object into one deviation. Returns `undefined` if at most one is missing. */
function withoutParts(first: Finding, others: readonly Finding[]): Deviation | undefined {
  const parentOf = ({ pointer }: Finding) => pointer.slice(0, pointer.lastIndexOf('/'));
  const parent = parentOf(first);
  const all = [first, ...others].filter((of) => of.expected === required && parentOf(of) === parent);
  if (first.expected !== required || all.length < 2) return undefined;
  const names = all.map(({ pointer }) => `\`${pointer.slice(parent.length + 1)}\``).join(', ');
  return { pointer: parent, expected: `must have ${names}`, actual: 'none of them' };
}

/** Returns the suggested change for a deviation. */
function changeOf({ pointer, expected, actual }: Deviation): string {
  const [, part = '', ...names] = pointer.split('/');
  const place = names.length > 0 ? `\`${names.join('.')}\` of the ${part}` : `the ${part}`;
  if (actual === 'none of them') return `Add ${expected.replace('must have ', '')} to ${place}.`;
  return actual === 'nothing' ? `Add ${place}.` : `Change ${place}: it ${ruleOf(expected)}, but ${foundWords(actual)}.`;
}

/** Describes the actual value, as a predicate for the name of the part. */
function foundWords(actual: string): string {
  if (actual === 'nothing') return 'is missing';
  return actual === 'none of them' ? 'has none of them' : `is ${actual}`;
}

/** Describes the expected value, as a predicate for the name of the part. `expected` is a rule or a value. */
function ruleOf(expected: string): string {
  return /^(is|must) /.test(expected) ? expected : `must be ${expected}`;
}

/** Asserts that a value equals the expected one. */
export function assertSame(
  actual: unknown,
  expected: unknown,
  { message, pointer, answers }: { message: string; pointer: string; answers: readonly Answer[] },
): void {
  if (!Object.is(actual, expected)) failWith(message, pointer, valueText(expected), valueText(actual), answers);
}

/** Fails the requirement. */
export function failWith(
  message: string,
  pointer: string,
  expected: string,
  actual: string,
  answers: readonly Answer[],
  cause?: Cause,
): never {
  throw new RequirementFailed({ message, pointer, expected, actual, answers, cause });
}

/** Fails the requirement because of the status of an answer, which is appended to the message. */
export function failStatus(
  message: string,
  expected: string,
  answer: Answer,
  { before = [], ...more }: Pick<Evidence, 'cause' | 'change'> & { readonly before?: readonly Answer[] } = {},
): never {
  const actual = describeAnswer(answer);
  const seen = { message: `${message}: ${actual}.`, pointer: '/status', expected, actual, ...more };
  throw new RequirementFailed({ ...seen, answers: [...before, answer] });
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
