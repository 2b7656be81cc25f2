/** Runs the suite against a partner's server: what comes out is a report, whatever the server does. */

import type { Checker } from '../conformance/checker.ts';
import type { HeaderList } from '../conformance/exchange.ts';
import type { Connector } from '../http-client/connecting.ts';
import { SeededRandom } from '../runtime/random.ts';
import type { Delay } from '../runtime/timer.ts';
import type { Answer, Call } from './answer.ts';
import { findCauses, type SeenFailure } from './causes.ts';
import { EnvironmentError } from './environment.ts';
import { failure } from './failure.ts';
import { OpeningBalances } from './opening-balances.ts';
import { Operations } from './operations.ts';
import { inTime, Partner, type PartnerOptions } from './partner.ts';
import type { Platform, StartPlatform } from './platform.ts';
import { begin, callsToBegin } from './preflight.ts';
import { locks } from './probes/otp-guessing.ts';
import { probes } from './probes/probes.ts';
import { afterExpiry } from './probes/tokens-sent.ts';
import { Probing } from './probing.ts';
import { reportOf } from './report.ts';
import { loadRequirements, type Requirement, type Requirements } from './requirement.ts';
import { type Begun, endingWith, mostCalls, mostRepeats, shuffle } from './run-plan.ts';
import { verdictOf, verdictOfError } from './run-verdict.ts';
import { type LeftOut, leftOut } from './selection.ts';
import { Sessions } from './sessions.ts';
import { Secrets } from './shown-exchange.ts';
import {
  Blocked,
  type Input,
  Interrupted,
  type ReadCode,
  type Report,
  type RequirementVerdict,
  Unmet,
} from './verdict.ts';

/** What a run is made of. */
export interface CertifyParts {
  readonly input: Input;
  /** The version of this project. */
  readonly version: string;
  /** SHA-256 of the contracts, in hex. */
  readonly contractsDigest: string;
  readonly checker: Checker;
  /** Real time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly delay: Delay;
  readonly connect: Connector;
  /** What codes and transactions of this run begin with: never the same twice. */
  readonly unique: string;
  readonly readCode: ReadCode;
  readonly startPlatform: StartPlatform;
  /** Ends the run: what was judged until then is reported, and the balances are restored. */
  readonly signal: AbortSignal;
  /** Told once before the server's ledger is changed: what is judged, and how many calls are sent at most. */
  readonly begun?: (beginning: Begun) => void;
  /** Told of each requirement that was judged. */
  readonly progress?: (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;
}

/** Certifies a server. Throws an EditionError where there are no such requirements; nothing that a server does throws. */
export function certify(parts: CertifyParts): Promise<Report> {
  return new Run(parts).report();
}

class Run {
  readonly #parts: CertifyParts;
  readonly #requirements: Requirements;
  readonly #partner: Partner;
  readonly #operations: Operations;
  readonly #sessions: Sessions;
  readonly #balances = new OpeningBalances();
  readonly #secrets = new Secrets();
  readonly #verdicts = new Map<string, RequirementVerdict>();
  readonly #failures = new Map<string, SeenFailure>();
  readonly #needed = new Map<string, readonly string[]>();
  /** What happened on the way that no verdict tells. */
  readonly #notes: string[] = [];
  /** How often a requirement was judged again. */
  #repeats = 0;
  #projectCode = '';
  /** The versions to check, once they are detected. */
  #api: Input['api'];
  #webhook: Partner | undefined;
  /** Calls of the end, after the last requirement. */
  #sentAtEnd = 0;
  #platform: Promise<Platform> | undefined;

  constructor(parts: CertifyParts) {
    const { input } = parts;
    this.#parts = parts;
    this.#requirements = loadRequirements(input.requirements);
    this.#partner = new Partner(this.#partnerOptions(input.client_url));
    this.#operations = new Operations(this.#partner, input, (token) => this.#addToken(token));
    this.#sessions = new Sessions(this.#operations, parts.readCode, parts.now);
    this.#addSecrets();
  }

