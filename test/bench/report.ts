import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, homedir, hostname, release, totalmem, userInfo } from 'node:os';
import { version as nodeVersion } from 'node:process';
import { version } from '../../sandbox/version.ts';
import type { PartResult } from './bench.ts';
import { formatFigure, type Row, ratioOf, type Table, withUnit } from './figures.ts';
import { type PartName, targets, verdict } from './targets.ts';

const fileSystems = new Map([
  [0xef53, 'ext4'],
  [0x01021994, 'tmpfs (no disk)'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
]);

/** Describes this machine, including the disk of a folder, in enough detail to check the figures but without identifying its owner. */
export function thisMachine(dir: string) {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `Linux ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`,
    node: nodeVersion,
    fileSystem: fileSystems.get(statfsSync(dir).type) ?? 'another',
  };
}

/** Removes this machine's folders, host name and user name from text. */
export function withoutPlaces(text: string, names: readonly string[] = [homedir(), hostname(), userInfo().username]) {
  const named = names.filter((name) => name.length > 2);
  const bare = named.reduce(
    (rest, name) => rest.replaceAll(name, '...'),
    text.replace(/(?:file:\/\/)?(?:\/[\w.@+-]+){2,}/g, '...'),
  );
  return bare.replace(/\s+/g, ' ').trim().slice(0, 300);
}

/** The result of a part: its figures, or the error that prevented them. */
export type Outcome = { readonly part: PartName } & ({ readonly measured: PartResult } | { readonly error: unknown });

/** The duration of a run, its load tool and its machine. */
interface Run {
  readonly seconds: number;
  readonly load: string;
  readonly machine: ReturnType<typeof thisMachine>;
}

/** Combines the results of the parts. Removes this machine's paths from all text. */
export function reportOf(outcomes: readonly Outcome[], run: Run) {
  const results = outcomes.flatMap((outcome) => ('measured' in outcome ? [outcome.measured] : []));
  const figures = new Map(results.flatMap((part) => Object.entries(part.figures)));
  const wanted = targets.filter(({ part }) => outcomes.some((outcome) => outcome.part === part));
  return {
    date: new Date().toISOString().slice(0, 10),
    version,
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
      'error' in outcome ? [{ part: outcome.part, reason: withoutPlaces(String(outcome.error)) }] : [],
    ),
  };
}

export type Report = ReturnType<typeof reportOf>;

/** Formats a report's tables for a terminal, with the targets first. */
export function printed({ targets, tables, notes, failed }: Report): string {
  const lines = targets.map(({ name, before, measured, unit, goal, verdict }) => {
    const wanted = goal && `${goal.bound === 'least' ? '>=' : '<='} ${withUnit(goal.target, unit)}`;
    const now = withUnit(measured ?? Number.NaN, unit);
    return [name.padEnd(54), before.padEnd(16), now.padEnd(14), (wanted ?? '').padEnd(12), verdict].join(' ');
  });
  const title = ['Targets'.padEnd(54), 'before'.padEnd(16), 'now'.padEnd(14), 'target'].join(' ');
  const failures = failed.map(({ part, reason }) => `failed: ${part}: ${reason}`);
  const blocks = [[title, ...lines], ...tables.map(tableLines), notes.map((note) => `- ${note}`), failures];
  return blocks.map((block) => `${block.join('\n')}\n`).join('\n');
}

function tableLines(table: Table): string[] {
  const { title, unit, against, rows } = table;
  const line = (row: Row) => {
    const ratio = ratioOf(table, row);
    const rounds = row.rounds.length > 1 ? `(${row.rounds.map(formatFigure).join(', ')})` : '';
    const share = ratio === undefined ? '' : `${formatFigure(ratio)} of ${against}`;
    return [`  ${row.name.padEnd(34)}`, share.padEnd(36), withUnit(row.value, unit).padStart(12), rounds].join(' ');
  };
  return [title, ...rows.map(line)];
}
