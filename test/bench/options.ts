import { parseArgs } from 'node:util';
import { limits, longest } from './limits.ts';
import { type PartName, partNames } from './targets.ts';

const minutes = (seconds: number) => Math.ceil(seconds / 60);

export const help = `Usage: npm run bench -- [--only NAME] [--beside DIR] [--json] [--fail-on-missed]

Measures the sandbox next to others of its kind, in one run of about five minutes, ${minutes(longest)} minutes at most: targets first,
met or missed, then the figures. Writes docs/bench/speed.json. Each server is warmed up until its
rate no longer grows.
Load comes from wrk where it is installed, else from autocannon, which is fetched into a temporary folder like the
other peers. It needs Linux: processor time and memory are read from /proc.

Options:
  --only NAME       this part only (repeatable); nothing is written then
                    ${partNames.join(', ')}
  --beside DIR      adds the part "beside" (two minutes, ${minutes(limits.beside)} at most): the same load in turn on the sandbox of another
                    checkout of this repository, which has its own node_modules
  --json            print JSON in place of tables
  --fail-on-missed  exit with 3 when a target is missed
  --dir DIR         where temporary folders are made, so which disk is measured (default: the system's)
  -h, --help        show this

Examples:
  npm run bench                                   everything, and docs/bench is written
  npm run bench -- --only orders                  one part
  npm run bench -- --only listing --only proxy --json > now.json
  npm run bench -- --only beside --beside ../main this checkout against another
  npm run bench -- --dir /srv/bench               on another disk

Exit codes:
  0 measured   1 a part failed   2 usage   3 a target was missed, with --fail-on-missed   130 interrupted
`;

export interface Options {
  readonly only: readonly PartName[];
  readonly json: boolean;
  readonly failOnMissed: boolean;
  readonly help: boolean;
  readonly dir?: string;
  /** The folder of another checkout. */
  readonly beside?: string;
}

/** Reads the arguments. Throws a readable error if they are invalid. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      'fail-on-missed': { type: 'boolean', default: false },
      dir: { type: 'string' },
      beside: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { only = [], json, help, dir, beside } = values;
  const unknown = only.find((name) => !partNames.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}": ${partNames.join(', ')}.`);
  if (only.includes('beside') && beside === undefined) throw new Error('The part "beside" needs --beside DIR.');
  const isWanted = (part: PartName) =>
    part === 'beside' ? beside !== undefined : only.length === 0 || only.includes(part);
  return {
    only: partNames.filter(isWanted),
    json,
    failOnMissed: values['fail-on-missed'],
    help,
    ...(dir !== undefined && { dir }),
    ...(beside !== undefined && { beside }),
  };
}

/** Returns the exit code of the process. */
export function exitCode(outcome: { failed: number; missed: number }, { failOnMissed }: { failOnMissed: boolean }) {
  if (outcome.failed > 0) return 1;
  return failOnMissed && outcome.missed > 0 ? 3 : 0;
}