  async report(): Promise<Report> {
    const { now, signal } = this.#parts;
    const startedAt = now();
    const interrupt = () => {
      this.#partner.interrupt();
      this.#webhook?.interrupt();
    };
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    let problem: { outcome: 'environment' | 'interrupted'; text: string } | undefined;
    let books: Report['books'] = 'unknown';
    try {
      await this.#judgeAll();
    } catch (error) {
      // A server may repeat in its refusal what it was shown.
      const text = this.#secrets.hide((error as Error).message);
      if (error instanceof EnvironmentError) problem = { outcome: 'environment', text };
      else if (error instanceof Interrupted) problem = { outcome: 'interrupted', text };
      else throw error;
    } finally {
      // Nothing is on its way to the server any more when its balances are restored, and nobody breaks that off.
      await this.#closePlatform();
      await this.#partner.close();
      await this.#webhook?.close();
      signal.removeEventListener('abort', interrupt);
      if (problem?.outcome !== 'environment') books = await this.#restoreBalances();
    }
    return reportOf({
      ...this.#parts,
      input: this.#input,
      requirements: this.#requirements,
      startedAt,
      finishedAt: now(),
      calls: this.#partner.sent + this.#sentAtEnd,
      problem,
      books,
      notes: this.#notes,
      ...findCauses({
        verdicts: this.#requirements.list.map((requirement) => this.#verdictOf(requirement)),
        failures: this.#failures,
        needed: this.#needed,
      }),
    });
  }

  async #judgeAll(): Promise<void> {
    const { input, progress, begun } = this.#parts;
    this.#partner.left = callsToBegin(input);
    const { projectCode, api } = await begin(this.#operations, input, this.#balances);
    this.#projectCode = projectCode;
    this.#api = api;
    const chosen = this.#requirements.list.filter((requirement) => this.#leftOut(requirement) === undefined);
    const { length: of } = this.#requirements.list;
    const calls = mostCalls(this.#input, this.#requirements);
    begun?.({ api, judged: chosen.length, of, calls });
    const shuffledOnce = shuffle(chosen, new SeededRandom(`${this.#seed}:order`));
    // Who is locked signs in no more. A token that expires is waited for last: most of its time is over by then.
    const order = endingWith([locks, ...afterExpiry, inTime], shuffledOnce);
    for (const [at, requirement] of order.entries()) {
      const verdict = await this.#judge(requirement);
      progress?.(verdict, { done: at + 1, of: chosen.length });
    }
  }

  /** One requirement; again where an answer was lost on the way, so that bad luck neither fails nor hides anything. */
  async #judge(requirement: Requirement): Promise<RequirementVerdict> {
    let verdict: RequirementVerdict;
    let again: boolean;
    let attempt = 0;
    do {
      const { length: lostBefore } = this.#partner.lost;
      const { concurrency } = this.#partner;
      this.#needed.delete(requirement.id);
      this.#failures.delete(requirement.id);
      verdict = await this.#attempt(requirement, attempt);
      const lost = this.#partner.lost.slice(lostBefore);
      const isUnheard = this.#needed.get(requirement.id)?.[0] === inTime && this.#partner.silent.length === 0;
      const isNarrower = this.#partner.concurrency < concurrency;
      const isUnlucky = verdict.verdict !== 'pass' && attempt === 0 && (lost.length > 0 || isUnheard);
      // A burst of which not every call arrived shows less than it should, also where it passed.
      again = this.#repeats < mostRepeats && (isUnlucky || isNarrower);
      if (again) this.#noteRepeat(requirement, lost);
      attempt += 1;
    } while (again);
    this.#verdicts.set(requirement.id, verdict);
    return verdict;
  }

