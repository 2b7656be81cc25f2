/** Reads trusted keys, whose certificates count as signed by a known party (OP-263). */
import type { CryptoKey, JWK } from 'jose';
import type { components } from '../../generated/sandbox/types.ts';
import { KeyError, publicKey, publicKeyOf, schemaProblem } from './certificate.ts';

type Schemas = components['schemas'];
/** A named public key that the reader trusts. */
export type TrustedKey = Schemas['TrustedKey'];

/** An error in a list of trusted keys. */
export class TrustedKeysError extends KeyError {
  /** JSON pointer of the invalid value. */
  readonly where: string;

  constructor(where: string, problem: string) {
    super(problem);
    this.where = where;
  }
}

/** Maps thumbprints to the names of trusted keys. Rejects with `TrustedKeysError` for an invalid key or a duplicate. */
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
  // The public key could be derived from it, but sending a private key compromises it.
  if (pem.includes('PRIVATE'))
    throw new TrustedKeysError(where, 'is a private key. Send the public one, and replace this key');
  try {
    return await publicKey(pem, 'It');
  } catch {
    throw new TrustedKeysError(where, 'is not the PEM of an Ed25519 public key (openssl pkey -in key.pem -pubout)');
  }
}

/** Parses a file of trusted keys. Resolves with their names by thumbprint. Rejects with `KeyError` if the file is invalid. */
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

/** Returns the thumbprint of the public half of a private key. */
export async function thumbprintOf(key: CryptoKey): Promise<string> {
  return thumbprint(await publicKeyOf(key));
}

async function thumbprint(jwk: JWK): Promise<string> {
  const { calculateJwkThumbprint } = await import('jose');
  return calculateJwkThumbprint(jwk);
}
