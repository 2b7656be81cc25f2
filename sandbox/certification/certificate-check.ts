/** Verifies certificates offline: their integrity, their signer and their claims (OP-196, OP-197). */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JWK } from 'jose';
import { type Answers, answersDigest } from '../conformance/answers.ts';
import { cut } from '../conformance/finding.ts';
import { isStated } from '../contract/basis.ts';
import { algorithm, type CertificateClaims, schemaProblem } from './certificate.ts';
import { coverageOf, outcomeOf } from './report.ts';
import { answered, EditionError, loadRequirements, type Requirement, type Requirements } from './requirement.ts';

/** An invalid or untrustworthy certificate. The message is one line with the reason. */
export class BadCertificate extends Error {}

/** A certificate with a valid signature and consistent claims. */
export interface CheckedCertificate {
  readonly claims: CertificateClaims;
  /** Thumbprint of the signing key (RFC 7638), computed from that key. */
  readonly key: string;
  /**
   * `self-run`: the certificate names no witness. `witnessed`: it names one, and the given key or a trusted key signed it.
   * `claimed`: it names a witness, but no known key signed it.
   */
  readonly signer: 'self-run' | 'witnessed' | 'claimed';
  /** Whether the given key or a trusted key signed the certificate. If false, anyone may have created it. */
  readonly vouched: boolean;
  /** The name of the trusted key that signed the certificate, or `null` if none did. */
  readonly trusted: string | null;
  readonly passed: boolean;
}

/** The inputs of a check, in addition to the certificate. */
interface CheckedBy {
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** The public key of the witness. */
  readonly witnessKey?: JWK | undefined;
  /** The names of the keys that the reader trusts, by thumbprint. */
  readonly trusted?: ReadonlyMap<string, string> | undefined;
  /** Whether to reject a certificate unless a witness signed it with the given key or a trusted key. */
  readonly requireWitness?: boolean | undefined;
  /** The answers to open points that the run must rest on. `undefined` accepts any. */
  readonly answers?: Answers | undefined;
  /** The JSON report that the certificate should cover. */
  readonly report?: Buffer | undefined;
}

/** Maximum length of a certificate, in characters. */
const mostCharacters = 1024 * 1024;
/** Maximum tolerated clock skew of the issuing machine, in milliseconds. */
const clockSkew = 5 * 60_000;

/** Verifies a certificate. Rejects with `BadCertificate` if it is invalid. */
export async function checkCertificate(text: string, by: CheckedBy): Promise<CheckedCertificate> {
  const { claims, jwk, key } = await open(text.trim());
  refuseContradictions(claims, by.answers);
  if (Date.parse(claims.issued_at) > by.now + clockSkew) throw new BadCertificate('Its issue date is in the future.');
  if (by.report !== undefined && createHash('sha256').update(by.report).digest('hex') !== claims.report_digest)
    throw new BadCertificate('It was issued for another report.');
  const isWitness = by.witnessKey !== undefined && by.witnessKey.x === jwk.x && by.witnessKey.crv === jwk.crv;
  if (by.witnessKey !== undefined && !isWitness) throw new BadCertificate('It was not signed with the given key.');
  const trusted = by.trusted?.get(key) ?? null;
  const vouched = isWitness || trusted !== null;
  const signer = claims.witness === null ? 'self-run' : vouched ? 'witnessed' : 'claimed';
  if (by.requireWitness === true && signer !== 'witnessed') throw new BadCertificate(unwitnessed(signer));
  return { claims, key, signer, vouched, trusted, passed: claims.outcome === 'passed' };
}

