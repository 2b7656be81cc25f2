/** The command line of the certification: arguments, what is printed, exit codes. It reads `process`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { concluded } from '../conformance/certification/baseline.ts';
import type { SigningKey } from '../conformance/certification/certificate.ts';
import { mostCalls } from '../conformance/certification/certify.ts';
import { EnvironmentError } from '../conformance/certification/preparing.ts';
import { writeReports } from '../conformance/certification/report-files.ts';
import { failuresText, type Look, listText, reportText } from '../conformance/certification/report-text.ts';
import { EditionError, loadRequirements } from '../conformance/certification/requirement.ts';
import { leftOut, notNamed, unknownNames } from '../conformance/certification/selection.ts';
import { KeyError, ownSigningKey, privateKey, signingKeyFileName } from '../conformance/certification/signing-key.ts';
import type { Input, Report, VerdictWord } from '../conformance/certification/verdict.ts';
import { letReadersLeave, printable, writeLines } from '../runtime/terminal.ts';
import { certify, version } from '../sandbox.ts';
import { type CertifyFlags, certifyCommand } from './certify-command.ts';
import { endingOf, exitCodes } from './certify-exit.ts';
import { type Asked, askedBy, UsageError } from './certify-input.ts';
import { warnOfExposedKey } from './key.ts';
import { FileError } from './yaml-file.ts';

async function main(argv: readonly string[]): Promise<number> {
  const program = certifyCommand(version);
  try {
    program.parse(argv, { from: 'user' });
    const flags = program.opts<CertifyFlags>();
    return flags.list === true ? list(flags) : await run(askedBy(flags), flags);
  } catch (error) {
    return explain(error);
  }
}

/** Prints the requirements that `--only` and `--skip` leave. */
function list({ requirements, only, skip, json }: CertifyFlags): number {
  const { list: all } = loadRequirements(requirements);
  const [unknown] = unknownNames(all, { only, skip });
  if (unknown !== undefined) throw new UsageError(`${unknown} is neither a requirement nor a group.`);
  const chosen = all.filter((requirement) => notNamed(requirement, { only, skip }) === undefined);
  process.stdout.write(json === true ? `${JSON.stringify(chosen)}\n` : listText(chosen, look(undefined)));
  return exitCodes.holds;
}

async function run(asked: Asked, flags: CertifyFlags): Promise<number> {
  const { input, weight, baseline, files } = asked;
  const signing = files.some(({ format }) => format === 'certificate') ? await signingKey(asked, flags) : undefined;
  announce(input);
  const ending = new AbortController();
  const stop = () => {
    if (ending.signal.aborted) process.exit(exitCodes.interrupted);
    say('Ending the run: balances are put right. Once more ends it at once.');
    ending.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const report = await certify({ ...input, signal: ending.signal, ...progress(flags) });
  clearLine();
  const written = await writeReports(report, files, { failOn: weight, docs: docsOf(input), signing });
  if (written.length < files.length) say('No certificate is written of a run that did not come to its end.');
  const end = endingOf(report, concluded(report, weight, baseline));
  print(report, flags, input);
  if (flags.json === true) say(end.text);
  else writeLines(process.stdout, end.text);
  return end.code;
}

/** Says before the first call what will be done. */
function announce(input: Input): void {
  const requirements = loadRequirements(input.requirements);
  const judged = requirements.list.filter((requirement) => leftOut(requirement, input) === undefined);
  const [first, ...others] = input.customers;
  say(
    `${input.client_url} is certified by ${judged.length} of ${requirements.list.length} requirements, seed ${input.seed ?? '1'}.`,
    `At most ${mostCalls(input, requirements)} calls are sent. They change the ledger of ${[first, ...others].join(', ')}, and what they take is given back.`,
    `It needs ${first} with ${input.balance ?? 5000} points or more.`,
  );
}

/** On a terminal, one line that is written anew; else nothing. */
function progress({ quiet }: CertifyFlags) {
  if (process.stderr.isTTY !== true || quiet === true) return {};
  const counts = new Map<VerdictWord, number>();
  return {
    onProgress: ({ id, verdict }: { id: string; verdict: VerdictWord }, { done, of }: { done: number; of: number }) => {
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      const words = [...counts].map(([word, number]) => `${number} ${word.replaceAll('_', ' ')}`).join(', ');
      const line = `${done} of ${of}: ${words} (${id})`.slice(0, (process.stderr.columns ?? 80) - 1);
      process.stderr.write(`\r\u001b[K${line}`);
    },
  };
}

function clearLine(): void {
  if (process.stderr.isTTY === true) process.stderr.write('\r\u001b[K');
}

/** The key of the witness, or the own one: read before the run, so that none is made for nothing. */
async function signingKey({ witness }: Asked, { data }: CertifyFlags): Promise<SigningKey> {
  if (witness === undefined) {
    const key = await ownSigningKey(data);
    await warnOfExposedKey(join(data, signingKeyFileName), say);
    return { key };
  }
  const { name, keyFile } = witness;
  await warnOfExposedKey(keyFile, say);
  return { key: await privateKey(await readFile(keyFile, 'utf8'), keyFile), witness: name };
}

function print(report: Report, flags: CertifyFlags, input: Input): void {
  if (flags.json === true) process.stdout.write(`${printable(JSON.stringify(report))}\n`);
  else if (flags.quiet === true) process.stdout.write(failuresText(report, look(input)));
  else process.stdout.write(reportText(report, look(input)));
}

function look(input: Input | undefined): Look {
  const { isTTY, columns = 80 } = process.stdout;
  return {
    colour: isTTY === true && (process.env.NO_COLOR ?? '') === '',
    width: isTTY === true ? columns : 100,
    docs: docsOf(input),
  };
}

/** Where the documentation is: at the sandbox that was named, else where one is by default. */
function docsOf(input: Input | undefined): string {
  return `${input?.sandbox?.url.replace(/\/$/, '') ?? 'http://localhost:4010'}/docs`;
}

/** Says why there is no run, and what to do; what nobody expected is our own error. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.holds : exitCodes.usage;
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || error instanceof FileError || error instanceof EditionError) {
    say(...(error instanceof FileError ? error.lines : [message]));
    return exitCodes.usage;
  }
  if (error instanceof EnvironmentError || error instanceof KeyError) {
    say(message);
    return exitCodes.environment;
  }
  if (code !== undefined && /^E[A-Z]+$/.test(code)) {
    say(`A file cannot be used: ${message}`);
    return exitCodes.environment;
  }
  say(`This suite broke, which says nothing about the server: ${message}`);
  return exitCodes.suiteError;
}

/** Messages go to stderr, data to stdout. */
function say(...lines: readonly string[]): void {
  writeLines(process.stderr, ...lines);
}

letReadersLeave(process.stdout, process.stderr);
process.exitCode = await main(process.argv.slice(3));
