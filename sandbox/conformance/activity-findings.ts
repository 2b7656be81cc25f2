import type { components, operations } from '../../generated/sandbox/types.ts';
import type { Patience } from '../contract/types.ts';
import { lastSeq } from '../runtime/activity.ts';
import type { Timer } from '../runtime/timer.ts';
import { Waiting } from '../runtime/waiting.ts';
import type { Change, Committed } from '../store/store.ts';
import type { ActivityChecker, FoundInCall } from './activity-checker.ts';
import { type Log, LogCheck } from './log-check.ts';

type Ask = Omit<NonNullable<operations['listFindings']['parameters']['query']>, 'wait'>;
type FindingList = components['schemas']['FindingList'];
type Failure = { readonly kind: 'check_failed'; readonly problem: string } | { readonly kind: 'unavailable' };

const progress: Change = { collection: 'findings', id: '', record: undefined };

/**
 * Logs that were checked so far: sandboxes of one process may share a checker, and each log is told from all others.
 */
let logs = 0;

/** What one workspace's activity log has against the contracts (OP-66). Nothing is checked before somebody asks. */
export class ActivityFindings {
  readonly #log: Log;
  readonly #checker: Pick<ActivityChecker, 'check' | 'forget'>;
  readonly #waiting: Waiting;
  readonly #listeners = new Set<(committed: Committed) => void>();
  #check: LogCheck | undefined;
  #stopped = false;

  constructor(log: Log, timer: Timer, checker: Pick<ActivityChecker, 'check' | 'forget'>) {
    this.#log = log;
    this.#checker = checker;
    const onCommit = (listener: (committed: Committed) => void) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    };
    this.#waiting = new Waiting({ onCommit }, timer);
  }

  /**
   * What was found so far, as far as it is asked for; with patience, once everything that the log holds now is checked,
   * and something after `after`. A check that failed is told, and the next question starts another.
   */
  async list(ask: Ask, patience: Patience): Promise<FindingList | Failure> {
    if (this.#stopped) return { kind: 'unavailable' };
    // The log began anew since the last question; a failure is told first.
    if (this.#check?.over && this.#check.failure === undefined) this.#check = undefined;
    this.#check ??= this.#start();
    const check = this.#check;
    const { after = 0 } = ask;
    const wanted = lastSeq(this.#log.store);
    const done = () => check.over || after > wanted || (check.to >= wanted && (after === 0 || check.to > after));
    const look = () => (done() ? [true] : []);
    await this.#waiting.first({ collection: 'findings', matches: done, look }, patience);
    if (!check.over) return answer(check, ask, lastSeq(this.#log.store));
    if (this.#check === check) this.#check = undefined;
    if (check.failure !== undefined) return { kind: 'check_failed', problem: check.failure.message };
    // The log began anew meanwhile: what was found in the old one is of no use.
    return this.list(ask, { ...patience, seconds: 0 });
  }

  /** Ends the check and every wait. */
  stop(): void {
    this.#stopped = true;
    this.#check?.end();
    this.#waiting.stop();
  }

  #start(): LogCheck {
    logs += 1;
    return new LogCheck(this.#log, this.#checker, `${logs}`, () => {
      for (const listener of [...this.#listeners]) listener([progress]);
    });
  }
}

/** The findings that were asked for; `checked_to` says how far they are complete. */
function answer(check: LogCheck, { seq, trace, severity, after, limit = 1000 }: Ask, newest: number): FindingList {
  const { from, to, unchecked } = check;
  const found = check.findings.filter(
    (item) =>
      item.seq > (after ?? 0) &&
      (seq === undefined || item.seq === seq) &&
      (trace === undefined || item.trace === trace) &&
      (severity === undefined || item.severity === severity),
  );
  const around = { checked_from: from, checked_to: to, newest, unchecked };
  if (after === undefined) return { ...around, items: whole(found.toReversed(), limit).toReversed() };
  const items = whole(found, limit);
  const cut = items.length < found.length;
  return { ...around, items, checked_to: cut ? (items.at(-1)?.seq ?? to) : to };
}

/** The first findings, and what else is of the same call as the last of them. */
function whole(found: readonly FoundInCall[], limit: number): FoundInCall[] {
  const last = found[limit - 1]?.seq;
  return found.filter((item, index) => index < limit || item.seq === last);
}
