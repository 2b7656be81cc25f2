/** The command line of the certification: arguments, what is printed, exit codes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conclude } from '../certification/baseline.ts';
import type { SigningKey } from '../certification/certificate.ts';
import { EnvironmentError } from '../certification/preflight.ts';
import { writeReports } from '../certification/report-files.ts';
import { failuresText, type Look, listText, reportText } from '../certification/report-text.ts';
import { EditionError, loadRequirements } from '../certification/requirement.ts';
import type { Begun } from '../certification/run-plan.ts';
import { notNamed, unknownNames } from '../certification/selection.ts';
import { KeyError, ownSigningKey, privateKey, signingKeyFileName } from '../certification/signing-key.ts';
import type { Input, Report, VerdictWord } from '../certification/verdict.ts';
import { letReadersLeave, printable, writeLines } from '../runtime/terminal.ts';
import { certify, version } from '../sandbox.ts';
import { type CertifyFlags, certifyCommand } from './certify-command.ts';
import { endingOf, exitCodes } from './certify-exit.ts';
import { type RunOptions, readRunOptions, UsageError } from './certify-input.ts';
import { parse } from './command-line.ts';
import { type Io, say } from './io.ts';
import { warnOfExposedKey } from './key.ts';
import { FileError } from './yaml-file.ts';

/** Certifies a client server, or lists the requirements. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const program = certifyCommand(version);
  try {
    const ended = await parse(program, io, io.args.slice(1));
    if (ended !== undefined) return ended;
    const flags = program.opts<CertifyFlags>();
    return flags.list === true ? list(io, flags) : await run(io, readRunOptions(flags), flags);
  } catch (error) {
    return explain(io, error);
  }
}

/** Prints the requirements that `--only` and `--skip` leave. */
function list(io: Io, { requirements, only, skip, json }: CertifyFlags): number {
  const { list: all } = loadRequirements(requirements);
  const [unknown] = unknownNames(all, { only, skip });
  if (unknown !== undefined)
    throw new UsageError(`Unknown requirement or group: ${unknown}. --list shows all of them.`);
  const chosen = all.filter((requirement) => notNamed(requirement, { only, skip }) === undefined);
  io.stdout.write(json === true ? `${JSON.stringify(chosen)}\n` : listText(chosen, look(io, undefined)));
  return exitCodes.holds;
}

async function run(io: Io, options: RunOptions, flags: CertifyFlags): Promise<number> {
  const { input, weight, baseline, files, allowPartial } = options;
  const signing = files.some(({ format }) => format === 'certificate')
    ? await signingKey(io, options, flags)
    : undefined;
  const ending = new AbortController();
  const stop = () => {
    if (ending.signal.aborted) io.exit(exitCodes.interrupted);
    say(io, 'Stopping: restoring balances. Press Ctrl+C again to stop immediately.');
    ending.abort();
  };
  io.onSignal(stop);
  const report = await certify({
    ...input,
    signal: ending.signal,
    onBegin: announce(io, input),
    ...progress(io, flags),
  });
  clearLine(io);
  const written = await writeReports(report, files, { failOn: weight, docs: docsOf(input), signing, allowPartial });
  if (written.length < files.length) say(io, 'No certificate was written, because the run did not finish.');
  const end = endingOf(report, conclude(report, weight, baseline), allowPartial);
  print(io, report, flags, input);
  if (flags.json === true) say(io, end.text);
  else writeLines(io.stdout, end.text);
  return end.code;
}

/** Says before the ledger is changed what will be done. */
function announce(io: Io, { client_url, seed = '1', customers, balance = 5000 }: Input): (begun: Begun) => void {
  const [first] = customers;
  const names = { v1: 'version 1.0', v2: 'version 2.0', both: 'versions 1.0 and 2.0' };
  return ({ api, judged, of, calls }) =>
    say(
      io,
      `Checking ${client_url} against ${judged} of ${of} requirements (${names[api]}, seed ${seed}).`,
      `The run sends at most ${calls} calls. It changes the balances of ${customers.join(', ')} and restores them.`,
      `${first} must have at least ${balance} points.`,
    );
}

/** On a terminal, one line that is written again; else nothing. */
function progress({ stderr }: Io, { quiet }: CertifyFlags) {
  if (stderr.isTTY !== true || quiet === true) return {};
  const counts = new Map<VerdictWord, number>();
  return {
    onProgress: ({ id, verdict }: { id: string; verdict: VerdictWord }, { done, of }: { done: number; of: number }) => {
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      const words = [...counts].map(([word, number]) => `${number} ${word.replaceAll('_', ' ')}`).join(', ');
      const line = `${done} of ${of}: ${words} (${id})`.slice(0, (stderr.columns ?? 80) - 1);
      stderr.write(`\r\u001b[K${line}`);
    },
  };
}

function clearLine({ stderr }: Io): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[K');
}

/** The key of the witness, or the own one: read before the run, so that none is made for nothing. */
async function signingKey(io: Io, { witness }: RunOptions, { data }: CertifyFlags): Promise<SigningKey> {
  const warn = (message: string) => say(io, message);
  if (witness === undefined) {
    const key = await ownSigningKey(data);
    await warnOfExposedKey(join(data, signingKeyFileName), warn);
    return { key };
  }
  const { name, keyFile } = witness;
  await warnOfExposedKey(keyFile, warn);
  return { key: await privateKey(await readFile(keyFile, 'utf8'), keyFile), witness: name };
}

function print(io: Io, report: Report, flags: CertifyFlags, input: Input): void {
  if (flags.json === true) io.stdout.write(`${printable(JSON.stringify(report))}\n`);
  else if (flags.quiet === true) io.stdout.write(failuresText(report, look(io, input)));
  else io.stdout.write(reportText(report, look(io, input)));
}

function look({ stdout, env }: Io, input: Input | undefined): Look {
  const { isTTY, columns = 80 } = stdout;
  return {
    colour: isTTY === true && (env.NO_COLOR ?? '') === '',
    width: isTTY === true ? columns : 100,
    docs: docsOf(input),
  };
}

/** Where the documentation is: at the sandbox that was named, else where one is by default. */
function docsOf(input: Input | undefined): string {
  return `${input?.sandbox?.url.replace(/\/$/, '') ?? 'http://localhost:4010'}/docs`;
}

/** Says why there is no run, and what to do; an unexpected error is our own. */
function explain(io: Io, error: unknown): number {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || error instanceof FileError || error instanceof EditionError) {
    say(io, ...(error instanceof FileError ? error.lines : [message]));
    return exitCodes.usage;
  }
  if (error instanceof EnvironmentError || error instanceof KeyError) {
    say(io, message);
    return exitCodes.environment;
  }
  if (code !== undefined && /^E[A-Z]+$/.test(code)) {
    say(io, `Cannot use a file: ${message}`);
    return exitCodes.environment;
  }
  say(io, `Internal error in the certification suite, not in your server: ${message}`);
  return exitCodes.suiteError;
}
