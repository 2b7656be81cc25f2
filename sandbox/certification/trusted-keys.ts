/** The keys whose certificates count as signed by someone known, by their thumbprints (OP-263). */
import type { CryptoKey, JWK } from 'jose';
import type { components } from '../../generated/sandbox/types.ts';
import { KeyError, publicKey, publicKeyOf, schemaProblem } from './certificate.ts';

type Schemas = components['schemas'];
export type TrustedKey = Schemas['TrustedKey'];

/** A list of trusted keys that cannot be used. */
export class TrustedKeysError extends KeyError {
  /** JSON pointer of the value. */
  readonly where: string;

  constructor(where: string, problem: string) {
    super(problem);
    this.where = where;
  }
}

/** The names of trusted keys, by thumbprint. Rejects with TrustedKeysError where one is no key, or occurs twice. */
export async function namesByKey(keys: readonly TrustedKey[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [index, { name, public_key }] of keys.entries()) {
    const where = `/items/${index}`;
    const key = await thumbprint(await readKey(public_key, `${where}/public_key`));
    const before = names.get(key);
    if (before !== undefined) throw new TrustedKeysError(`${where}/public_key`, `is the key of ${before} already`);
    if (keys.findIndex((other) => other.name === name) < index)
      throw new TrustedKeysError(`${where}/name`, 'occurs twice');
    names.set(key, name);
  }
  return names;
}

async function readKey(pem: string, where: string): Promise<JWK> {
  // The public half can be computed from it, but whoever sends it gives it away.
  if (pem.includes('PRIVATE'))
    throw new TrustedKeysError(where, 'is a private key. Send the public one, and replace this key');
  try {
    return await publicKey(pem, 'It');
  } catch {
    throw new TrustedKeysError(where, 'is not the PEM of an Ed25519 public key (openssl pkey -in key.pem -pubout)');
  }
}

/** The names of the keys in a file of trusted keys. Rejects with KeyError. */
export async function trustedKeysIn(text: string, source: string): Promise<ReadonlyMap<string, string>> {
  const refuse = (problem: string) => new KeyError(`${source} is not a list of trusted keys: ${problem}.`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const wrong = schemaProblem('TrustedKeyList', list);
  if (wrong !== undefined) throw refuse(wrong);
  return namesByKey((list as Schemas['TrustedKeyList']).items).catch((error: TrustedKeysError) => {
    throw refuse(`${error.where} ${error.message}`);
  });
}

/** The thumbprint of the public half of a private key. */
export async function thumbprintOf(key: CryptoKey): Promise<string> {
  return thumbprint(await publicKeyOf(key));
}

async function thumbprint(jwk: JWK): Promise<string> {
  const { calculateJwkThumbprint } = await import('jose');
  return calculateJwkThumbprint(jwk);
}
