/** Keys that certificates are signed with: the sandbox's own, made once, or an operator's. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import type { CryptoKey, JWK } from 'jose';
import { createOnce, diskFiles, type Files } from '../store/files.ts';
import { algorithm } from './certificate.ts';

/** The file's name, in the data folder. */
export const signingKeyFileName = 'certificate-key.pem';

/** A key that cannot be used. The message says what it has to be. */
export class KeyError extends Error {}

/** The sandbox's own key: made with mode 0600 in its data folder the first time, read from there ever after. */
export async function ownSigningKey(dataDir: string, files: Files = diskFiles): Promise<CryptoKey> {
  const pem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return privateKey(
    (await createOnce(dataDir, signingKeyFileName, pem, files)).toString('utf8'),
    join(dataDir, signingKeyFileName),
  );
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
