/** The `certify` command: its flags and its run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  KeyError,
  ownSigningKey,
  privateKey,
  type SigningKey,
  signingKeyFileName,
} from '../certification/certificate.ts';
import { EnvironmentError } from '../certification/preflight.ts';
import { conclude } from '../certification/report.ts';
import { reportFormats, writeReports } from '../certification/report-files.ts';
import { listText } from '../certification/report-text.ts';
import { EditionError, loadRequirements } from '../certification/requirement.ts';
import { notNamed, unknownNames } from '../certification/selection.ts';
import { writeLines } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { type CertifyFlags, type RunOptions, readRunOptions } from './certify-input.ts';
import {
  announce,
  clearLine,
  docsOf,
  endingOf,
  exitCodes,
  look,
  print,
  progress,
  verdictLines,
} from './certify-output.ts';
import { type Act, adaptHelp, separated } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import { warnOfExposedKey } from './key.ts';
import { InputError } from './yaml-file.ts';

const help = `
Examples:
  npm run certify -- --client-url http://localhost:8080 --service-token SECRET --customer CUST0001
  npm run certify -- --config certify.yaml                all settings from a file; flags override it
  npm run certify -- --config certify.yaml --only CRD-02  only one requirement, or a group such as credit
  npm run certify -- --list                               list the requirements and what each needs
  npm run certify -- --config certify.yaml --basic user:password --otp-url 'http://localhost:8080/test/otp/{reference_id}'
  npm run certify -- --config certify.yaml --baseline known-failures.yaml --report json=certify.json
  npm run certify -- --config certify.yaml --report html=certify.html --certificate certificate.jws

The run changes balances on your server and restores them. Use a test environment and test customers.

Exit codes:
  0 all applicable mandatory requirements passed or are known failures
  1 a requirement failed, could not be checked because of another fault, or passed despite being a known failure
  2 usage error   3 environment: server not reachable, unknown customer, too few points, nothing to check
  4 internal error in the certification suite, not in your server
  5 partial: no failures, but some mandatory requirements were not checked (0 with --allow-partial)
  130 stopped by SIGINT or SIGTERM`;

/** Adds the `certify` command to the program. */
export function addTo(program: Command, act: Act): void {
  const command = program
    .command('certify')
    .description('Call a client server as the platform and the microsite do, and check it against each requirement.')
    .version(version)
    .addHelpText('after', adaptHelp(help))
    .action(act(listOrRun));
  for (const option of [...server, ...codes, ...selection, ...outcome]) command.addOption(option);
}

const server = [
  new Option('--client-url <url>', "address of the client's API, such as http://localhost:8080"),
  new Option('--service-token <token>', 'token the platform sends when no customer is signed in').env(
    'REWARDS_SANDBOX_CLIENT_TOKEN',
  ),
  new Option('--basic <user:password>', 'Basic credentials the microsite sends at sign-in').env(
    'REWARDS_SANDBOX_CLIENT_BASIC',
  ),
  new Option('--api <version>', 'check only this version (default: the versions your server implements)').choices([
    'v1',
    'v2',
    'both',
  ]),
  new Option(
    '--customer <uid>',
    'test customer; most requirements use the first, some need a second (repeatable)',
  ).argParser(repeated),
  new Option('--balance <points>', 'minimum balance of the first customer (default: 5000)').argParser(whole),
  new Option(
    '--project-code <code>',
    "scheme and projectCode of redemptions (default: that of the customer's profile)",
  ),
  new Option(
    '--expired-token <jwt>',
    'an expired customer JWT (default: waits for one to expire, if tokens last 60 s or less)',
  ),
  new Option('--sandbox <url>', 'running sandbox to read the outbox and activity log from'),
  new Option('--admin-token <token>', 'token for the control API of --sandbox').env('REWARDS_SANDBOX_ADMIN_TOKEN'),
  new Option('--webhook-url <url>', 'URL on your server that receives catalogue updates'),
  new Option('--webhook-secret <secret>', 'signing secret of the catalogue updates, whsec_...'),
  new Option('--yes', 'allow a server on another machine, and changes to its balances'),
];

const codes = [
  new Option('--otp <code>', 'fixed one-time password'),
  new Option(
    '--otp-command <cmd>',
    'command that prints the one-time password; {customer_id} and {reference_id} are replaced',
  ),
  new Option(
    '--otp-url <url>',
    'URL that returns the one-time password, as text or as JSON with otp or code; same placeholders',
  ),
  new Option('--otp-gateway', 'your server sends the one-time password to the message gateway of --sandbox'),
];

