/** Returns the median, so that other work on the machine during one of three rounds has no effect. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Formats a figure for people, with two or three significant digits and thousands separators. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return 'not measured';
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Formats a figure with its unit. */
export function withUnit(value: number, unit: string): string {
  if (!Number.isFinite(value)) return formatFigure(value);
  return unit === '' ? formatFigure(value) : `${formatFigure(value)} ${unit}`;
}

/** A measurement in rounds: its overall figure and the figure of each round. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly rounds: readonly number[];
}

/** Figures of one kind. Ratios are relative to the row that `against` names. */
export interface Table {
  readonly title: string;
  readonly unit: string;
  readonly against?: string;
  readonly note?: string;
  readonly rows: readonly Row[];
}

/** Creates a row from one or more rounds. */
export function row(name: string, ...rounds: number[]): Row {
  return { name, value: median(rounds), rounds };
}

/** Returns the figure of a row. Throws if the row is missing, because the part must have measured it. */
export function figureOf(rows: readonly Row[], name: string): number {
  const match = rows.find((one) => one.name === name);
  if (match === undefined) throw new Error(`nothing was measured as ${name}`);
  return match.value;
}

/** Returns a row's ratio to the reference row of its table. Returns `undefined` for the reference row itself, or if there is none. */
export function ratioOf({ against, rows }: Table, { name, value }: Row): number | undefined {
  if (against === undefined || name === against || !rows.some((one) => one.name === against)) return undefined;
  return value / figureOf(rows, against);
}

/** Measures each subject once per round (A B C A B C), so that changes on the machine affect all of them. */
export async function interleaved<R>(
  subjects: readonly { readonly name: string; readonly run: (round: number) => Promise<R> }[],
  rounds: number,
): Promise<Map<string, R[]>> {
  const results = new Map(subjects.map(({ name }) => [name, [] as R[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run } of subjects) results.get(name)?.push(await run(round));
  }
  return results;
}
