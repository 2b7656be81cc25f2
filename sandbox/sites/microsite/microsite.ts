import type { components } from '../../../generated/auth/types.ts';
import type { operations } from '../../../generated/microsite/types.ts';
import type { Call, DocumentedFailure, Reply } from '../../contract/types.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Handles, storedAs } from '../../runtime/handles.ts';
import type { RandomCollections } from '../../runtime/random.ts';
import type { Store, StoreSchema } from '../../store/store.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Site } from '../site.ts';
import type { AuthGateway } from './gateway.ts';

/** Everything that the pages of the microsite work with. */
export interface Microsite {
  readonly site: Site;
  /** The first page, where its form goes, and the portal of the same workspace. */
  readonly addresses: Readonly<Record<'home' | 'codes' | 'portal', string>>;
  readonly gateway: AuthGateway;
  readonly store: Store<MicrositeCollections>;
  readonly clock: Clock;
  /** Draw the handles of visits. */
  readonly handles: Handles;
  /** The address of a client server that is not the reference client; undefined where it is that. */
  readonly partnerUrl: () => string | undefined;
  /** Whether the control API answers for this workspace without an admin token: it does for the demo workspace. */
  readonly isDemo: boolean;
}

/** Who looks at a page: what a visit is stored under, and the visit; outside any visit the id is empty. */
export interface Guest {
  readonly id: string;
  readonly visit: Visit;
}

export const stranger: Guest = {
  id: '',
  visit: { customer_id: '', reference_id: '', mobile: '', sentAt: 0, wrong: 0, signedIn: null, expires: 0 },
};

/** What a handler of microsite.yaml is given, and what it may answer. */
export type MicrositeCall<Id extends keyof operations> = Call<operations[Id], Guest>;
export type MicrositeReply<Id extends keyof operations> =
  | Reply<operations[Id]>
  | DocumentedFailure<operations[Id], WebFailure, typeof pageTable>;

/** The visit that a handle opens; undefined if it is invalid, or the visit has ended. */
export async function guestOf({ store, clock }: Microsite, handle: string): Promise<Guest | undefined> {
  const id = storedAs(handle);
  const visit = store.get('visits', id);
  return visit !== undefined && visit.expires > clock.now() ? { id, visit } : undefined;
}

/** A visit, and a signed-in one again, lasts this long: half an hour more than a sign-in needs. */
export const visitMilliseconds = 3_600_000;

/** Seconds of sandbox time until another code can be sent; 0 when it can, also where the clock was set back since. */
export function resendIn({ clock }: Microsite, { sentAt }: Visit): number {
  const since = clock.now() - sentAt;
  return since < 0 ? 0 : Math.max(0, Math.ceil((resendAfter - since) / 1000));
}

/** Between one code and the next (OP-97). */
const resendAfter = 30_000;

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

/** The microsite's own collections. */
export interface MicrositeCollections extends RandomCollections {
  /** By the digest of their handle. */
  readonly visits: Visit;
}

/** A visit counts until it expires; one of data before visits did, no longer than its code. */
export const micrositeSchema: StoreSchema<Omit<MicrositeCollections, keyof RandomCollections>> = {
  visits: { until: ({ sentAt, expires = sentAt }) => expires },
};
