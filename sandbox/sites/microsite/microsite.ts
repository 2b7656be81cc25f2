import type { operations as AuthOperations, components } from '../../../generated/auth/types.ts';
import type { operations } from '../../../generated/microsite/types.ts';
import { wrappedMessage } from '../../contract/envelopes.ts';
import type { Call, Handlers, ReplyOrFailure } from '../../contract/types.ts';
import type { Answer } from '../../domain/failures.ts';
import { type CallRecorder, callOut } from '../../http-client/call-out.ts';
import type { Outgoing } from '../../http-client/outgoing.ts';
import { answerOf, saysNo, type ValidatingContract } from '../../http-client/reply.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { RandomCollections } from '../../runtime/ids.ts';
import type { Settings } from '../../runtime/settings.ts';
import { type Handles, storedAs } from '../../runtime/tokens.ts';
import type { Store, StoreSchema } from '../../store/store.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Site } from '../site.ts';

/** Everything that the pages of the microsite work with. */
export interface Microsite {
  readonly site: Site;
  /** The first page, where its form goes, and the portal of the same workspace. */
  readonly addresses: Readonly<Record<'home' | 'codes' | 'portal', string>>;
  readonly gateway: AuthGateway;
  readonly settings: () => Pick<Settings, 'otp_lifetime' | 'otp_tries'>;
  readonly store: Store<MicrositeCollections>;
  readonly clock: Clock;
  /** Draw the handles of visits. */
  readonly handles: Handles;
  /** The address of a client server that is not the reference client; undefined if it is that. */
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

/** One handler for each operation of microsite.yaml. */
export type MicrositeHandlers = Handlers<operations, Microsite, Guest, WebFailure, typeof pageTable>;

/** What a handler of microsite.yaml is given, and what it may answer. */
export type MicrositeCall<Id extends keyof operations> = Call<operations[Id], Guest>;
export type MicrositeReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], WebFailure, typeof pageTable>;

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

type Schemas = components['schemas'];

/** The client's address, how to reach it, and the credentials for it. The credentials stay here. */
export interface AuthAddress {
  readonly baseUrl: () => string;
  readonly outgoing: (url: string) => Outgoing;
  readonly basic: { readonly username: string; readonly password: string };
}

/** The microsite's calls to the client, from the server side (D1). A reply that breaks the contract is none. */
export class AuthGateway {
  readonly #contract: ValidatingContract;
  readonly #around: CallRecorder;
  readonly #address: AuthAddress;

  constructor(contract: ValidatingContract, around: CallRecorder, address: AuthAddress) {
    this.#contract = contract;
    this.#around = around;
    this.#address = address;
  }

  generateOtp(body: Schemas['OtpRequest'], trace: string): Promise<Answer<Schemas['OtpSent']>> {
    return this.#call('generateOtp', '/api/v1/auth/generate-otp', body, trace);
  }

  verifyOtp(body: Schemas['OtpVerification'], trace: string): Promise<Answer<Schemas['SignedIn']>> {
    return this.#call('verifyOtp', '/api/v1/auth/verify-otp', body, trace);
  }

  async #call<T>(operation: keyof AuthOperations, path: string, request: unknown, trace: string): Promise<Answer<T>> {
    const baseUrl = this.#address.baseUrl();
    const { basic, outgoing } = this.#address;
    const call = {
      ...({
        operation,
        party: 'client',
        trace,
        method: 'POST',
        url: `${baseUrl.replace(/\/$/, '')}${path}`,
        request,
      } as const),
      headers: { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` },
      outgoing: () => outgoing(baseUrl),
      judged: { by: 'checked', contract: this.#contract } as const,
      // A server that does not know us has not decided about the customer.
      refuses: (status: number) => saysNo(status) && status !== 401 && status !== 403,
      message: wrappedMessage,
    };
    return answerOf(await callOut<T>(this.#around, call));
  }
}
