import type { operations as AuthOperations, components } from '../../../generated/auth/types.ts';
import type { operations } from '../../../generated/microsite/types.ts';
import { wrappedMessage } from '../../contract/envelopes.ts';
import type { Call, Handlers } from '../../contract/types.ts';
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

/** The dependencies of the microsite's pages. */
export interface Microsite {
  readonly site: Site;
  /** Addresses of the first page, of its form's target, and of the portal in the same workspace. */
  readonly addresses: Readonly<Record<'home' | 'codes' | 'portal', string>>;
  readonly gateway: AuthGateway;
  readonly settings: () => Pick<Settings, 'otp_lifetime' | 'otp_tries'>;
  readonly store: Store<MicrositeCollections>;
  readonly clock: Clock;
  /** Generates the handles of visits. */
  readonly handles: Handles;
  /** Returns the address of the partner's own server; `undefined` for the reference client. */
  readonly partnerUrl: () => string | undefined;
  /** Whether the control API accepts calls for this workspace without an admin token, as for the demo workspace. */
  readonly isDemo: boolean;
}

/** A page's viewer: the visit and the key under which it is stored. Outside a visit, the id is empty. */
export interface Guest {
  readonly id: string;
  readonly visit: Visit;
}

export const stranger: Guest = {
  id: '',
  visit: { customer_id: '', reference_id: '', mobile: '', sentAt: 0, wrong: 0, signedIn: null, expires: 0 },
};

/** One handler per operation of microsite.yaml. */
export type MicrositeHandlers = Handlers<operations, Microsite, Guest, WebFailure, typeof pageTable>;

/** The input and the result of a handler of microsite.yaml. */
export type MicrositeCall<Id extends keyof operations> = Call<operations[Id], Guest>;
export type MicrositeReply<Id extends keyof operations> = Awaited<ReturnType<MicrositeHandlers[Id]>>;

/** Returns the visit of a handle; `undefined` if the handle is invalid or the visit has ended. */
export async function guestOf({ store, clock }: Microsite, handle: string): Promise<Guest | undefined> {
  const id = storedAs(handle);
  const visit = store.get('visits', id);
  return visit !== undefined && visit.expires > clock.now() ? { id, visit } : undefined;
}

/** Lifetime of a visit, which restarts at sign-in: half an hour longer than a sign-in can take. */
export const visitMilliseconds = 3_600_000;

/** Returns the seconds of sandbox time until another code can be sent. Returns 0 if one can be sent now, or if the clock was set back. */
export function resendIn({ clock }: Microsite, { sentAt }: Visit): number {
  const since = clock.now() - sentAt;
  return since < 0 ? 0 : Math.max(0, Math.ceil((resendAfter - since) / 1000));
}

/** Minimum milliseconds between two codes (OP-97). */
const resendAfter = 30_000;

/** A visit to the microsite: it starts with a sent code and continues after the sign-in. Times are in milliseconds. */
export interface Visit {
  readonly customer_id: string;
  readonly reference_id: string;
  /** The masked number that the client returned. */
  readonly mobile: string;
  readonly sentAt: number;
  /** Number of wrong attempts at the latest code. */
  readonly wrong: number;
  readonly signedIn: SignedIn | null;
  readonly expires: number;
}

export interface SignedIn {
  readonly jwt: string;
  readonly points: components['schemas']['SignedIn']['points'];
  /** Whether the token was sent to the portal, which accepts it only once. */
  readonly entered: boolean;
}

/** The microsite's own collections. */
export interface MicrositeCollections extends RandomCollections {
  /** Keyed by the digest of the visit's handle. */
  readonly visits: Visit;
}

/** The schema. A visit without an expiry, from an older data folder, expires with its code. */
export const micrositeSchema: StoreSchema<Omit<MicrositeCollections, keyof RandomCollections>> = {
  visits: { until: ({ sentAt, expires = sentAt }) => expires },
};

type Schemas = components['schemas'];

/** The client's address, how to reach it, and its credentials. The credentials never reach the browser. */
export interface AuthAddress {
  readonly baseUrl: () => string;
  readonly outgoing: (url: string) => Outgoing;
  readonly basic: { readonly username: string; readonly password: string };
}

/** The microsite's server-side calls to the client (D1). A response that violates the contract counts as no response. */
export class AuthGateway {
  readonly #parts;

  constructor(contract: ValidatingContract, around: CallRecorder, address: AuthAddress) {
    this.#parts = { contract, around, address };
  }

  generateOtp(body: Schemas['OtpRequest'], trace: string): Promise<Answer<Schemas['OtpSent']>> {
    return this.#call('generateOtp', '/api/v1/auth/generate-otp', body, trace);
  }

  verifyOtp(body: Schemas['OtpVerification'], trace: string): Promise<Answer<Schemas['SignedIn']>> {
    return this.#call('verifyOtp', '/api/v1/auth/verify-otp', body, trace);
  }

  async #call<T>(operation: keyof AuthOperations, path: string, request: unknown, trace: string): Promise<Answer<T>> {
    const { contract, around, address } = this.#parts;
    const { basic, outgoing } = address;
    const baseUrl = address.baseUrl();
    const url = `${baseUrl.replace(/\/$/, '')}${path}`;
    const call = {
      ...({ operation, party: 'client', trace, method: 'POST', url, request } as const),
      headers: { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` },
      outgoing: () => outgoing(baseUrl),
      judged: { by: 'checked', contract } as const,
      // A server that rejects our credentials has not made a decision about the customer.
      refuses: (status: number) => saysNo(status) && status !== 401 && status !== 403,
      message: wrappedMessage,
    };
    return answerOf(await callOut<T>(around, call));
  }
}
