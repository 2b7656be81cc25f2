/** Output and exit codes of a `certify` run. */
import { entryOf } from '../certification/causes.ts';
import type { Conclusion } from '../certification/report.ts';
import {
  failedWords,
  failuresText,
  firstIds,
  type Look,
  levelNames,
  remedyOf,
  reportText,
  unjudgedMandatory,
} from '../certification/report-text.ts';
import type { Begun, CertifyParts } from '../certification/run-plan.ts';
import { notNamed } from '../certification/selection.ts';
import type { Input, Report, RequirementVerdict, VerdictWord } from '../certification/verdict.ts';
import { count } from '../conformance/report-text.ts';
import { realTimer, repeatedly, type Timer } from '../runtime/clock.ts';
import { printable } from '../runtime/terminal.ts';
import type { CertifyFlags } from './certify-input.ts';
import { type Io, say } from './io.ts';

/** Exit codes of `certify` (OP-173). */
export const exitCodes = {
  holds: 0,
  failed: 1,
  usage: 2,
  environment: 3,
  suiteError: 4,
  partial: 5,
  interrupted: 130,
} as const;

/** The exit code of a run, and its explanation. */
export interface Ending {
  readonly code: number;
  readonly text: string;
}

/** Determines the exit code of a run and its explanation. A partial run counts as success only if `allowPartial` is set. */
export function endingOf(report: Report, conclusion: Conclusion, allowPartial = false): Ending {
  const { outcome, problem, counts } = report;
  if (outcome === 'interrupted')
    return ending('interrupted', 'Interrupted: the run is incomplete, so there is no certificate.');
  if (outcome === 'environment') return ending('environment', `The run could not start. ${problem}`);
  if (outcome === 'suite_error') {
    const broken = ids(report.verdicts.filter(({ verdict }) => verdict === 'suite_error'));
    const where = count(counts.suite_error, 'requirement');
    return ending('suiteError', `Internal error in ${where}; this is not a fault of your server: ${broken}.`);
  }
  const { failed, fixed, stuck, expected, minor } = conclusion;
  if (failed.length > 0) {
    return ending('failed', failures([...failed, ...minor], report), unjudged(conclusion));
  }
  if (fixed.length > 0)
    return ending('failed', `Known failures now pass. Remove them from the baseline: ${ids(fixed)}.`);
  if (stuck.length > 0) {
    const what = count(stuck.length, 'requirement');
    return ending('failed', `${what} could not be checked, and no failure explains why: ${ids(stuck)}.`);
  }
  if (counts.pass + expected.length === 0)
    return ending('environment', 'Nothing was checked. Provide the input that the requirements need; --list shows it.');
  const except = expected.length > 0 ? `, except for known failures: ${ids(expected)}` : '';
  const others = minor.length > 0 ? failures(minor, report) : '';
  const left = unjudged(conclusion);
  if (left === '') return ending('holds', `All applicable mandatory requirements passed${except}.`, others);
  const partial = `Partial: all checked mandatory requirements passed${except}, but ${left}`;
  if (allowPartial) return ending('holds', partial, others);
  return ending('partial', partial, others, 'Use --allow-partial to accept a partial run.');
}

function ending(how: keyof typeof exitCodes, ...said: readonly string[]): Ending {
  return { code: exitCodes[how], text: sentences(...said) };
}

/** Describes the unchecked mandatory requirements and the missing input; an empty string if all were checked. */
function unjudged({ unjudged: left }: Conclusion): string {
  if (left.length === 0) return '';
  const were = left.length === 1 ? 'was' : 'were';
  const blocked = left.filter(({ verdict }) => verdict === 'blocked');
  return sentences(
    `${count(left.length, 'mandatory requirement')} ${were} not checked.`,
    remedyOf(unjudgedMandatory(left)),
    blocked.length > 0 ? `Blocked by failed recommended requirements: ${ids(blocked)}.` : '',
  );
}

