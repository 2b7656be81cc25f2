/** What a probe ends with where its requirement does not simply hold. A probe that returns has passed. */
import type { components } from '../../generated/sandbox/types.ts';
import type { Answers } from '../conformance/answers.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Answer } from './answer.ts';
import type { Requirement } from './requirement.ts';

export type VerdictWord = components['schemas']['VerdictWord'];
export type Report = components['schemas']['CertificationReport'];
export type RequirementVerdict = components['schemas']['RequirementVerdict'];
export type Failure = components['schemas']['CertificationFailure'];
/** Reads the code that the server sent. Rejects with MissingInput if it cannot be read, with Blocked where none came. */
export type ReadCode = (sent: { readonly customer_id: string; readonly reference_id: string }) => Promise<string>;

/** The options of a run. Within a process, codes can also come from a function, and open points can be answered. */
export type Input = components['schemas']['CertificationInput'] & {
  readonly client_url: string;
  /** What the other side has answered to open points: an agreed point counts as a stated one. */
  readonly answers?: Answers;
  readonly otp?: { readonly read?: ReadCode };
};

/** What was seen where a requirement does not hold. */
export interface Evidence {
  /** What was wrong, in one sentence. */
  readonly message: string;
  /** As findings have it, such as `/body/status`; `/balance` for the balances. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The calls that show it, the deciding one last. */
  readonly answers: readonly Answer[];
  /** What the validator found, where it is its finding. */
  readonly finding?: Finding;
  /** What to change, where what was seen says more than the requirement does. */
  readonly change?: string | undefined;
  readonly cause?: Cause | undefined;
}

/** A mistake of the server, in words that are the same wherever it is seen. */
export interface Cause {
  readonly is: string;
  /** Mistakes that explain this one, where they are seen as well. */
  readonly explainedBy?: readonly string[];
}

/** The requirement does not hold: `fail`. */
export class RequirementFailed extends Error {
  readonly seen: Evidence;

  constructor(seen: Evidence) {
    super(seen.message);
    this.seen = seen;
  }
}

/** The requirement cannot be tested, since the probe did not get what it needs: `blocked`. */
export class Blocked extends Error {
  /** What the probe needed and did not get: requirements, any of which can be the reason, the likeliest first. */
  readonly needed: readonly string[];

  constructor(needed: string | readonly string[], message: string) {
    super(message);
    this.needed = typeof needed === 'string' ? [needed] : needed;
  }
}

/** The server did not answer a call in time: tested by one requirement alone, on which all others hang. */
export class Silent extends Blocked {
  readonly answer: Answer;

  constructor(by: string, message: string, answer: Answer) {
    super(by, message);
    this.answer = answer;
  }
}

/** The server has nothing that the requirement is about, or it cannot be seen from outside: `not_applicable`. */
export class NotApplicable extends Error {}

/** An input that the requirement needs is missing: `not_selected`. */
export class MissingInput extends Error {
  /** What to add to `certify` so that it is tested, such as `--sandbox URL`. */
  readonly option: string | null;

  constructor(message: string, option: string | null = null) {
    super(message);
    this.option = option;
  }
}

/** The run is being ended. */
export class Interrupted extends Error {}

/** A verdict of a requirement. */
export function verdictOf(
  { id, title, group, operation, aspect, basis, answer, level }: Requirement,
  verdict: RequirementVerdict['verdict'],
  reason: string | null = null,
  { option = null, blockedBy = null }: { readonly option?: string | null; readonly blockedBy?: string | null } = {},
): RequirementVerdict {
  const rests = { basis, ...(answer !== undefined && { answer }) };
  return { id, title, group, operation, aspect, ...rests, level, verdict, reason, option, blocked_by: blockedBy };
}

/** The verdict of a probe that did not return. */
export function verdictOfError(
  requirement: Requirement,
  error: Error,
  hide: (text: string) => string,
): RequirementVerdict {
  if (error instanceof RequirementFailed) return verdictOf(requirement, 'fail');
  const reason = hide(error.message);
  if (error instanceof Blocked)
    return verdictOf(requirement, 'blocked', reason, { blockedBy: error.needed[0] ?? null });
  if (error instanceof NotApplicable) return verdictOf(requirement, 'not_applicable', reason);
  if (error instanceof MissingInput) return verdictOf(requirement, 'not_selected', reason, { option: error.option });
  return verdictOf(requirement, 'suite_error', reason);
}
