/** Verdicts, and the errors that probes throw for any verdict except `pass`. A probe that returns has passed. */
import type { components } from '../../generated/sandbox/types.ts';
import type { Answers } from '../conformance/answers.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Answer } from './answer.ts';
import type { Requirement } from './requirement.ts';

/** The id of the requirement that answers arrive in time. */
export const inTime = 'ROB-01';

export type VerdictWord = components['schemas']['VerdictWord'];
export type Report = components['schemas']['CertificationReport'];
export type RequirementVerdict = components['schemas']['RequirementVerdict'];
export type Failure = components['schemas']['CertificationFailure'];
/** A function that reads a sent code. Rejects with `MissingInput` if it cannot be read, and with `Blocked` if none arrived. */
export type ReadCode = (sent: { readonly customer_id: string; readonly reference_id: string }) => Promise<string>;

/** The options of a run. In-process callers can also pass a function that reads codes, and answers to open points. */
export type Input = components['schemas']['CertificationInput'] & {
  readonly client_url: string;
  /** The other party's answers to open points. An agreed point counts as stated. */
  readonly answers?: Answers;
  readonly otp?: { readonly read?: ReadCode };
};

/** The evidence that a requirement is not met. */
export interface Evidence {
  /** A description of the violation, in one sentence. */
  readonly message: string;
  /** The location in the form that findings use, such as `/body/status`, or `/balance` for balances. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The calls that prove the violation. The deciding call is the last. */
  readonly answers: readonly Answer[];
  /** The validator's finding, if it detected the violation. */
  readonly finding?: Finding;
  /** A suggested change that is more specific than that of the requirement. */
  readonly change?: string | undefined;
  readonly cause?: Cause | undefined;
}

/** A mistake in the server. All requirements that detect it use the same text. */
export interface Cause {
  readonly is: string;
  /** Other mistakes that explain this one if they are detected too. */
  readonly explainedBy?: readonly string[];
}

/** The error for a requirement that is not met. Its verdict is `fail`. */
export class RequirementFailed extends Error {
  readonly seen: Evidence;

  constructor(seen: Evidence) {
    super(seen.message);
    this.seen = seen;
  }
}

/** The error for a requirement that cannot be tested because another one is not met. Its verdict is `blocked`. */
export class Blocked extends Error {
  /** The ids of requirements that may have blocked the probe, most likely first. */
  readonly needed: readonly string[];

  constructor(needed: string | readonly string[], message: string) {
    super(message);
    this.needed = typeof needed === 'string' ? [needed] : needed;
  }
}

/** The error for a call without an answer in time. A single requirement covers response times and blocks all others. */
export class Silent extends Blocked {
  readonly answer: Answer;

  constructor(by: string, message: string, answer: Answer) {
    super(by, message);
    this.answer = answer;
  }
}

/** The error for a requirement that does not apply to the server. Its verdict is `not_applicable`. */
export class NotApplicable extends Error {}

/** The error for a requirement whose input is missing. Its verdict is `not_selected`. */
export class MissingInput extends Error {
  /** The option of `certify` that provides the input, such as `--sandbox URL`. */
  readonly option: string | null;

  constructor(message: string, option: string | null = null) {
    super(message);
    this.option = option;
  }
}

/** Returns a handler of rejections that returns errors of a class, and throws others. */
export function returnIf<E extends Error>(kind: new (...values: never[]) => E) {
  return (error: unknown): E => {
    if (error instanceof kind) return error;
    throw error;
  };
}

/** The error for a run that is being stopped. */
export class Interrupted extends Error {}

/** Builds the verdict of a requirement. */
export function verdictOf(
  { id, title, group, operation, aspect, basis, answer, level }: Requirement,
  verdict: RequirementVerdict['verdict'],
  found: Partial<Pick<RequirementVerdict, 'reason' | 'option' | 'blocked_by'>> = {},
): RequirementVerdict {
  const rests = { basis, ...(answer !== undefined && { answer }) };
  const { reason = null, option = null, blocked_by = null } = found;
  return { id, title, group, operation, aspect, ...rests, level, verdict, reason, option, blocked_by };
}

/** Builds the verdict of a probe that threw an error. Masks secrets in the reason with `hide`. */
export function verdictOfError(requirement: Requirement, error: Error, hide: (text: string) => string) {
  if (error instanceof RequirementFailed) return verdictOf(requirement, 'fail');
  const reason = hide(error.message);
  if (error instanceof Blocked)
    return verdictOf(requirement, 'blocked', { reason, blocked_by: error.needed[0] ?? null });
  if (error instanceof NotApplicable) return verdictOf(requirement, 'not_applicable', { reason });
  if (error instanceof MissingInput) return verdictOf(requirement, 'not_selected', { reason, option: error.option });
  return verdictOf(requirement, 'suite_error', { reason });
}