/** Summarizes failures, such as `13 failed, 6 causes (9 mandatory, 4 recommended): CRD-02, ...`. */
function failures(all: readonly RequirementVerdict[], report: Report): string {
  const levels = Map.groupBy(all, ({ level }) => levelNames[level]);
  const shares = [...levels].map(([name, those]) => `${those.length} ${name}`);
  const causes = new Set(all.map(({ id }) => entryOf(report.failures, id)?.requirement ?? id));
  return `${failedWords(all.length, causes.size)} (${shares.join(', ')}): ${ids(all)}.`;
}

/**
 * Summarizes the verdicts selected by `--only`, such as `fail: CRD-02; pass: CRD-01`. Returns an empty string
 * without `--only` or without a run.
 */
export function verdictLines({ verdicts, outcome }: Report, input: Input): readonly string[] {
  if (input.only === undefined || outcome === 'environment') return [];
  const named = verdicts.filter((verdict) => notNamed(verdict, input) === undefined);
  const words = Map.groupBy(named, ({ verdict }) => verdict.replaceAll('_', ' '));
  return [[...words].map(([word, those]) => `${word}: ${ids(those)}`).join('; ')];
}

function ids(verdicts: readonly RequirementVerdict[]): string {
  return firstIds(verdicts.map(({ id }) => id));
}

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}

/** Returns a callback that prints the planned run before it changes the ledger. */
export function announce(io: Io, { client_url, seed = '1', customers, balance = 5000 }: Input): (begun: Begun) => void {
  const [first] = customers;
  const names = { v1: 'version 1.0', v2: 'version 2.0', both: 'versions 1.0 and 2.0' };
  return ({ api, judged, of, calls, notes }) => {
    clearLine(io);
    say(
      io,
      `Checking ${client_url} against ${judged} of ${of} requirements (${names[api]}, seed ${seed}).`,
      `The run sends at most ${calls} calls. It changes the balances of ${customers.join(', ')} and restores them.`,
      `${first} must have at least ${balance} points.`,
      ...notes,
    );
  };
}

/** Milliseconds between two progress updates. On a terminal, an update rewrites the same line. */
const pace = { terminal: 1000, lines: 10_000 };

/**
 * Reports the progress of a run, even while a slow server delays the next verdict. A terminal shows one updated line.
 * Other outputs receive a new line every 10 s.
 */
export function progress(io: Io, { quiet }: CertifyFlags, timer: Timer = realTimer) {
  if (quiet === true) return { onProgress: () => {}, stop: () => {} };
  const { stderr } = io;
  const period = stderr.isTTY === true ? pace.terminal : pace.lines;
  let passed = 0;
  const counts = new Map<VerdictWord, number>();
  let far = 'No requirement checked yet';
  const show = () => {
    const line = `${far}, ${passed / 1000} s`;
    if (stderr.isTTY === true) stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
    else say(io, line);
  };
  const tick = async () => {
    passed += period;
    show();
  };
  const stop = repeatedly(timer, tick, period);
  const onProgress: CertifyParts['progress'] = ({ id, verdict }, { done, of }) => {
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const words = [...counts].map(([word, number]) => `${number} ${word.replaceAll('_', ' ')}`).join(', ');
    far = `${done} of ${of} requirements checked: ${words} (${id})`;
    if (stderr.isTTY === true) show();
  };
  return { onProgress, stop };
}

export function clearLine({ stderr }: Io): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[K');
}

export function print(io: Io, report: Report, flags: CertifyFlags, input: Input): void {
  if (flags.json === true) io.stdout.write(`${printable(JSON.stringify(report))}\n`);
  else if (flags.quiet === true) io.stdout.write(failuresText(report, look(io, input)));
  else io.stdout.write(reportText(report, look(io, input)));
}

export function look({ stdout, env }: Io, input: Input | undefined): Look {
  const { isTTY, columns = 80 } = stdout;
  return {
    colour: isTTY === true && (env.NO_COLOR ?? '') === '',
    width: isTTY === true ? columns : 100,
    docs: docsOf(input),
  };
}

/** Returns the URL of the documentation, at the sandbox in the input or at the default address. */
export function docsOf(input: Input | undefined): string {
  return `${input?.sandbox?.url.replace(/\/$/, '') ?? 'http://localhost:4010'}/docs`;
}