  #noteRepeat({ id }: Requirement, lost: readonly Call[]): void {
    this.#repeats += 1;
    const { concurrency } = this.#partner;
    const [call] = lost;
    const what = call === undefined ? 'A call of the platform' : `${call.method} ${call.path.split('?')[0]}`;
    this.#notes.push(
      `${what} received no response while ${id} was checked, so it was checked again with at most ${concurrency} concurrent calls.`,
    );
  }

  /** Judges a requirement once, and restores the balances after it. */
  async #attempt(requirement: Requirement, attempt: number): Promise<RequirementVerdict> {
    const { input } = this.#parts;
    const probing = this.#probing(attempt === 0 ? requirement.id : `${requirement.id}-${attempt}`);
    const before = this.#partner.sent;
    this.#partner.left = requirement.calls;
    let verdict: RequirementVerdict;
    try {
      const probe = probes[requirement.id];
      if (probe === undefined) throw new Error('the requirement has no probe');
      await probe(probing);
      verdict = verdictOf(requirement, 'pass');
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      verdict = verdictOfError(requirement, error as Error, (text) => this.#secrets.hide(text));
      if (error instanceof Blocked) this.#needed.set(requirement.id, error.needed);
      if (error instanceof Unmet) {
        const { contracts } = this.#parts.checker;
        const shown = { clientUrl: input.client_url, secrets: this.#secrets };
        const { seen } = error;
        this.#failures.set(requirement.id, { seen, failure: failure(requirement, seen, contracts, shown) });
      }
    }
    await this.#partner.idle();
    if (this.#partner.sent > before) await this.#restore(probing, this.#partner);
    return verdict;
  }

  async #restore(probing: Probing, partner: Partner): Promise<void> {
    try {
      await this.#balances.restore(probing, partner);
    } catch (error) {
      // If the order of calls is unclear, the balances at the end decide.
      if (!(error instanceof Blocked)) throw error;
    }
  }

  /** Restores the balances over connections of their own, which no interruption ends. */
  async #restoreBalances(): Promise<Report['books']> {
    const partner = new Partner(this.#partnerOptions(this.#parts.input.client_url));
    try {
      const probing = this.#probing(
        'end',
        new Operations(partner, this.#parts.input, (token) => this.#addToken(token)),
      );
      await this.#restore(probing, partner);
      return await this.#balances.state(probing, partner);
    } finally {
      await partner.close();
      this.#sentAtEnd += partner.sent;
    }
  }

  /** Stops the platform. If it did not start, the requirements that need it report that. */
  async #closePlatform(): Promise<void> {
    const [platform] = await Promise.allSettled([this.#platform]);
    if (platform.status === 'fulfilled') await platform.value?.close();
  }

  /** Sends to the server's webhook address; such a call counts as any other. */
  async #deliver({ url = '' }: { readonly url?: string }, headers: HeaderList, body: string): Promise<Answer> {
    this.#partner.counted(1);
    this.#webhook ??= new Partner(this.#partnerOptions(new URL(url).origin));
    this.#webhook.left = 1;
    const { origin, pathname, search } = new URL(url);
    const call = { method: 'POST', path: `${pathname}${search}`, headers, body: Buffer.from(body), base: origin };
    return this.#webhook.send(call);
  }

  #partnerOptions(clientUrl: string): PartnerOptions {
    const { input, connect, checker } = this.#parts;
    return { clientUrl, timeoutMs: input.timeout_ms ?? 15_000, connect, checker };
  }

  #probing(id: string, operations = this.#operations): Probing {
    const { now, delay, signal, startPlatform, unique } = this.#parts;
    const input = this.#input;
    return new Probing({
      input,
      operations,
      sessions: this.#sessions,
      random: new SeededRandom(`${this.#seed}:${id}`),
      unique: `${unique}-${id}`,
      projectCode: this.#projectCode,
      open: this.#balances.open,
      lines: this.#balances.lines,
      counted: (calls) => this.#partner.counted(calls),
      deliver: (headers, body) => this.#deliver(input.webhook ?? {}, headers, body),
      now,
      silent: () => this.#partner.silent,
      delay,
      signal,
      hide: (text, variable) => this.#secrets.add(text, variable),
      platform: () => {
        const { clientUrl, timeoutMs } = this.#partnerOptions(input.client_url);
        this.#platform ??= startPlatform({ clientUrl, timeoutMs, projectCode: this.#projectCode });
        return this.#platform;
      },
    });
  }

  /** The options of the run, with the versions that the server implements. */
  get #input(): Input {
    const { input } = this.#parts;
    return this.#api === undefined ? input : { ...input, api: this.#api };
  }

  #leftOut(requirement: Requirement): LeftOut | undefined {
    return leftOut(requirement, this.#input, this.#parts.input.api === undefined);
  }

  #verdictOf(requirement: Requirement): RequirementVerdict {
    const existing = this.#verdicts.get(requirement.id);
    if (existing !== undefined) return existing;
    const left = this.#leftOut(requirement);
    if (left !== undefined) return verdictOf(requirement, left.verdict, left.reason, { option: left.option });
    return verdictOf(requirement, 'not_selected', 'The run ended before this requirement.');
  }

  get #seed(): string {
    return this.#parts.input.seed ?? '1';
  }

  /** Its signature too: probes send it below other claims, from which the token could be put together. */
  #addToken(token: string): void {
    this.#secrets.add(token, 'CUSTOMER_TOKEN');
    this.#secrets.add(token.split('.')[2], 'CUSTOMER_SIGNATURE');
  }

  #addSecrets(): void {
    const { service_token, basic, expired_token, otp, sandbox, webhook } = this.#parts.input;
    this.#secrets.add(service_token, 'SERVICE_TOKEN');
    this.#secrets.add(basic && Buffer.from(basic).toString('base64'), 'BASIC_CREDENTIALS');
    this.#secrets.add(basic?.slice(basic.indexOf(':') + 1), 'BASIC_PASSWORD');
    this.#secrets.add(expired_token, 'EXPIRED_TOKEN');
    this.#secrets.add(otp?.code, 'OTP');
    this.#secrets.add(sandbox?.admin_token, 'ADMIN_TOKEN');
    this.#secrets.add(webhook?.secret, 'WEBHOOK_SECRET');
  }
}
