/** Certificates: a signed statement of the result of a run, which anyone can check without a network (OP-196). */

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import type { CryptoKey, JWK } from 'jose';
import { cut } from '../conformance/finding.ts';
import { contract } from '../contract/document.ts';
import { Schemas } from '../contract/schemas.ts';
import { once } from '../runtime/once.ts';
import { createOnce, diskFiles, type Files } from '../store/files.ts';
import { certificationSchemas } from './input.ts';
import type { Report } from './verdict.ts';

const schemas = once(() => new Schemas(contract('certificate', { components: { schemas: certificationSchemas() } })));

/** The first problem of a header, of claims or of a text among them, on one line; undefined if there is none. */
export function schemaProblem(
  name: 'CertificateHeader' | 'CertificateClaims' | 'PlainText' | 'WitnessName' | 'TrustedKeyList',
  value: unknown,
): string | undefined {
  const [found] = schemas().check(`/components/schemas/${name}`)(value) ?? [];
  return found && `${cut(found.where, 100)} ${found.problem}`.trimStart();
}

export const algorithm = 'EdDSA';
/** What the header of a certificate says that it is. */
export const certificateType = 'rewards-certificate+jws';

/** What every certificate says that it does not prove. */
export const notProven: readonly string[] = [
  'That the server behaves the same at another time, under another address, or in production.',
  'That the server treats other customers the same way.',
  'Anything about data at rest, backups, availability, or who operates the server.',
  'That the platform accepts the server: only the platform decides that.',
];

/** What a certificate states, as `CertificateClaims` of the contract has it. */
export interface CertificateClaims {
  /** How much of what applies was judged. */
  readonly coverage: Report['coverage'];
  readonly issued_at: string;
  readonly target: Report['target'];
  readonly suite: string;
  readonly requirements: string;
  readonly requirements_digest: string;
  readonly contracts_digest: string;
  /** SHA-256 of the answers to open points that the run rests on; left out without answers. */
  readonly answers_digest?: string;
  readonly seed: string;
  readonly outcome: Report['outcome'];
  /** The verdict of each requirement, by its id, and its level. */
  readonly verdicts: Readonly<Record<string, { readonly level: 'must' | 'should'; readonly verdict: string }>>;
  /** SHA-256 of the JSON report, in hex. */
  readonly report_digest: string;
  /** Who watched the run; null where the key is that of the sandbox which made it. */
  readonly witness: string | null;
  readonly not_proven: readonly string[];
}

/** A key that certificates are signed with: Ed25519, private. */
export interface SigningKey {
  readonly key: CryptoKey;
  /** The operator who vouches for the run; undefined for a sandbox's own key. */
  readonly witness?: string;
}

/** Outcomes of a run that did not come to its end: no certificate is made of it. */
export const unfinished: readonly Report['outcome'][] = ['interrupted', 'environment', 'suite_error'];

/** A run that no certificate is made of. */
export class NoCertificate extends Error {}

/** The report as `json=` writes it. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Signs the result of a run: a compact JWS. Throws NoCertificate if the run did not finish; a certificate of a run that
 * failed or left something out says so. What a reader would refuse is never signed.
 */
export async function issueCertificate(report: Report, { key, witness }: SigningKey): Promise<string> {
  const { outcome, verdicts } = report;
  if (unfinished.includes(outcome))
    throw new NoCertificate(`No certificate is issued for a run with the outcome ${outcome}.`);
  const claims: CertificateClaims = {
    coverage: report.coverage,
    issued_at: report.finished_at,
    target: report.target,
    suite: report.suite,
    requirements: report.requirements,
    requirements_digest: report.requirements_digest,
    contracts_digest: report.contracts_digest,
    ...(report.answers_digest !== undefined && { answers_digest: report.answers_digest }),
    seed: report.seed,
    outcome,
    verdicts: Object.fromEntries(verdicts.map(({ id, level, verdict }) => [id, { level, verdict }])),
    report_digest: createHash('sha256').update(jsonReport(report)).digest('hex'),
    witness: witness ?? null,
    not_proven: notProven,
  };
  const wrong = schemaProblem('CertificateClaims', claims);
  if (wrong !== undefined) throw new NoCertificate(`No certificate is issued for this run: ${wrong}.`);
  const { CompactSign, calculateJwkThumbprint } = await import('jose');
  const jwk = await publicKeyOf(key);
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, typ: certificateType, kid: await calculateJwkThumbprint(jwk), jwk })
    .sign(key);
}

/** The public half of a key, as a JWK of nothing but what is needed. */
export async function publicKeyOf(key: CryptoKey): Promise<JWK> {
  const { exportJWK } = await import('jose');
  const { kty, crv, x } = await exportJWK(key);
  return { kty, crv, x } as JWK;
}

/** The file's name, in the data folder. */
export const signingKeyFileName = 'certificate-key.pem';

/** A key that cannot be used. The message says what it has to be. */
export class KeyError extends Error {}

/** The sandbox's own key: made with mode 0600 in its data folder the first time, read from there ever after. */
export async function ownSigningKey(dataDir: string, files: Files = diskFiles): Promise<CryptoKey> {
  const file = join(dataDir, signingKeyFileName);
  return privateKey((await createOnce(dataDir, signingKeyFileName, newPem, files)).toString('utf8'), file);
}

function newPem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** What begins the PKCS #8 form of an Ed25519 key, before its 32 bytes (RFC 8410). */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key of a sandbox, which signs the certificates of its runs. Instances that share a database have one, which follows from
 * their data key; a sandbox in memory has another after each start.
 */
export async function sandboxSigningKey(place: {
  readonly dataDir?: string | undefined;
  readonly store?: string | undefined;
  readonly key?: Uint8Array | undefined;
}): Promise<CryptoKey> {
  const { dataDir, store, key } = place;
  if (store === undefined && dataDir !== undefined) return ownSigningKey(dataDir);
  if (key === undefined) return privateKey(newPem(), 'A new key');
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'rewards-sandbox certificates', 32));
  const pkcs8 = { key: Buffer.concat([keyHead, derived]), format: 'der', type: 'pkcs8' } as const;
  const pem = createPrivateKey(pkcs8).export({ type: 'pkcs8', format: 'pem' }).toString();
  return privateKey(pem, 'The data key');
}

/** A private key from its PEM (PKCS #8). Rejects with KeyError where it is no Ed25519 key. */
export async function privateKey(pem: string, source: string): Promise<CryptoKey> {
  try {
    if (createPrivateKey(pem).asymmetricKeyType !== 'ed25519') throw new KeyError('it is a different kind of key');
    const { importPKCS8 } = await import('jose');
    return await importPKCS8(pem, algorithm, { extractable: true });
  } catch (error) {
    throw unusable(source, 'private', error);
  }
}

/** A public key from its PEM. Throws KeyError where it is no Ed25519 key. */
export async function publicKey(pem: string, source: string): Promise<JWK> {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new KeyError('it is a different kind of key');
    const { exportJWK } = await import('jose');
    return await exportJWK(key);
  } catch (error) {
    throw unusable(source, 'public', error);
  }
}

function unusable(source: string, half: string, error: unknown): KeyError {
  const why = error instanceof KeyError ? error.message : 'it is not a PEM key';
  return new KeyError(
    `${source} does not contain a ${half} Ed25519 key: ${why}. Create one with openssl genpkey -algorithm ed25519.`,
  );
}
