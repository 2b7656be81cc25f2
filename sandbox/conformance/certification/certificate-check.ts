/** Checking a certificate, without a network: whether it is whole, who signed it, and what it says (OP-196, OP-197). */
import { createHash } from 'node:crypto';
import type { JWK } from 'jose';
import { jose } from '../../runtime/late-packages.ts';
import { algorithm, type CertificateClaims, certificateType } from './certificate.ts';
import { outcomeOf } from './report.ts';
import { editions, loadRequirements } from './requirement.ts';
import type { RequirementVerdict } from './verdict.ts';

/** It is no certificate, or not as it was signed. The message says what is wrong. */
export class BadCertificate extends Error {}

/** A certificate whose signature holds. */
export interface CheckedCertificate {
  readonly claims: CertificateClaims;
  /** Thumbprint of the key that signed it (RFC 7638). */
  readonly key: string;
  /**
   * `self-run`: signed by the sandbox that ran it. `witnessed`: by the operator whose key was given. `claimed`: it names
   * a witness, and no key of that witness was given to check it by.
   */
  readonly signer: 'self-run' | 'witnessed' | 'claimed';
  /** Whether it reads as passed: what it says, checked against what it lists. */
  readonly passed: boolean;
}

/** What a certificate is checked by, beside itself. */
export interface CheckedBy {
  /** Public key of the witness. */
  readonly witnessKey?: JWK;
  /** The JSON report that it is said to be about. */
  readonly report?: Buffer;
}

/** Most characters of a certificate that are read. */
const mostCharacters = 1024 * 1024;

/** Checks a certificate. Rejects with BadCertificate. */
export async function checkCertificate(
  text: string,
  { witnessKey, report }: CheckedBy = {},
): Promise<CheckedCertificate> {
  const { claims, jwk, kid } = await opened(text.trim());
  if (outcomeOf(rows(claims)) !== claims.outcome)
    throw new BadCertificate('Its outcome is not what its verdicts come to.');
  refuseCut(claims);
  if (report !== undefined && createHash('sha256').update(report).digest('hex') !== claims.report_digest)
    throw new BadCertificate('It is about another report than this one.');
  const byWitness = witnessKey !== undefined && witnessKey.x === jwk.x && witnessKey.crv === jwk.crv;
  if (witnessKey !== undefined && !byWitness) throw new BadCertificate('It was not signed by the key that was given.');
  const signer = claims.witness === null ? 'self-run' : byWitness ? 'witnessed' : 'claimed';
  return { claims, key: kid, signer, passed: claims.outcome === 'passed' };
}

async function opened(text: string) {
  if (text.length > mostCharacters) throw new BadCertificate('It is too long for a certificate.');
  const { compactVerify, decodeProtectedHeader, errors, importJWK } = jose();
  try {
    const { jwk, kid, typ, alg } = decodeProtectedHeader(text);
    if (typ !== certificateType || alg !== algorithm || jwk === undefined || kid === undefined)
      throw new BadCertificate('It is no certificate of this suite.');
    const { payload } = await compactVerify(text, await importJWK(jwk, algorithm), { algorithms: [algorithm] });
    return { claims: JSON.parse(Buffer.from(payload).toString('utf8')) as CertificateClaims, jwk, kid };
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw new BadCertificate('It was changed after it was signed.');
    if (error instanceof BadCertificate) throw error;
    throw new BadCertificate(`It is no certificate: ${(error as Error).message}`);
  }
}

/** Throws where requirements of its edition are missing, or it was judged by others than the edition has. */
function refuseCut({ requirements, requirements_digest, verdicts }: CertificateClaims): void {
  if (!editions().includes(requirements)) return;
  const { digest, list } = loadRequirements(requirements);
  // `current` moves on; a released edition never does.
  if (digest !== requirements_digest) {
    if (requirements === 'current') return;
    throw new BadCertificate(`Its requirements are not those of edition ${requirements}.`);
  }
  const missing = list.filter(({ id, level }) => verdicts[id]?.level !== level);
  if (missing.length > 0) throw new BadCertificate(`It lacks ${missing.length} requirements of its edition.`);
}

function rows({ verdicts }: CertificateClaims): readonly Pick<RequirementVerdict, 'level' | 'verdict'>[] {
  return Object.values(verdicts) as readonly Pick<RequirementVerdict, 'level' | 'verdict'>[];
}
