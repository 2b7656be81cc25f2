/** Who signed a certificate, as far as its reader knows the key. It loads nothing else of the certification, since each start has it (OP-263). */
import type { components } from '../../generated/sandbox/types.ts';

type Schemas = components['schemas'];

/** The keys that a reader knows, by their thumbprints. */
export interface KnownKeys {
  /** That of the sandbox itself. */
  readonly own?: string;
  /** The names of the others. */
  readonly trusted: ReadonlyMap<string, string>;
}

/** Whose key this is. */
export function signerOf(
  key: string,
  { own, trusted }: KnownKeys,
): Pick<Schemas['CertificateSummary'], 'signer' | 'key_name'> {
  if (key === own) return { signer: 'witnessed_here', key_name: null };
  const name = trusted.get(key);
  return { signer: name === undefined ? 'self_signed' : 'trusted_key', key_name: name ?? null };
}
