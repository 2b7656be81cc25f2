import type { PartResult } from './bench.ts';
import type { Table } from './figures.ts';
import { type Machine, withoutPlaces } from './machine.ts';
import { type PartName, type Target, targets, type Verdict, verdict } from './targets.ts';

/** A row and its result. */
export interface Judged extends Target {
  /** `null` if the figure was not measured. */
  readonly measured: number | null;
  readonly verdict: Verdict;
}

/** The report of a run. */
export interface Report {
  readonly date: string;
  readonly version: string;
  readonly seconds: number;
  readonly load: string;
  readonly machine: Machine;
  readonly targets: readonly Judged[];
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  readonly failed: readonly { readonly part: PartName; readonly reason: string }[];
}

/** The result of a part: its figures, or the error that prevented them. */
export type Outcome = { readonly part: PartName } & ({ readonly measured: PartResult } | { readonly error: unknown });

/** Combines the results of the parts. Removes this machine's paths from all text. */
export function reportOf(
  outcomes: readonly Outcome[],
  run: Pick<Report, 'date' | 'version' | 'seconds' | 'load' | 'machine'>,
): Report {
  const results = outcomes.flatMap((outcome) => ('measured' in outcome ? [outcome.measured] : []));
  const figures = new Map(results.flatMap((part) => Object.entries(part.figures)));
  const wanted = targets.filter(({ part }) => outcomes.some((outcome) => outcome.part === part));
  return {
    ...run,
    targets: wanted.map((target) => {
      const figure = figures.get(target.key);
      return { ...target, measured: figure ?? null, verdict: verdict(target.goal, figure) };
    }),
    tables: results.flatMap(({ tables }) => tables),
    notes: [
      `Load and servers share the ${run.machine.cores} cores of one machine, so ratios say more than rates.`,
      ...results.flatMap(({ notes = [] }) => notes.map((note) => withoutPlaces(note))),
    ],
    failed: outcomes.flatMap((outcome) =>
      'error' in outcome ? [{ part: outcome.part, reason: withoutPlaces(messageOf(outcome.error)) }] : [],
    ),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
