/** Figures of a workspace for the board of partners (OP-261). */
import type { components } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { ActivityEntry } from '../activity-log/activity-entry.ts';
import { summarize } from '../activity-log/summary.ts';
import { judgeEntries, mostJudged } from '../conformance/activity-findings.ts';
import { answerTo } from '../conformance/answers.ts';
import type { Store } from '../store/store.ts';
import { yieldToEventLoop } from '../store/view.ts';
import type { Certificates } from './certificates.ts';
import type { CertificateFacts, PartnerRecord, WorkspaceCollections } from './collections.ts';
import type { WorkspaceSettings } from './settings.ts';

type Schemas = components['schemas'];
type Day = Schemas['PartnerDay'];

/** Most days that a workspace keeps. */
const mostDays = 90;
const dayMilliseconds = 24 * 3_600_000;

/** What the board shows of a workspace; kept where other instances see it. */
export interface PartnerFigures {
  /** Milliseconds of real time. */
  readonly at: number;
  readonly days: readonly Day[];
  readonly pending: number;
  readonly certificates: readonly CertificateFacts[];
}

interface FiguresParts {
  readonly store: Store<WorkspaceCollections>;
  readonly activity: Pick<Activity, 'last' | 'after'>;
  readonly workspace: Pick<WorkspaceSettings, 'answers'>;
  readonly certificates: Pick<Certificates, 'facts'>;
  readonly realTime: () => number;
}

/** Counts each entry of the activity log once, day by day, so that nobody reads the whole log to know the figures. */
export class PartnerCount {
  readonly #parts: FiguresParts;

  constructor(parts: FiguresParts) {
    this.#parts = parts;
  }

  /** Counts the entries since the last count. Resolves with whether there were any. */
  async count(): Promise<boolean> {
    const { store, activity } = this.#parts;
    if (store.paused || store.gaveUp !== undefined || this.#record(store).counted === activity.last) return false;
    // Several workspaces are counted one after the other.
    await yieldToEventLoop();
    await store.transact((tx) => {
      const before = this.#record(tx);
      // The log is shorter only if it began again without `skip`, as before a crash.
      const entries = activity.after(before.counted > activity.last ? 0 : before.counted);
      if (entries.length > 0) tx.put('partner', 'figures', this.#with(before, entries));
    });
    return true;
  }

  /** Leaves out the entries that are there: a snapshot brought them, and they were counted when they were new. */
  async skip(): Promise<void> {
    const { store, activity } = this.#parts;
    await store.transact((tx) => tx.put('partner', 'figures', { ...this.#record(tx), counted: activity.last }));
  }

  /** The figures as of the last count. */
  figures(): PartnerFigures {
    const { store, realTime, certificates } = this.#parts;
    const { days, reliedOn } = this.#record(store);
    return { at: realTime(), days, pending: this.#pending(reliedOn), certificates: certificates.facts() };
  }

  #record(reader: Pick<Store<WorkspaceCollections>, 'get'>): PartnerRecord {
    return reader.get('partner', 'figures') ?? { counted: 0, reliedOn: [], days: [] };
  }

  #with({ days, reliedOn: before }: PartnerRecord, entries: readonly ActivityEntry[]): PartnerRecord {
    const { blamed, reliedOn: now } = judgeEntries(entries.slice(-mostJudged));
    const { calls, validated } = summarize(entries, { blamed, ownServer: undefined });
    const reliedOn = [...new Set([...before, ...now])].toSorted();
    const day = dayOf(this.#parts.realTime());
    const last = days.at(-1);
    const [earlier, sums] = last?.day === day ? [days.slice(0, -1), last] : [days, { calls: 0, findings: 0 }];
    const today: Day = {
      day,
      calls: sums.calls + calls,
      findings: sums.findings + validated.violating,
      answers_pending: this.#pending(reliedOn),
      outcome: newest(this.#parts.certificates.facts())?.outcome ?? null,
    };
    return { counted: entries.at(-1)?.seq ?? 0, reliedOn, days: [...earlier, today].slice(-mostDays) };
  }

  #pending(reliedOn: readonly string[]): number {
    const answers = this.#parts.workspace.answers();
    return reliedOn.filter((id) => answerTo(id, answers) === undefined).length;
  }
}

/** The row of a workspace: its figures of so many days up to now, and the certification that counts. */
export function partnerRow(
  workspace: Schemas['WorkspaceSummary'],
  figures: PartnerFigures | undefined,
  summaries: readonly Schemas['CertificateSummary'][],
  { days: most, now }: { readonly days: number; readonly now: number },
): Schemas['Partner'] {
  const first = dayOf(now - (most - 1) * dayMilliseconds);
  const days = (figures?.days ?? []).filter(({ day }) => day >= first);
  const sum = (name: 'calls' | 'findings') => days.reduce((total, day) => total + day[name], 0);
  return {
    workspace,
    calls: sum('calls'),
    findings: sum('findings'),
    certification: newest(summaries.filter(({ signer }) => signer !== 'self_signed')) ?? newest(summaries) ?? null,
    answers_pending: figures?.pending ?? 0,
    days: [...days],
    counted_at: figures === undefined ? null : new Date(figures.at).toISOString(),
  };
}

function newest<T extends { readonly issued_at: string }>(all: readonly T[]): T | undefined {
  return all.toSorted((one, other) => (one.issued_at < other.issued_at ? 1 : -1))[0];
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