const selection = [
  new Option('--config <file>', 'YAML file with these settings; its schema is certify.schema.json in the downloads'),
  new Option(
    '--requirements <edition>',
    'edition of the requirements: current, or a release such as 1.0 (default: current)',
  ),
  new Option('--only <names>', 'check only these requirements or groups (repeatable, or comma-separated)').argParser(
    separated,
  ),
  new Option('--skip <names>', 'skip these requirements or groups').argParser(separated),
  new Option('--slow', 'include requirements that take longer than 3 s'),
  new Option('--seed <text>', 'seed for the order and the random values (default: 1)'),
  new Option('--timeout <seconds>', 'response timeout, at most 15 (default: 15)').argParser(seconds),
  new Option('--list', 'list the requirements without calling the server'),
];

const outcome = [
  new Option(
    '--fail-on <weight>',
    'exit with 1 on failed mandatory requirements (must), or also on recommended ones (should) (default: must)',
  ).choices(['must', 'should']),
  new Option('--allow-partial', 'exit with 0 even if mandatory requirements were not checked'),
  new Option('--baseline <file>', 'YAML list of known failures, each with id and reason'),
  new Option('--answers <file>', 'YAML file with the answers to open points; agreed ones become mandatory'),
  new Option(
    '--report <format=file>',
    `also write ${reportFormats.map((format) => `${format}=`).join(', ')} (repeatable)`,
  ).argParser(report),
  new Option('--certificate <file>', 'write a signed certificate; verify it with `certificate verify`'),
  new Option(
    '--signing-key <file>',
    'Ed25519 key (PEM) that signs the certificate (default: the key in the data folder)',
  ),
  new Option('--witness <name>', 'name of the witness who signs the certificate; requires --signing-key'),
  new Option('--data <dir>', 'folder with the signing key of this sandbox')
    .env('REWARDS_SANDBOX_DATA')
    .default('.sandbox-data'),
  new Option('--json', 'print the report or the list as JSON'),
  new Option('--quiet', 'print only failures and the result'),
];

function repeated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number.parseInt(text, 10);
}

/** Parses a number of seconds. Returns milliseconds. */
function seconds(text: string): number {
  const number = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(number >= 0.1 && number <= 15))
    throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 15.');
  return Math.round(number * 1000);
}

/** Parses a `--report` flag. Returns all requested files by format. */
function report(text: string, previous: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, format = '', file = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!(reportFormats as readonly string[]).includes(format))
    throw new InvalidArgumentError(`Use ${reportFormats.map((name) => `${name}=FILE`).join(' or ')}.`);
  return { ...previous, [format]: file };
}

/** Certifies a client server, or lists the requirements. */
async function listOrRun(io: Io, flags: CertifyFlags): Promise<number> {
  return flags.list === true ? list(io, flags) : run(io, readRunOptions(flags), flags);
}

/** Prints the requirements selected by `--only` and `--skip`. */
function list(io: Io, { requirements, only, skip, json }: CertifyFlags): number {
  const { list: all } = loadRequirements(requirements);
  const [unknown] = unknownNames(all, { only, skip });
  if (unknown !== undefined)
    throw new InputError(`Unknown requirement or group: ${unknown}. --list shows all of them.`);
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
  const { certify } = await import('../sandbox.ts');
  const { onProgress, stop: stopProgress } = progress(io, flags);
  const report = await certify({
    ...input,
    signal: ending.signal,
    onBegin: announce(io, input),
    onProgress,
  }).finally(stopProgress);
  clearLine(io);
  const written = await writeReports(report, files, { failOn: weight, docs: docsOf(input), signing, allowPartial });
  if (written.length < files.length) say(io, 'No certificate was written, because the run did not finish.');
  const end = endingOf(report, conclude(report, weight, baseline), allowPartial);
  print(io, report, flags, input);
  const lines = [end.text, ...verdictLines(report, input)];
  if (flags.json === true) say(io, ...lines);
  else writeLines(io.stdout, ...lines);
  return end.code;
}

/** Returns the key of the witness, or the sandbox's own. It is read before the run, so that a bad key does not waste it. */
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

/** Prints why the run cannot start, with a remedy. Unexpected errors are reported as internal. Returns the exit code. */
export function explain(io: Io, error: unknown): number {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof InputError) return failWith(io, exitCodes.usage, ...error.lines);
  if (error instanceof EditionError) return failWith(io, exitCodes.usage, message);
  if (error instanceof EnvironmentError || error instanceof KeyError)
    return failWith(io, exitCodes.environment, message);
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return failWith(io, exitCodes.environment, `Cannot use a file: ${message}`);
  const internal = 'Internal error in the certification suite, not in your server';
  return failWith(io, exitCodes.suiteError, `${internal}: ${message}`);
}
