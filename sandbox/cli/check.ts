/**
 * The `check` command, which validates captured traffic, and functions that `proxy` also uses. It has its own
 * composition root.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ServerName, servedContracts, serverNames } from '../apis/registry.ts';
import { CaptureError, type CaptureOptions, capturesIn, checkCapture, checkCaptures } from '../conformance/capture.ts';
import { Checker } from '../conformance/checker.ts';
import { bundlesIn, ContractError, loadContractSet, ownContracts } from '../conformance/contracts.ts';
import { fails } from '../conformance/finding.ts';
import type { FindingCollector, Report } from '../conformance/finding-collector.ts';
import type { ServerAddresses } from '../conformance/har.ts';
import { type Sources, sourceOf, unknownOperations } from '../conformance/report-sarif.ts';
import { nothingWords, textReport, unmatchedWords } from '../conformance/report-text.ts';
import { type ReportFile, reportFile, writeReports } from '../conformance/reports.ts';
import { isRequirable, unobserved } from '../conformance/statements/statements.ts';
import type { Weight } from '../contract/basis.ts';
import { printable } from '../runtime/terminal.ts';
import { replaceFile } from '../store/files.ts';
import { version } from '../version.ts';
import { type Act, adaptHelp, url, wholeNumber } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import { InputError, readAnswers } from './yaml-file.ts';

/** Flags of both `check` and `proxy`. */
export interface TrafficFlags {
  readonly report?: readonly ReportFile[];
  readonly source?: Sources;
  readonly minCoverage?: number;
  readonly require?: readonly string[];
  readonly failOn: Weight;
  readonly api?: readonly string[];
  readonly contracts?: string;
  readonly answers?: string;
  readonly json?: boolean;
}

interface CheckFlags extends TrafficFlags {
  readonly server?: ServerAddresses;
  readonly complete?: boolean;
  readonly openPoints?: true;
  readonly draftAnswers?: string;
}

export const trafficCodes = `
Exit codes:
  0 clean: no findings at or above the --fail-on level, and enough coverage
  1 findings at that level, or too little coverage
  2 usage error
  3 nothing was checked, or environment: unreadable file, port in use, invalid contract
An error violates the interface as specified. A warning violates an assumption of this sandbox. Each finding includes its
source (basis).`;

const checkHelp = `
Examples:
  npm run check -- capture.har                            a HAR from a browser, mitmproxy or \`redocly respect -H\`
  npm run check -- run.json                               an export of newman or k6
  npm run check -- access.ndjson --server client=http://127.0.0.1:8080    an access log with bodies, one JSON object per line
  npm run check -- pacts/app-client.json --server client=http://127.0.0.1:8080    the interactions of a Pact file
  npm run check -- captures/                              every capture in a folder, in one report
  curl -s localhost:4010/sandbox/v1/activity | npm run check -- -    the activity log of a sandbox
  npm run check -- capture.har --report junit=check.xml --report sarif=check.sarif
  npm run check -- capture.har --report sarif=check.sarif --source src/server.js --source creditPoints=src/points.js:40
  npm run check -- capture.har --fail-on warning          also fail on the sandbox's assumptions
  npm run check -- capture.har --server client=http://127.0.0.1:8080    calls to your own server, without the /client prefix
  npm run check -- capture.har --complete --require observed=S,R6    a complete test run, and statements it must exercise
  npm run check -- staging.har --open-points --draft-answers draft.yaml    evidence from real traffic on open points
  npm run check -- capture.har --server client=https://client.example/api --api client --min-coverage 80
${trafficCodes}`;

/** Exit codes of `check` and `proxy`. */
export const exitCodes = { clean: 0, findings: 1, usage: 2, environment: 3 } as const;

/** Adds the `check` command to the program. */
export function addTo(program: Command, act: Act): void {
  addTrafficFlags(
    program
      .command('check')
      .argument(
        '<capture>',
        'HAR file, export of newman, k6 or the activity log, Pact file, access log, or a folder of them; - reads stdin',
      ),
  )
    .description('Validate captured traffic against the contracts.')
    .addOption(serverOption())
    .option(
      '--complete',
      'the capture contains every call for its customers, timed by one clock; missing calls and inconsistent balances are findings',
    )
    .option('--open-points', 'also print which open points the capture confirms or contradicts')
    .option('--draft-answers <file>', 'write that evidence as draft answers, which a person must confirm')
    .addHelpText('after', adaptHelp(checkHelp))
    .action(act(check));
}

