/** The command line of certificates: checking one, and making a badge of it. Needs no network. */
import { readFile } from 'node:fs/promises';
import { CommanderError } from 'commander';
import {
  BadCertificate,
  type CheckedCertificate,
  checkCertificate,
} from '../conformance/certification/certificate-check.ts';
import { badge } from '../conformance/certification/reports/badge.ts';
import { KeyError, publicKey } from '../conformance/certification/signing-key.ts';
import { letReadersLeave, printable, printableLines } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { certificateCommand, type VerifyFlags } from './certificate-command.ts';

/** What the process ends with. */
const exitCodes = { passed: 0, notPassed: 1, usage: 2, environment: 3 } as const;

async function verify(file: string, { report, witnessKey, json }: VerifyFlags): Promise<void> {
  const checked = await checkCertificate(await text(file), {
    ...(report !== undefined && { report: await bytes(report) }),
    ...(witnessKey !== undefined && { witnessKey: await publicKey(await text(witnessKey), witnessKey) }),
  });
  process.stdout.write(json === true ? `${JSON.stringify(checked, null, 2)}\n` : printableLines(words(checked)));
  process.exitCode = checked.passed ? exitCodes.passed : exitCodes.notPassed;
}

async function drawBadge(file: string): Promise<void> {
  const { claims, passed } = await checkCertificate(await text(file));
  process.stdout.write(badge(claims));
  process.exitCode = passed ? exitCodes.passed : exitCodes.notPassed;
}

/** What a certificate says, for people. */
function words({ claims, key, signer, passed }: CheckedCertificate): string {
  const all = Object.values(claims.verdicts);
  const of = (word: string) => all.filter(({ verdict }) => verdict === word).length;
  const witness = printable(claims.witness ?? '');
  const signers = {
    'self-run': 'the sandbox that ran it (self-run): whoever ran it vouches for it, and nobody else',
    witnessed: `${witness}, whose key you gave (witnessed)`,
    claimed: `a key that says it is of ${witness}; give --witness-key to check that`,
  };
  const asked = claims.requirements;
  return [
    passed ? `PASSED: ${claims.target.client_url}` : `NOT PASSED (${claims.outcome}): ${claims.target.client_url}`,
    `  API           ${claims.target.api}`,
    `  When          ${claims.issued_at}`,
    `  Requirements  ${asked}: ${of('pass')} passed, ${of('fail')} failed, ${all.length - of('pass') - of('fail')} not judged`,
    `  Suite         rewards-sandbox ${claims.suite}, seed ${claims.seed}`,
    `  Report        SHA-256 ${claims.report_digest}`,
    `  Signed by     ${signers[signer]}`,
    `  Key           ${key}`,
    'It does not prove:',
    ...claims.not_proven.map((line) => `  - ${line}`),
    '',
  ].join('\n');
}

/** A file that cannot be read. */
class Unreadable extends Error {}

async function bytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Unreadable(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

async function text(file: string): Promise<string> {
  return (await bytes(file)).toString('utf8');
}

/** Says in one line what is wrong. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.passed : exitCodes.usage;
  const { message } = error as Error;
  process.stderr.write(
    `${printableLines(error instanceof BadCertificate ? `Not to be believed: ${message}` : message)}\n`,
  );
  if (error instanceof BadCertificate) return exitCodes.notPassed;
  if (error instanceof Unreadable || error instanceof KeyError) return exitCodes.environment;
  throw error;
}

letReadersLeave(process.stdout, process.stderr);
try {
  await certificateCommand(version, { verify, badge: drawBadge }).parseAsync(process.argv, { from: 'node' });
} catch (error) {
  process.exitCode = explain(error);
}
