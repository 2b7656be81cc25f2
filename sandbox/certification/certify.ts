/** Runs the certification suite against a partner's server. Produces a report regardless of how the server behaves. */

import { answersDigest } from '../conformance/answers.ts';
import { SeededRandom } from '../runtime/ids.ts';
import { findCauses, type SeenFailure } from './causes.ts';
import { failure } from './failure.ts';
import type { Partner } from './partner.ts';
import { begin, callsToBegin, EnvironmentError, OpeningBalances, unreadableCodes } from './preflight.ts';
import { type Probe, ProbeContext } from './probe-context.ts';
import { basicProbes } from './probes/basic.ts';
import { callingProbes } from './probes/calling.ts';
import { creditProbes } from './probes/credit.ts';
import { deductionProbes } from './probes/deduction.ts';
import { journeysProbes } from './probes/journeys.ts';
import { otpProbes } from './probes/otp.ts';
import { locks } from './probes/otp-guessing.ts';
import { robustnessBodyProbes } from './probes/robustness-bodies.ts';
import { robustnessProbes } from './probes/robustness-http.ts';
import { shapesProbes } from './probes/shapes.ts';
import { statusProbes } from './probes/status.ts';
import { tokensProbes } from './probes/tokens.ts';
import { afterExpiry } from './probes/tokens-sent.ts';
import { v2Probes } from './probes/v2.ts';
import { countsOf, coverageOf, outcomeOf } from './report.ts';
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
  returnIf,
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
    const all = this.#requirements.list.map((requirement) => this.#verdictOf(requirement));
    const { verdicts, failures } = findCauses({ verdicts: all, failures: this.#failures, needed: this.#needed });
    const { partner, input } = this.#connections;
    const answers = answersDigest(this.#parts.checker.answers);
    return {
      suite: this.#parts.version,
      requirements: this.#requirements.edition,
      requirements_digest: this.#requirements.digest,
      contracts_digest: this.#parts.contractsDigest,
      ...(answers !== undefined && { answers_digest: answers }),
      target: { client_url: input.client_url, api: input.api ?? 'both' },
      seed: input.seed ?? '1',
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(now()).toISOString(),
      calls: partner.sent + this.#sentAtEnd,
      outcome: problem?.outcome ?? outcomeOf(verdicts),
      problem: problem?.text ?? null,
      coverage: coverageOf(verdicts),
      counts: countsOf(verdicts),
      verdicts,
      failures,
      balances,
      notes: [...this.#notes, ...partner.warnings],
    };
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
    const problem = await unreadableCodes(this.#connections.sessions);
    if (problem === undefined) return;
    this.#connections.input = input;
    this.#notes.push(this.#connections.secrets.hide(`${problem} Requirements that need a code are not checked.`));
  }

  /** Tests a requirement. Repeats the test if an answer was lost, so that network problems neither cause nor hide a failure. */
  async #judge(requirement: Requirement): Promise<RequirementVerdict> {
    const { id } = requirement;
    const { partner } = this.#connections;
    for (let attempt = 0; ; attempt += 1) {
      const { concurrency } = partner;
      const { length: lostBefore } = partner.lost;
      this.#needed.delete(id);
      this.#failures.delete(id);
      const verdict = await this.#attempt(requirement, attempt);
      const call = partner.lost[lostBefore];
      const isUnheard = this.#needed.get(id)?.[0] === inTime && partner.silent.length === 0;
      const isUnlucky = verdict.verdict !== 'pass' && attempt === 0 && (call !== undefined || isUnheard);
      // A burst with lost calls proves less than it should, even if it passed.
      const isDoubtful = isUnlucky || partner.concurrency < concurrency;
      if (!isDoubtful || this.#repeats >= mostRepeats) {
        this.#verdicts.set(id, verdict);
        return verdict;
      }
      this.#repeats += 1;
      const what = call === undefined ? 'A call of the platform' : `${call.method} ${call.path.split('?')[0]}`;
      this.#notes.push(
        `${what} received no response while ${id} was checked, so it was checked again with at most ${partner.concurrency} concurrent calls.`,
      );
    }
  }

  /** Tests a requirement once, then restores the balances. */
  async #attempt(requirement: Requirement, attempt: number): Promise<RequirementVerdict> {
    const { id } = requirement;
    const { partner, secrets } = this.#connections;
    const probing = new ProbeContext(this.#connections, attempt === 0 ? id : `${id}-${attempt}`);
    const before = partner.sent;
    partner.left = requirement.calls;
    let verdict: RequirementVerdict;
    try {
      const probe = probes[id];
      if (probe === undefined) throw new Error('the requirement has no probe');
      await probe(probing);
      verdict = verdictOf(requirement, 'pass');
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      verdict = verdictOfError(requirement, error as Error, (text) => secrets.hide(text));
      if (error instanceof Blocked) this.#needed.set(id, error.needed);
      if (error instanceof RequirementFailed) {
        const { input, checker } = this.#parts;
        const target = { clientUrl: input.client_url, secrets };
        const { seen } = error;
        this.#failures.set(id, { seen, failure: failure(requirement, seen, checker.contracts, target) });
      }
    }
    await partner.idle();
    if (partner.sent > before) await this.#restore(probing, partner);
    return verdict;
  }

  async #restore(probing: ProbeContext, partner: Partner): Promise<void> {
    // Ignore a blocked restoration, because the final balance check reports it.
    await this.#balances.restore(probing, partner).catch(returnIf(Blocked));
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
    const notReached = { verdict: 'not_selected', reason: 'The run ended before this requirement.' } as const;
    const left = this.#leftOut(requirement) ?? notReached;
    return verdictOf(requirement, left.verdict, left);
  }
}

/** Probes by requirement id. */
export const probes: Readonly<Record<string, Probe>> = {
  ...tokensProbes,
  ...basicProbes,
  ...shapesProbes,
  ...creditProbes,
  ...deductionProbes,
  ...statusProbes,
  ...otpProbes,
  ...v2Probes,
  ...robustnessProbes,
  ...robustnessBodyProbes,
  ...journeysProbes,
  ...callingProbes,
};
