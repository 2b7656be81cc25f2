/** Runs the certification suite against a partner's server. Produces a report regardless of how the server behaves. */

import { answersDigest } from '../conformance/answers.ts';
import { SeededRandom } from '../runtime/ids.ts';
import type { Call } from './answer.ts';
import { findCauses, type SeenFailure } from './causes.ts';
import { failure } from './failure.ts';
import type { Partner } from './partner.ts';
import { begin, callsToBegin, EnvironmentError, OpeningBalances, unreadableCodes } from './preflight.ts';
import { ProbeContext } from './probe-context.ts';
import { locks } from './probes/otp-guessing.ts';
import { probes } from './probes/probes.ts';
import { afterExpiry } from './probes/tokens-sent.ts';
import { reportOf } from './report.ts';
import { answered, loadRequirements, type Requirement, type Requirements } from './requirement.ts';
import { RunConnections } from './run-connections.ts';
import { type CertifyParts, endingWith, mostCalls, mostRepeats, shuffle } from './run-plan.ts';
import { type LeftOut, leftOut } from './selection.ts';
import {
  Blocked,
  Interrupted,
  inTime,
  type Report,
  RequirementFailed,
  type RequirementVerdict,
  verdictOf,
  verdictOfError,
} from './verdict.ts';

/** Certifies a server. Throws an `EditionError` if the edition does not exist. Server behaviour never causes a rejection. */
export function certify(parts: CertifyParts): Promise<Report> {
  return new Run(parts).report();
}

class Run {
  readonly #parts: CertifyParts;
  readonly #requirements: Requirements;
  readonly #connections: RunConnections;
  readonly #balances = new OpeningBalances();
  readonly #verdicts = new Map<string, RequirementVerdict>();
  readonly #failures = new Map<string, SeenFailure>();
  readonly #needed = new Map<string, readonly string[]>();
  /** Notes on the run that are not part of any verdict. */
  readonly #notes: string[] = [];
  /** Number of times that a requirement was tested again. */
  #repeats = 0;
  /** Number of calls sent after the last requirement. */
  #sentAtEnd = 0;

  constructor(parts: CertifyParts) {
    this.#parts = parts;
    this.#requirements = answered(loadRequirements(parts.input.requirements), parts.checker.answers);
    this.#connections = new RunConnections(parts);
  }

