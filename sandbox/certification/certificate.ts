/** Certificates are signed statements of the result of a run. Anyone can verify them offline (OP-196). */

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { join } from 'node:path';
import type { CryptoKey, JWK } from 'jose';
import { cut } from '../conformance/finding.ts';
import { contract } from '../contract/document.ts';
import { Schemas } from '../contract/schemas.ts';
import { once } from '../runtime/caches.ts';
import { createOnce, diskFiles, type Files } from '../store/files.ts';
import { certificationSchemas } from './input.ts';
import type { Report, RequirementVerdict } from './verdict.ts';

const schemas = once(() => new Schemas(contract('certificate', { components: { schemas: certificationSchemas() } })));

/** Validates a value against a named schema. Returns the first problem on one line, or `undefined` if the value is valid. */
export function schemaProblem(
  name: 'CertificateHeader' | 'CertificateClaims' | 'PlainText' | 'WitnessName' | 'TrustedKeyList',
  value: unknown,
): string | undefined {
  const [found] = schemas().check(`/components/schemas/${name}`)(value) ?? [];
  return found && `${cut(found.where, 100)} ${found.problem}`.trimStart();
}

/** The JWS algorithm of certificates. */
export const algorithm = 'EdDSA';
/** The `typ` header of a certificate. */
export const certificateType = 'rewards-certificate+jws';

/** Statements that a certificate explicitly does not prove. */
export const notProven: readonly string[] = [
  'That the server behaves the same at another time, under another address, or in production.',
  'That the server treats other customers the same way.',
  'Anything about data at rest, backups, availability, or who operates the server.',
  'That the platform accepts the server: only the platform decides that.',
];

/** The claims of a certificate, as defined by the schema `CertificateClaims`. */
export interface CertificateClaims {
  /** Numbers of tested and applicable requirements. */
  readonly coverage: Report['coverage'];
  readonly issued_at: string;
  readonly target: Report['target'];
  readonly suite: string;
  readonly requirements: string;
  readonly requirements_digest: string;
  readonly contracts_digest: string;
  /** SHA-256 of the answers to open points that the run used. Omitted if there were none. */
  readonly answers_digest?: string;
  readonly seed: string;
  readonly outcome: Report['outcome'];
  /** The level and verdict of each requirement, by id. */
  readonly verdicts: Readonly<Record<string, Pick<RequirementVerdict, 'level' | 'verdict'>>>;
  /** SHA-256 of the JSON report, in hex. */
  readonly report_digest: string;
  /** The witness of the run, or `null` if the sandbox signed with its own key. */
  readonly witness: string | null;
  readonly not_proven: readonly string[];
}

function claimsOf(report: Report, witness: string | undefined): CertificateClaims {
  return {
    coverage: report.coverage,
    issued_at: report.finished_at,
    target: report.target,
    suite: report.suite,
    requirements: report.requirements,
    requirements_digest: report.requirements_digest,
    contracts_digest: report.contracts_digest,
    ...(report.answers_digest !== undefined && { answers_digest: report.answers_digest }),
    seed: report.seed,
    outcome: report.outcome,
    verdicts: Object.fromEntries(report.verdicts.map(({ id, level, verdict }) => [id, { level, verdict }])),
    report_digest: createHash('sha256').update(jsonReport(report)).digest('hex'),
    witness: witness ?? null,
    not_proven: notProven,
  };
}

/** A private Ed25519 key for signing certificates. */
export interface SigningKey {
  readonly key: CryptoKey;
  /** The operator who vouches for the run. `undefined` for a sandbox's own key. */
  readonly witness?: string;
}

/** Outcomes of runs that did not finish. No certificate is issued for them. */
export const unfinished: readonly Report['outcome'][] = ['interrupted', 'environment', 'suite_error'];

/** An error that prevents a certificate from being issued for a run. */
export class NoCertificate extends Error {}

/** Formats a report as JSON, as in the file that `json=` writes. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Issues a certificate for a run, as a compact JWS. Failed and partial runs receive a certificate that states their
 * outcome. Rejects with `NoCertificate` if the run did not finish, or if readers would reject its claims.
 */
export async function issueCertificate(report: Report, { key, witness }: SigningKey): Promise<string> {
  if (unfinished.includes(report.outcome))
    throw new NoCertificate(`No certificate is issued for a run with the outcome ${report.outcome}.`);
  const claims = claimsOf(report, witness);
  const wrong = schemaProblem('CertificateClaims', claims);
  if (wrong !== undefined) throw new NoCertificate(`No certificate is issued for this run: ${wrong}.`);
  const { CompactSign, calculateJwkThumbprint } = await import('jose');
  const jwk = await publicKeyOf(key);
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, typ: certificateType, kid: await calculateJwkThumbprint(jwk), jwk })
    .sign(key);
}

/** Returns the public half of a key, as a JWK with only the required members. */
export async function publicKeyOf(key: CryptoKey): Promise<JWK> {
  const { exportJWK } = await import('jose');
  const { kty, crv, x } = await exportJWK(key);
  return { kty, crv, x } as JWK;
}

/** The name of the key file in the data folder. */
export const signingKeyFileName = 'certificate-key.pem';

/** An error for an unusable key. The message describes the required key. */
export class KeyError extends Error {}

/** Reads the sandbox's own key from its data folder. Creates it with mode 0600 on first use. */
export async function ownSigningKey(dataDir: string, files: Files = diskFiles): Promise<CryptoKey> {
  const file = join(dataDir, signingKeyFileName);
  return privateKey((await createOnce(dataDir, signingKeyFileName, newPem, files)).toString('utf8'), file);
}

function newPem(): string {
  return pemOf(generateKeyPairSync('ed25519').privateKey);
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The PKCS #8 prefix of an Ed25519 key, which precedes the 32 key bytes (RFC 8410). */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Returns the key with which a sandbox signs certificates. Instances that share a database derive the same key from their
 * data key. An in-memory sandbox creates a new key at each start.
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
  return privateKey(pemOf(createPrivateKey(pkcs8)), 'The data key');
}

/** Imports a private key from PEM (PKCS #8). Rejects with `KeyError` if it is not an Ed25519 key. */
export async function privateKey(pem: string, source: string): Promise<CryptoKey> {
  try {
    if (createPrivateKey(pem).asymmetricKeyType !== 'ed25519') throw new KeyError('it is a different kind of key');
    const { importPKCS8 } = await import('jose');
    return await importPKCS8(pem, algorithm, { extractable: true });
  } catch (error) {
    throw unusable(source, 'private', error);
  }
}

/** Imports a public key from PEM. Rejects with `KeyError` if it is not an Ed25519 key. */
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
