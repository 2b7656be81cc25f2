import type { components, operations } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { ActivityEntry, CallEntry } from '../activity-log/activity-entry.ts';
import type { Patience } from '../contract/types.ts';
import type { Waiting } from '../runtime/waiting.ts';
import { ActivityEntries } from './activity-entries.ts';
import { type Answers, weighed } from './answers.ts';
import { type OpenPointsAsk, openPoints } from './open-points.ts';
import { ownChecker } from './own-traffic.ts';
import { parseExchange } from './statements/parsed-exchange.ts';
import { StatementCollector } from './statements/statement-collector.ts';

type Ask = Omit<NonNullable<operations['listFindings']['parameters']['query']>, 'wait'>;
type FindingList = components['schemas']['FindingList'];
type OpenPointList = components['schemas']['OpenPointList'];
type Found = components['schemas']['Finding'];

/** Maximum number of listed findings. Beyond it, all findings of the oldest calls are dropped. */
const mostFindings = 1000;

/** Number of most recent calls that trace rules check. The number is limited because each run checks all of them. */
export const mostJudged = 1000;

/** The calls of a log as a recording that may start at any point. All times come from the sandbox's clock. */
class LoggedTrace {
  readonly #entries = new ActivityEntries(ownChecker().operations);
  readonly #calls = new StatementCollector(
    { complete: false, oneClock: true },
    (id) => ownChecker().operations.get(id)?.operation,
    2 * mostJudged,
  );

  add(entry: CallEntry): void {
    const exchange = this.#entries.read(entry);
    if (entry.operation === null || exchange === undefined || typeof exchange === 'string') return;
    this.#calls.add(parseExchange(entry.operation, exchange), entry.findings ?? [], [], entry.seq);
  }

  /** The open points that the calls rely on. */
  get openPoints() {
    return this.#calls.judge().openPoints;
  }

  /** Findings of the trace rules, each with the sequence number of the entry at fault. */
  get findings(): readonly Found[] {
    return this.#calls.numbered.map(({ number: seq, finding: { times: _, trace, ...found } }) => {
      return { seq, ...found, trace: trace ?? '' };
    });
  }
}

/** Returns the sequence numbers of calls that trace rules blame, and the open points that the calls rely on. */
export function judgeEntries(entries: readonly ActivityEntry[]) {
  const trace = new LoggedTrace();
  for (const entry of entries) if (entry.kind !== 'state') trace.add(entry);
  const reliedOn = trace.openPoints.filter(({ kept, violated }) => kept + violated > 0);
  return { blamed: new Set(trace.findings.map(({ seq }) => seq)), reliedOn: reliedOn.map(({ id }) => id) };
}

/** Findings in an activity log, and the open points that its calls rely on, collected on request (OP-66, OP-250). */
export class ActivityFindings {
  readonly #activity: Pick<Activity, 'last' | 'after' | 'onUpdate'>;
  readonly #waiting: Waiting;
  readonly #answers: () => Answers;
  /** Ends the subscription to the log; set from the first request until the log starts over. */
  #unsubscribe: (() => void) | undefined;
  /** Sequence numbers of the first entry whose findings are listed, and of the last entry read. */
  #from = 1;
  #to = 0;
  /** Sequence number of the first entry read. */
  #first = 1;
  #found: readonly Found[] = [];
  #trace = new LoggedTrace();
  /** Findings of the trace rules up to the last entry read. */
  #traced: readonly Found[] = [];
  #unchecked = 0;

  /** `answers` returns the current answers to open points. */
  constructor(activity: Pick<Activity, 'last' | 'after' | 'onUpdate'>, waiting: Waiting, answers: () => Answers) {
    this.#answers = answers;
    this.#activity = activity;
    this.#waiting = waiting;
  }

  /** Resolves with the requested findings. With patience, waits for an entry after `after`. */
  async list(ask: Ask, patience: Patience): Promise<FindingList> {
    const { after = 0 } = ask;
    // A different newest number means new entries, or a log that has started over since.
    const done = () => after === 0 || this.#activity.last !== after;
    const look = () => (done() ? [true] : []);
    await this.#waiting.first({ collection: 'activity', matches: done, look }, patience);
    this.#read();
    return this.#listed(ask);
  }

  /** Returns the requested open points, with the range of entries that were checked. */
  openPoints(ask: OpenPointsAsk): OpenPointList {
    this.#read();
    return {
      items: openPoints(this.#trace.openPoints, this.#answers(), ask),
      checked_from: this.#first,
      checked_to: this.#to,
    };
  }

  #forget(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    [this.#from, this.#first, this.#to, this.#found, this.#unchecked] = [1, 1, 0, [], 0];
    [this.#trace, this.#traced] = [new LoggedTrace(), []];
  }

  #read(): void {
    this.#unsubscribe ??= this.#activity.onUpdate((entries) => {
      if (entries === 'everything') this.#forget();
    });
    const entries = this.#activity.after(this.#to);
    const [first] = entries;
    if (first === undefined) return;
    // Entries that the log dropped before the first request are not covered.
    if (first.seq !== this.#to + 1) this.#from = first.seq;
    if (this.#to === 0) this.#first = first.seq;
    const found = [...this.#found];
    for (const entry of entries) {
      this.#to = entry.seq;
      if (entry.kind === 'state') continue;
      this.#trace.add(entry);
      if (entry.unchecked) this.#unchecked += 1;
      const { seq, operation, method, url, status, trace } = entry;
      for (const each of entry.findings ?? []) found.push({ seq, ...each, operation, method, url, status, trace });
    }
    const surplus = found[found.length - mostFindings - 1];
    if (surplus !== undefined) this.#from = Math.max(this.#from, surplus.seq + 1);
    this.#found = found.filter(({ seq }) => seq >= this.#from);
    this.#traced = this.#trace.findings.filter(({ seq }) => seq >= this.#from).slice(-mostFindings);
  }

  #listed({ seq, trace, severity, after, limit = mostFindings }: Ask): FindingList {
    const newest = this.#to;
    const around = { checked_from: this.#from, checked_to: newest, newest, unchecked: this.#unchecked };
    const answers = this.#answers();
    const all = [...this.#found, ...this.#traced]
      .map((found) => weighed(found, answers))
      .toSorted((one, other) => one.seq - other.seq);
    const wanted = all.filter(
      (item) =>
        item.seq > (after ?? 0) &&
        (seq === undefined || item.seq === seq) &&
        (trace === undefined || item.trace === trace) &&
        (severity === undefined || item.severity === severity),
    );
    if (after === undefined) return { ...around, items: whole(wanted.toReversed(), limit).toReversed() };
    const items = whole(wanted, limit);
    const isCut = items.length < wanted.length;
    return { ...around, items, checked_to: isCut ? (items.at(-1)?.seq ?? newest) : newest };
  }
}

/** Returns the findings up to the limit, plus the remaining findings of the last call among them. */
function whole(found: readonly Found[], limit: number): Found[] {
  const last = found[limit - 1]?.seq;
  return found.filter((item, index) => index < limit || item.seq === last);
}