/** Adds the flags that `check` and `proxy` share to a command. */
export function addTrafficFlags(command: Command): Command {
  return command
    .option('--report <format=file>', 'also write json=, junit= or sarif= (repeatable)', reports)
    .option(
      '--source <operation=path>',
      'source file (or path:line) that SARIF findings of an operation link to; without operation=, for all other findings (repeatable)',
      sources,
    )
    .addOption(
      new Option('--fail-on <weight>', 'exit with 1 on errors only, or also on warnings')
        .choices(['error', 'warning'])
        .default('error'),
    )
    .option(
      '--min-coverage <percent>',
      'fail if a smaller share of the documented requests and successful responses occurs',
      (text) => wholeNumber(text, 100),
    )
    .option(
      '--require <observed=ids>',
      'fail unless these interface statements were exercised: ids such as A5, or sections such as S (repeatable)',
      required,
    )
    .option('--api <name>', 'contract to measure coverage of (repeatable; default: all except sandbox and pages)', apis)
    .option('--contracts <dir>', 'use the contracts from another version of this project')
    .option(
      '--answers <file>',
      'YAML file with the answers to open points: agreed points count as stated, differing ones not at all',
    )
    .option('--json', 'print the report as JSON');
}

/** Creates a repeatable option for the addresses of servers. `add` merges an address into the previous ones. */
export function addresses<Addresses>(
  flag: string,
  text: string,
  names: readonly string[],
  add: (previous: Addresses | undefined, name: string, address: URL) => Addresses,
): Option {
  return new Option(flag, `${text} (repeatable)`).argParser((value: string, previous?: Addresses) => {
    const [, name = '', address = ''] = /^(\w+)=(.+)$/.exec(value) ?? [];
    if (!names.includes(name))
      throw new InvalidArgumentError(`It must be NAME=URL, where NAME is one of ${names.join(', ')}.`);
    return add(previous, name, url(address));
  });
}

/** Creates the option for the base URLs of the APIs in a capture. */
export function serverOption(): Option {
  return addresses(
    '--server <name=url>',
    'base URL of an API in the capture, if not under its usual prefix; an API may have several',
    serverNames,
    addServer,
  );
}

/** Adds an address to those of its API. */
function addServer(previous: ServerAddresses = {}, name: string, address: URL): ServerAddresses {
  return { ...previous, [name]: [...(previous[name as ServerName] ?? []), address] };
}

function reports(text: string, previous: readonly ReportFile[] = []): readonly ReportFile[] {
  const file = reportFile(text);
  if (file === undefined) throw new InvalidArgumentError('It must be json=FILE, junit=FILE or sarif=FILE.');
  return [...previous, file];
}

function sources(text: string, previous: Sources = new Map()): Sources {
  const source = sourceOf(text);
  if (source === undefined)
    throw new InvalidArgumentError(
      'It must be PATH, PATH:LINE or OPERATION=PATH:LINE, relative to the root of your repository.',
    );
  return new Map([...previous, source]);
}

function apis(name: string, previous: readonly string[] = []): readonly string[] {
  if (!(servedContracts as readonly string[]).includes(name))
    throw new InvalidArgumentError(`It must be one of ${servedContracts.join(', ')}.`);
  return [...previous, name];
}

function required(text: string, previous: readonly string[] = []): readonly string[] {
  const [, list = ''] = /^observed=(.+)$/.exec(text) ?? [];
  const ids = list.split(',').map((id) => id.trim());
  const unknown = ids.filter((id) => !isRequirable(id));
  if (unknown.length > 0)
    throw new InvalidArgumentError('Use observed= with statements that traffic can show, such as observed=S,R6.');
  return [...previous, ...ids];
}

/** Validates a capture, every capture in a folder, or standard input. */
async function check(io: Io, capture: string, flags: CheckFlags): Promise<number> {
  const { server = {}, api, complete = false } = flags;
  const checker = checkerFor(flags);
  const options = { version, addresses: server, complete, ...(api && { apis: api }) };
  const book = await readCapture(io, capture, checker, options);
  const { report } = book;
  const code = await conclude(io, report, flags);
  await showEvidence(io, capture, report, flags);
  const gap = complete ? book.orderGap : undefined;
  if (gap === undefined) return code;
  const problem = `--complete needs all calls in order, and ${gap}.`;
  return failWith(
    io,
    exitCodes.environment,
    `${problem} Record the calls of both servers with times, or omit --complete.`,
  );
}