/** Parses a certificate. Verifies the signature before it reads any claim. */
async function open(text: string) {
  if (text.length > mostCharacters) throw new BadCertificate('The file is too large for a certificate.');
  const parts = text.split('.').map((part) => Buffer.from(part, 'base64url'));
  // Decoders ignore spaces and spare bits, so one certificate could have several encodings. Accept only the canonical one.
  const isCanonical = parts.map((part) => part.toString('base64url')).join('.') === text;
  if (parts.length !== 3 || !isCanonical || parts.some(({ length }) => length === 0))
    throw new BadCertificate('It does not consist of three base64url parts.');
  const [head, payload] = parts as [Buffer, Buffer, Buffer];
  const { jwk, kid } = parsePart(head, 'CertificateHeader') as { readonly jwk: JWK; readonly kid: string };
  const { calculateJwkThumbprint, compactVerify, importJWK } = await import('jose');
  const key = await calculateJwkThumbprint(jwk);
  if (kid !== key) throw new BadCertificate(`It names the key ${kid}, but was signed with ${key}.`);
  await importJWK(jwk, algorithm)
    .then((imported) => compactVerify(text, imported, { algorithms: [algorithm] }))
    .catch(() => {
      throw new BadCertificate('It was modified after it was signed.');
    });
  return { claims: parsePart(payload, 'CertificateClaims') as CertificateClaims, jwk, key };
}

/** Parses a part as JSON. It must match its schema and be encoded exactly as this suite encodes it. */
function parsePart(bytes: Buffer, schema: 'CertificateHeader' | 'CertificateClaims'): unknown {
  const what = schema === 'CertificateHeader' ? 'header is' : 'claims are';
  let value: unknown;
  let spelled: string;
  try {
    value = JSON.parse(bytes.toString('utf8'));
    spelled = JSON.stringify(value);
  } catch {
    throw new BadCertificate(`Its ${what} not JSON.`);
  }
  const wrong = schemaProblem(schema, value);
  if (wrong !== undefined) throw new BadCertificate(`Its ${what} malformed: ${wrong}.`);
  if (!bytes.equals(Buffer.from(spelled)))
    throw new BadCertificate(`Its ${what} not in the canonical form of this suite, e.g. a name occurs twice.`);
  return value;
}

/** Throws if the claims contradict each other or the requirements of their edition. */
function refuseContradictions(claims: CertificateClaims, answers: Answers | undefined): void {
  const { requirements, requirements_digest, suite, verdicts, outcome, coverage } = claims;
  const loaded = edition(requirements);
  const { digest, list } = answers === undefined ? loaded : answered(loaded, answers);
  // The edition `current` changes over time. Released editions never change.
  if (digest !== requirements_digest)
    throw new BadCertificate(
      `Its requirements differ from edition ${requirements} in this version. Verify it with rewards-sandbox ${suite}, the version that issued it.`,
    );
  if (answers !== undefined && answersDigest(answers) !== claims.answers_digest)
    throw new BadCertificate('It was issued with other answers to open points.');
  // Unknown answers may make any requirement mandatory that is based on an open point.
  const isAnswered = answers === undefined && claims.answers_digest !== undefined;
  const levels = ({ level, basis }: Requirement) => [level, ...(isAnswered && !isStated(basis) ? ['must'] : [])];
  const missing = list.filter((requirement) => !levels(requirement).includes(verdicts[requirement.id]?.level ?? ''));
  if (missing.length > 0) throw new BadCertificate(`${missing.length} requirements of its edition are missing.`);
  const ids = new Set(list.map(({ id }) => id));
  const unknown = Object.keys(verdicts).find((id) => !ids.has(id));
  if (unknown !== undefined) throw new BadCertificate(`It contains ${unknown}, which is not in its edition.`);
  const all = Object.entries(verdicts).map(([id, of]) => ({ id, ...of }));
  if (outcomeOf(all) !== outcome) throw new BadCertificate('Its outcome does not match its verdicts.');
  if (!isDeepStrictEqual(coverageOf(all), coverage))
    throw new BadCertificate('Its coverage does not match its verdicts.');
}

function edition(name: string): Requirements {
  try {
    return loadRequirements(name);
  } catch (error) {
    throw error instanceof EditionError ? new BadCertificate(cut(error.message)) : error;
  }
}

function unwitnessed(signer: 'self-run' | 'claimed'): string {
  return signer === 'claimed'
    ? 'The signing key is not verified. Pass the public key of the witness with --witness-key.'
    : 'It names no witness: it is self-signed by the sandbox that ran it.';
}
