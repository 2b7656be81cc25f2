import type { components } from '../../../generated/auth/types.ts';
import type { RandomCollections } from '../../runtime/random.ts';
import type { StoreSchema } from '../../store/store.ts';

/** One visit to the microsite: first a code that was sent, then a customer who is signed in. Times are milliseconds. */
export interface Visit {
  readonly customer_id: string;
  readonly reference_id: string;
  /** Masked, as the client returned it. */
  readonly mobile: string;
  readonly sentAt: number;
  /** Wrong tries of the code that was sent last. */
  readonly wrong: number;
  readonly signedIn: SignedIn | null;
  readonly expires: number;
}

export interface SignedIn {
  readonly jwt: string;
  readonly points: components['schemas']['SignedIn']['points'];
  /** Whether the token went to the portal, which takes it once. */
  readonly entered: boolean;
}

/** The microsite's own books. */
export interface MicrositeCollections extends RandomCollections {
  /** By the digest of their handle. */
  readonly visits: Visit;
}

/** A visit counts until it expires; one of data before visits did, no longer than its code. */
export const micrositeSchema: StoreSchema<Omit<MicrositeCollections, keyof RandomCollections>> = {
  visits: { until: ({ sentAt, expires = sentAt }) => expires },
};
