import { type ActivityBooks, entriesAfter, lastSeq } from '../runtime/activity.ts';
import type { ActivityEntry } from '../runtime/activity-entry.ts';
import type { Wire } from '../runtime/wire.ts';
import type { Committed, Store } from '../store/store.ts';
import type { ActivityChecker, Checked, FoundInCall } from './activity-checker.ts';

/** An activity log, with its calls as they were as far as they are held. */
export interface Log {
  readonly store: Store<ActivityBooks>;
  readonly wireOf: (entry: ActivityEntry) => Wire | undefined;
}

/** Most findings that are kept; those of the oldest calls make room, whole calls at a time. */
const mostFindings = 1000;
/** Entries that are handed to the thread in one go; the log itself keeps the rest. */
const batch = 100;

/**
 * Follows one activity log from its oldest entry and keeps what the checker finds. It is over when a reset or a
 * restore puts another log in its place, when the check fails, or when it is ended.
 */
export class LogCheck {
  /** The first entry whose findings are kept, and the last whose findings are known. */
  from: number;
  to: number;
  findings: readonly FoundInCall[] = [];
  unchecked = 0;
  failure: Error | undefined;
  over = false;
  readonly #read: Log;
  readonly #checker: Pick<ActivityChecker, 'check' | 'forget'>;
  readonly #log: string;
  readonly #progressed: () => void;
  readonly #unsubscribe: () => void;
  #busy = false;

  /** `log` names the log for the checker; `progressed` is told of each step, the last included. */
  constructor(read: Log, checker: Pick<ActivityChecker, 'check' | 'forget'>, log: string, progressed: () => void) {
    const { store } = read;
    this.#read = read;
    this.#checker = checker;
    this.#log = log;
    this.#progressed = progressed;
    this.from = entriesAfter(store, 0, 1)[0]?.seq ?? lastSeq(store) + 1;
    this.to = this.from - 1;
    this.#unsubscribe = store.onCommit((committed) => this.#committed(committed));
    void this.#pump();
  }

  /** Stops following; what was found stays. */
  end(failure?: Error): void {
    if (this.over) return;
    this.over = true;
    this.failure = failure;
    this.#unsubscribe();
    this.#checker.forget(this.#log);
    this.#progressed();
  }

  #committed(committed: Committed): void {
    if (committed === 'everything') this.end();
    else void this.#pump();
  }

  /** Has what the log holds beyond the last entry checked, one batch after the other. */
  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let entries = this.#next(); entries.length > 0 && !this.over; entries = this.#next()) {
        const checked = await this.#checker.check(
          this.#log,
          entries.map((entry) => ({ entry, wire: this.#read.wireOf(entry) })),
        );
        if (this.over) return;
        this.#note(entries, checked);
        this.#progressed();
      }
    } catch (error) {
      this.end(error as Error);
    } finally {
      this.#busy = false;
    }
  }

  #next(): readonly ActivityEntry[] {
    return entriesAfter(this.#read.store, this.to, batch);
  }

  #note(entries: readonly ActivityEntry[], { findings, unchecked }: Checked): void {
    const [first] = entries;
    // What the log dropped before it was checked is not covered, nor is anything before.
    if (first !== undefined && first.seq !== this.to + 1) this.from = first.seq;
    this.to = entries.at(-1)?.seq ?? this.to;
    this.unchecked += unchecked;
    const all = [...this.findings, ...findings];
    const surplus = all[all.length - mostFindings - 1];
    if (surplus !== undefined) this.from = Math.max(this.from, surplus.seq + 1);
    this.findings = all.filter(({ seq }) => seq >= this.from);
  }
}
