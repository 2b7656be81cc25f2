/** Identifies the signer of a certificate (OP-263). Every start loads this module, so it imports no other certification code. */
import type { components } from '../../generated/sandbox/types.ts';

type Schemas = components['schemas'];

/** Known keys, identified by their thumbprints. */
export interface KnownKeys {
  /** The thumbprint of the sandbox's own key. */
  readonly own?: string;
  /** Names of trusted keys, by thumbprint. */
  readonly trusted: ReadonlyMap<string, string>;
}

/** Identifies the owner of a key by its thumbprint. */
export function signerOf(
  key: string,
  { own, trusted }: KnownKeys,
): Pick<Schemas['CertificateSummary'], 'signer' | 'key_name'> {
  if (key === own) return { signer: 'witnessed_here', key_name: null };
  const name = trusted.get(key);
  return { signer: name === undefined ? 'self_signed' : 'trusted_key', key_name: name ?? null };
}
