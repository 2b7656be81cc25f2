/**
 * The `certificate` command, which verifies certificates and draws badges. It needs no network and has its own
 * composition root.
 */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { KeyError, notProven, publicKey } from '../certification/certificate.ts';
import { BadCertificate, type CheckedCertificate, checkCertificate } from '../certification/certificate-check.ts';
import { coverageWords } from '../certification/report-text.ts';
import { badge } from '../certification/reports/html.ts';
import { trustedKeysIn } from '../certification/trusted-keys.ts';
import { writeLines } from '../runtime/terminal.ts';
import type { Act } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import { InputError, readAnswers } from './yaml-file.ts';

interface VerifyFlags {
  readonly witnessKey?: string;
  readonly trusted?: string;
  readonly requireWitness?: boolean;
  readonly answers?: string;
  readonly report?: string;
  readonly json?: boolean;
}

const help = `
Examples:
  rewards-sandbox certificate verify certificate.jws                          check the signature, show the result
  rewards-sandbox certificate verify certificate.jws --report report.json     also check that it covers this report
  rewards-sandbox certificate verify certificate.jws --witness-key platform.pub.pem --require-witness
                                                                              also check that this witness signed it
  rewards-sandbox certificate verify certificate.jws --trusted trusted-keys.json
                                                                              also identify the trusted key that signed it
  rewards-sandbox certificate verify certificate.jws --answers answers.yaml       also check that it rests on these answers
  rewards-sandbox certificate badge certificate.jws > certified.svg

Anyone can sign a certificate with their own key. If neither --witness-key nor --trusted contains that key, the first line of
output warns that the signing key is not verified. With --require-witness, such a certificate is rejected. The list for
--trusted is the reply to GET /sandbox/v1/trusted-keys.

Exit codes:
  0 valid, and the run passed   1 invalid, or the run did not pass
  2 usage error, or answers that cannot be used   3 a file cannot be read`;

/** Exit codes of the `certificate` command. */
const exitCodes = { passed: 0, notPassed: 1, usage: 2, environment: 3 } as const;

/** Adds the `certificate verify` and `certificate badge` commands to the program. */
export function addTo(program: Command, act: Act): void {
  const certificate = program.command('certificate').description('Verify the certificates of client servers.');
  certificate.addHelpText('after', help);
  const command = (name: string, description: string) =>
    certificate
      .command(name)
      .argument('<file>', 'certificate written by certify')
      .description(description)
      .option('--witness-key <file>', 'public key of the witness (PEM); reject certificates signed with another key')
      .option('--trusted <file>', 'list of trusted keys (JSON), as GET /sandbox/v1/trusted-keys returns it')
      .option('--require-witness', 'reject certificates unless the key of the witness is the --witness-key or trusted')
      .addHelpText('after', help);
  command('verify', 'Verify the signature of a certificate, and show its result and signer. Works offline.')
    .option('--report <file>', 'JSON report to compare with the certificate')
    .option('--answers <file>', 'YAML file with answers to open points; reject certificates based on other answers')
    .option('--json', 'print the contents as JSON')
    .action(act(verify));
  command('badge', 'Print an SVG badge for a certificate.').action(act(drawBadge));
}

async function verify(io: Io, file: string, flags: VerifyFlags): Promise<number> {
  const checked = await check(file, flags);
  const lines = flags.json === true ? JSON.stringify(checked, null, 2).split('\n') : describe(checked);
  return print(io, lines, checked);
}

async function drawBadge(io: Io, file: string, flags: VerifyFlags): Promise<number> {
  const checked = await check(file, flags);
  return print(io, [badge(checked)], checked);
}

async function check(file: string, { witnessKey, trusted, requireWitness, report, answers }: VerifyFlags) {
  return checkCertificate(await text(file), {
    now: Date.now(),
    answers: answers === undefined ? undefined : readAnswers(answers),
    trusted: trusted === undefined ? undefined : await trustedKeysIn(await text(trusted), trusted),
    requireWitness,
    report: report === undefined ? undefined : await bytes(report),
    witnessKey: witnessKey === undefined ? undefined : await publicKey(await text(witnessKey), witnessKey),
  });
}

/** Prints lines. Untrusted text in a line cannot add another line. Returns the exit code for the certificate's result. */
function print({ stdout }: Io, lines: readonly string[], { passed }: CheckedCertificate): number {
  writeLines(stdout, ...lines);
  return passed ? exitCodes.passed : exitCodes.notPassed;
}

/** Formats a certificate for readers. Names chosen by its signer are quoted. */
function describe({ claims, key, signer, vouched, trusted, passed }: CheckedCertificate): readonly string[] {
  const all = Object.values(claims.verdicts);
  const of = (word: string) => all.filter(({ verdict }) => verdict === word).length;
  const witness = JSON.stringify(claims.witness);
  const signers = {
    'self-run': `the sandbox that ran it (self-run)${vouched && trusted === null ? ', with the key you gave' : ''}`,
    witnessed: `${witness}, whose key you ${trusted === null ? 'gave' : 'trust'} (witnessed)`,
    claimed: `an unverified signer that claims to be ${witness}; verify it with --witness-key`,
  };
  const outcome = passed ? 'PASSED' : `NOT PASSED (${claims.outcome})`;
  const unvouched = `, ${passed ? 'but' : 'and'} the signing key is not verified`;
  const { judged, of: applicable } = claims.coverage.mandatory;
  return [
    `Checked ${judged} of ${applicable} mandatory requirements: ${outcome}${vouched ? '' : unvouched}: ${claims.target.client_url}`,
    `  Coverage      ${coverageWords(claims.coverage)} applicable`,
    `  API           ${claims.target.api}`,
    `  Issued        ${claims.issued_at}`,
    `  Requirements  ${claims.requirements}: ${of('pass')} passed, ${of('fail')} failed, ${of('blocked')} blocked, ${of('not_selected')} not selected, ${of('not_applicable')} not applicable`,
    `  Suite         rewards-sandbox ${claims.suite}, seed ${JSON.stringify(claims.seed)}`,
    ...(claims.answers_digest === undefined ? [] : [`  Answers       open points, SHA-256 ${claims.answers_digest}`]),
    `  Report        SHA-256 ${claims.report_digest}`,
    `  Signed by     ${signers[signer]}`,
    ...(trusted === null ? [] : [`  Trusted key   ${JSON.stringify(trusted)}`]),
    `  Key           ${key}`,
    'This certificate does not prove:',
    ...notProven.map((line) => `  - ${line}`),
  ];
}

/** An error for a file that cannot be read. */
class Unreadable extends Error {}

function bytes(file: string): Promise<Buffer> {
  return readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Unreadable(`Cannot read ${file}: ${code}.`);
  });
}

async function text(file: string): Promise<string> {
  return (await bytes(file)).toString('utf8');
}

/** Prints why the command failed. Returns the exit code; throws the error again if it is unexpected. */
export function explain(io: Io, error: unknown): number {
  if (error instanceof InputError) return failWith(io, exitCodes.usage, ...error.lines);
  const { message } = error as Error;
  say(io, error instanceof BadCertificate ? `Invalid certificate: ${message}` : message);
  if (error instanceof BadCertificate) return exitCodes.notPassed;
  if (error instanceof Unreadable || error instanceof KeyError) return exitCodes.environment;
  throw error;
}
