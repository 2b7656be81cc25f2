import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { version } from 'node:process';
import type { PartResult } from './bench.ts';
import type { Table } from './figures.ts';
import { type PartName, type Target, targets, type Verdict, verdict } from './targets.ts';

/** A row and its result. */
export interface Judged extends Target {
  /** Null if it was not measured. */
  readonly measured: number | null;
  readonly verdict: Verdict;
}

/** The report of a run. */
export interface Report {
  readonly date: string;
  readonly version: string;
  readonly seconds: number;
  readonly machine: ReturnType<typeof thisMachine>;
  readonly targets: readonly Judged[];
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

/** The results of parts, by their names. */
export type Results = ReadonlyMap<PartName, PartResult>;

/** Judges the figures of the parts that were measured. */
export function reportOf(results: Results, run: Pick<Report, 'date' | 'version' | 'seconds' | 'machine'>): Report {
  const figures = new Map([...results.values()].flatMap((part) => Object.entries(part.figures)));
  return {
    ...run,
    targets: targets
      .filter(({ part }) => results.has(part))
      .map((target) => {
        const figure = figures.get(target.key);
        return { ...target, measured: figure ?? null, verdict: verdict(target.goal, figure) };
      }),
    tables: [...results.values()].flatMap(({ tables }) => tables),
    notes: [
      `Load and servers share the ${run.machine.cores} cores of one machine, so ratios say more than rates.`,
      ...[...results.values()].flatMap(({ notes = [] }) => notes),
    ],
  };
}

const fileSystems = new Map([
  [0xef53, 'ext4'],
  [0x01021994, 'tmpfs (no disk)'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
]);

/** The machine of a run, with the disk of a folder: enough to judge the figures, and nothing that identifies its owner. */
export function thisMachine(dir: string) {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `Linux ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`,
    node: version,
    fileSystem: fileSystems.get(statfsSync(dir).type) ?? 'another',
  };
}
