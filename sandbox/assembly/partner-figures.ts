/** Figures of a workspace for the partner board (OP-261). */
import type { components } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { ActivityEntry } from '../activity-log/activity-entry.ts';
import { summarize } from '../activity-log/summary.ts';
import { judgeEntries, mostJudged } from '../conformance/activity-findings.ts';
import { answerTo } from '../conformance/answers.ts';
import { lastTally } from '../runtime/ids.ts';
import { yieldToEventLoop } from '../store/row.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Certificates } from './certificates.ts';
import type { CertificateFacts, PartnerRecord, WorkspaceCollections } from './collections.ts';
import type { WorkspaceSettings } from './settings.ts';

type Schemas = components['schemas'];
type Day = Schemas['PartnerDay'];

/** Maximum number of days that a workspace stores. */
const mostDays = 90;
const dayMilliseconds = 24 * 3_600_000;

/** The figures of a workspace on the board, stored where other instances can read them. */
export interface PartnerFigures {
  /** The time of the figures, in real milliseconds. */
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

/** Counts each entry of the activity log once, per day, so that the figures can be read without the whole log. */
export class PartnerCount {
  readonly #parts: FiguresParts;

  constructor(parts: FiguresParts) {
    this.#parts = parts;
  }

  /** Counts the entries since the last count. Resolves with true if it counted. */
  async count(): Promise<boolean> {
    const { store, activity } = this.#parts;
    if (store.paused || store.gaveUp !== undefined || recordIn(store).counted === activity.last) return false;
    // Several workspaces are counted in sequence, so this yields to other work.
    await yieldToEventLoop();
    await store.transact((tx) => {
      const before = recordIn(tx);
      // The log can only be shorter if it restarted without `skipEntries`, for example after a crash.
      const entries = activity.after(before.counted > activity.last ? 0 : before.counted);
      if (entries.length > 0) tx.put('partner', 'figures', this.#with(before, entries));
    });
    return true;
  }

  /** Returns the figures as of the last count. */
  figures(): PartnerFigures {
    const { store, realTime, certificates } = this.#parts;
    const { days, reliedOn } = recordIn(store);
    return { at: realTime(), days, pending: this.#pending(reliedOn), certificates: certificates.facts() };
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

/** Excludes the existing log entries from the figures, because they came with a snapshot and were counted when they were new. */
export function skipEntries(tx: Tx<WorkspaceCollections>): void {
  const newest = tx.all('activity').at(-1)?.seq ?? 0;
  tx.put('partner', 'figures', { ...recordIn(tx), counted: Math.max(newest, lastTally(tx, 'activity')) });
}

function recordIn(reader: Pick<Store<WorkspaceCollections>, 'get'>): PartnerRecord {
  return reader.get('partner', 'figures') ?? { counted: 0, reliedOn: [], days: [] };
}

/** Returns the row of a workspace: its figures for the last `days` days, and its relevant certification. */
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
