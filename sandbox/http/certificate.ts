import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { attempt } from '../store/attempt.ts';
import { diskFiles, type Files, writeNew } from '../store/files.ts';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The paths of the operator's own certificate and key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** An error for a certificate or key that cannot be used. The message is for the operator. */
export class CertificateError extends Error {}

/** The files that the sandbox creates in its data folder. The key file has mode 0600. */
export const ownFiles = { cert: 'tls-cert.pem', key: 'tls-key.pem' } as const;

/** Validity of a new certificate in days, short enough for every client that limits it. */
const days = 365;

/** Resolves with the operator's certificate. Rejects with `CertificateError` if it cannot be used. */
export async function givenCertificate({ certFile, keyFile }: CertificateFiles, now: number): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(certFile), read(keyFile)]);
  const problem = problemOf({ cert, key }, now);
  if (problem !== undefined) throw new CertificateError(`Cannot use ${certFile} and ${keyFile}: ${problem}.`);
  return { cert, key };
}

/**
 * Resolves with the sandbox's own certificate for localhost, which is stored in the data folder. Creates one if no usable one
 * exists, with the stored key if possible. Without a folder, the certificate is valid for this start only.
 */
export async function ownCertificate(dataDir: string | undefined, now: number, files: Files = diskFiles) {
  if (dataDir === undefined) return made(newKey(), now);
  const [certFile, keyFile] = [join(dataDir, ownFiles.cert), join(dataDir, ownFiles.key)];
  const key = await read(keyFile).catch(() => undefined);
  const cert = await read(certFile).catch(() => undefined);
  if (key !== undefined && cert !== undefined && problemOf({ cert, key }, now) === undefined) return { cert, key };
  const fresh = await made(usable(key) ?? newKey(), now);
  try {
    await write(files, keyFile, fresh.key);
    await write(files, certFile, fresh.cert);
  } catch (error) {
    throw new CertificateError(`Cannot write ${certFile} (${(error as Error).message}).`, { cause: error });
  }
  return fresh;
}

function problemOf({ cert, key }: Certificate, now: number): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined) return 'the first is not a PEM certificate';
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined) return 'the second is not a PEM private key without a passphrase';
  if (!certificate.checkPrivateKey(privateKey)) return 'the key does not match the certificate';
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return now < from || now > to ? 'the certificate has expired or is not valid yet' : undefined;
}

/** Returns the stored key if it can be used for the certificate. */
function usable(key: string | undefined): KeyObject | undefined {
  const stored = key === undefined ? undefined : attempt(() => createPrivateKey(key));
  return stored?.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? stored : undefined;
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

async function made(key: KeyObject, now: number): Promise<Certificate> {
  // Loaded on demand: starts without https, and most starts with it, do not create a certificate and need no ASN.1.
  const { selfSigned } = await import('./x509.ts');
  return { cert: selfSigned(key, now, days), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CertificateError(`Cannot read ${file} (${(error as Error).message}).`, { cause: error });
  }
}

/** Writes a file atomically. Others cannot read it at any time. */
async function write(files: Files, file: string, text: string): Promise<void> {
  await writeNew(files, `${file}.new`, Buffer.from(text));
  await files.rename(`${file}.new`, file);
  await files.syncDir(dirname(file));
}