  async report(): Promise<Report> {
    const { now, signal } = this.#parts;
    const startedAt = now();
    const interrupt = () => this.#connections.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    let problem: { outcome: 'environment' | 'interrupted'; text: string } | undefined;
    let balances: Report['balances'] = 'unknown';
    try {
      await this.#judgeAll();
    } catch (error) {
      // The server's refusal may contain credentials from the request.
      const text = this.#connections.secrets.hide((error as Error).message);
      if (error instanceof EnvironmentError) problem = { outcome: 'environment', text };
      else if (error instanceof Interrupted) problem = { outcome: 'interrupted', text };
      else throw error;
    } finally {
      // Restore the balances only after the last call has ended. An interruption does not stop this step.
      await this.#connections.close();
      signal.removeEventListener('abort', interrupt);
      if (problem?.outcome !== 'environment') balances = await this.#restoreBalances();
    }
    return reportOf({
      ...this.#parts,
      input: this.#connections.input,
      answersDigest: answersDigest(this.#parts.checker.answers),
      requirements: this.#requirements,
      startedAt,
      finishedAt: now(),
      calls: this.#connections.partner.sent + this.#sentAtEnd,
      problem,
      balances,
      notes: [...this.#notes, ...this.#connections.partner.warnings],
      ...findCauses({
        verdicts: this.#requirements.list.map((requirement) => this.#verdictOf(requirement)),
        failures: this.#failures,
        needed: this.#needed,
      }),
    });
  }

  async #judgeAll(): Promise<void> {
    const { input, progress, begun } = this.#parts;
    this.#connections.partner.left = callsToBegin(input);
    const { projectCode, api } = await begin(this.#connections.operations, input, this.#balances);
    this.#connections.projectCode = projectCode;
    this.#connections.input = { ...input, api };
    await this.#checkCodes();
    const chosen = this.#chosen();
    const { length: of } = this.#requirements.list;
    const calls = mostCalls(this.#connections.input, this.#requirements);
    begun?.({ api, judged: chosen.length, of, calls, notes: [...this.#notes] });
    const shuffledOnce = shuffle(chosen, new SeededRandom(`${input.seed ?? '1'}:order`));
    // Lock customers late, because a locked customer cannot sign in. Test token expiry last, to shorten the wait.
    const order = endingWith([locks, ...afterExpiry, inTime], shuffledOnce);
    for (const [at, requirement] of order.entries()) {
      const verdict = await this.#judge(requirement);
      progress?.(verdict, { done: at + 1, of: chosen.length });
    }
  }

  #chosen(): readonly Requirement[] {
    return this.#requirements.list.filter((requirement) => this.#leftOut(requirement) === undefined);
  }

  /** Deselects requirements that need one-time passwords if the run cannot read them, which is not the server's fault. */
  async #checkCodes(): Promise<void> {
    if (!this.#chosen().some(({ needs }) => needs.includes('otp'))) return;
    const { otp, ...input } = this.#connections.input;
    const problem = await unreadableCodes(this.#connections.sessions, input);
    if (problem === undefined) return;
    this.#connections.input = input;
    this.#notes.push(this.#connections.secrets.hide(`${problem} Requirements that need a code are not checked.`));
  }

  /** Tests a requirement. Repeats the test if an answer was lost, so that network problems neither cause nor hide a failure. */
  async #judge(requirement: Requirement): Promise<RequirementVerdict> {
    let verdict: RequirementVerdict;
    let again: boolean;
    let attempt = 0;
    do {
      const { length: lostBefore } = this.#connections.partner.lost;
      const { concurrency } = this.#connections.partner;
      this.#needed.delete(requirement.id);
      this.#failures.delete(requirement.id);
      verdict = await this.#attempt(requirement, attempt);
      const lost = this.#connections.partner.lost.slice(lostBefore);
      const isUnheard =
        this.#needed.get(requirement.id)?.[0] === inTime && this.#connections.partner.silent.length === 0;
      const isNarrower = this.#connections.partner.concurrency < concurrency;
      const isUnlucky = verdict.verdict !== 'pass' && attempt === 0 && (lost.length > 0 || isUnheard);
      // A burst with lost calls proves less than it should, even if it passed.
      again = this.#repeats < mostRepeats && (isUnlucky || isNarrower);
      if (again) this.#noteRepeat(requirement, lost);
      attempt += 1;
    } while (again);
    this.#verdicts.set(requirement.id, verdict);
    return verdict;
  }

  #noteRepeat({ id }: Requirement, lost: readonly Call[]): void {
    this.#repeats += 1;
    const { concurrency } = this.#connections.partner;
    const [call] = lost;
    const what = call === undefined ? 'A call of the platform' : `${call.method} ${call.path.split('?')[0]}`;
    this.#notes.push(
      `${what} received no response while ${id} was checked, so it was checked again with at most ${concurrency} concurrent calls.`,
    );
  }

  /** Tests a requirement once, then restores the balances. */
  async #attempt(requirement: Requirement, attempt: number): Promise<RequirementVerdict> {
    const { input } = this.#parts;
    const probing = new ProbeContext(
      this.#connections,
      attempt === 0 ? requirement.id : `${requirement.id}-${attempt}`,
    );
    const before = this.#connections.partner.sent;
    this.#connections.partner.left = requirement.calls;
    let verdict: RequirementVerdict;
    try {
      const probe = probes[requirement.id];
      if (probe === undefined) throw new Error('the requirement has no probe');
      await probe(probing);
      verdict = verdictOf(requirement, 'pass');
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      verdict = verdictOfError(requirement, error as Error, (text) => this.#connections.secrets.hide(text));
      if (error instanceof Blocked) this.#needed.set(requirement.id, error.needed);
      if (error instanceof RequirementFailed) {
        const { contracts } = this.#parts.checker;
        const target = { clientUrl: input.client_url, secrets: this.#connections.secrets };
        const { seen } = error;
        this.#failures.set(requirement.id, { seen, failure: failure(requirement, seen, contracts, target) });
      }
    }
    await this.#connections.partner.idle();
    if (this.#connections.partner.sent > before) await this.#restore(probing, this.#connections.partner);
    return verdict;
  }

  async #restore(probing: ProbeContext, partner: Partner): Promise<void> {
    try {
      await this.#balances.restore(probing, partner);
    } catch (error) {
      // Ignore a blocked restoration, because the final balance check reports it.
      if (!(error instanceof Blocked)) throw error;
    }
  }

  /** Restores the balances over separate connections, which an interruption does not close. */
  async #restoreBalances(): Promise<Report['balances']> {
    const { partner, operations } = this.#connections.another();
    try {
      const probing = new ProbeContext(this.#connections, 'end', operations);
      await this.#restore(probing, partner);
      return await this.#balances.state(probing, partner);
    } finally {
      await partner.close();
      this.#sentAtEnd += partner.sent;
    }
  }

  #leftOut(requirement: Requirement): LeftOut | undefined {
    return leftOut(requirement, this.#connections.input, this.#parts.input.api === undefined);
  }

  #verdictOf(requirement: Requirement): RequirementVerdict {
    const existing = this.#verdicts.get(requirement.id);
    if (existing !== undefined) return existing;
    const left = this.#leftOut(requirement);
    if (left !== undefined) return verdictOf(requirement, left.verdict, left.reason, { option: left.option });
    return verdictOf(requirement, 'not_selected', 'The run ended before this requirement.');
  }
}