/** Prints the evidence for open points in the capture, and writes draft answers, if requested. */
async function showEvidence(io: Io, capture: string, report: Report, flags: CheckFlags): Promise<void> {
  const { openPoints, draftAnswers: file, json } = flags;
  if (openPoints === undefined && file === undefined) return;
  const { draftAnswers, evidenceIn, evidenceText } = await import('../conformance/open-points.ts');
  const evidence = evidenceIn(report);
  // The JSON report contains this evidence as `open_points` and `findings`.
  if (openPoints && json !== true) io.stdout.write(`\n${evidenceText(evidence)}`);
  const source = capture === '-' ? 'standard input' : basename(capture);
  const date = new Date(Date.now()).toISOString().slice(0, 10);
  if (file !== undefined) await replaceFile(file, draftAnswers(evidence, source, date));
}

/** Reads and checks a capture, every capture in a folder, or standard input. Resolves with the findings. */
export async function readCapture(
  io: Io,
  capture: string,
  checker: Checker,
  options: CaptureOptions,
): Promise<FindingCollector> {
  // The stream reports a missing file.
  const isFolder = capture !== '-' && (await stat(capture).catch(() => undefined))?.isDirectory() === true;
  const captures = isFolder ? await capturesIn(capture) : [];
  const named = captures.map((name) => ({ name, open: () => createReadStream(name) }));
  // There must be no `await` between opening and reading a stream. A stream that fails without a listener ends the
  // process.
  return isFolder
    ? await checkCaptures(named, checker, options)
    : await checkCapture(capture === '-' ? io.stdin() : createReadStream(capture), checker, options);
}

/**
 * Creates a checker for the built-in contracts, or for those in a folder. Throws `ContractError` or `InputError` if the
 * contracts or the answers cannot be used, or if no contract has an operation of `--source`.
 */
export function checkerFor(flags: Pick<TrafficFlags, 'contracts' | 'answers' | 'source'>): Checker {
  const { contracts, answers: file, source = new Map() } = flags;
  const options = file === undefined ? {} : { answers: readAnswers(file) };
  const checker = new Checker(contracts === undefined ? ownContracts() : contractsIn(contracts), options);
  const unknown = unknownOperations(source, checker);
  if (unknown.length === 0) return checker;
  const problem = `Unknown operation: ${unknown.join(', ')}.`;
  throw new InputError(`${problem} Use an operationId from a contract, such as createRedemptionOrder.`);
}

function contractsIn(folder: string) {
  const root = pathToFileURL(`${resolve(folder)}/`);
  return loadContractSet(bundlesIn(root), root);
}

/** Writes and prints the report. Returns the exit code of the result. */
export async function conclude(io: Io, report: Report, flags: TrafficFlags, quiet?: boolean): Promise<number> {
  const { stdout } = io;
  await writeReports(report, flags.report ?? [], flags.source);
  if (flags.json === true) stdout.write(`${printable(JSON.stringify(report))}\n`);
  else if (quiet !== true) stdout.write(textReport(report, stdout.isTTY === true));
  const { percent } = report.coverage;
  const tooLittle = flags.minCoverage !== undefined && percent < flags.minCoverage;
  if (tooLittle) say(io, `Coverage is ${percent} %, below the required ${flags.minCoverage} %.`);
  const missing = unobserved(report.statements, flags.require ?? []);
  if (missing.length > 0) say(io, `Required statements not exercised: ${missing.join(', ')}.`);
  const failed = report.findings.some((found) => fails(found, flags.failOn));
  const nothing = nothingWords(report);
  if (nothing !== undefined && flags.json === true) say(io, [nothing, unmatchedWords(report) ?? ''].join(' ').trim());
  if (nothing !== undefined) return exitCodes.environment;
  return failed || tooLittle || missing.length > 0 ? exitCodes.findings : exitCodes.clean;
}

/** Prints a one-line error message with a remedy. Returns the exit code. */
export function explain(io: Io, error: unknown): number {
  if (error instanceof InputError) return failWith(io, exitCodes.usage, ...error.lines);
  return failWith(io, exitCodes.environment, environmentProblem(error as NodeJS.ErrnoException));
}

function environmentProblem(error: NodeJS.ErrnoException): string {
  const { code, message } = error;
  if (error instanceof ContractError) return `Cannot use the contracts: ${message}`;
  if (error instanceof CaptureError) return `Cannot check the capture: ${message}`;
  if (code !== 'EADDRINUSE') return `Cannot continue: ${message}`;
  return `The port is in use by another program (${message}). Choose another with --port.`;
}
