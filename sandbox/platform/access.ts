import type { operations as GeneralOperations } from '../../generated/general/types.ts';
import type { operations } from '../../generated/rewards/types.ts';
import type { operations as V2PlatformOperations } from '../../generated/v2-platform/types.ts';
import { type Authenticator, type CallOrigin, type Charge, Undecided } from '../contract/api.ts';
import { flatEnvelope, type Rendered, rateLimitHeaders } from '../contract/envelopes.ts';
import type { FlatFailure, flatTable } from '../contract/failure-tables.ts';
import type { Call, Handlers } from '../contract/types.ts';
import { inRanges } from '../runtime/caller.ts';
import { bareOrBearer, bearer } from '../runtime/tokens.ts';
import type { Platform } from './platform.ts';
import { sessionOf } from './session.ts';

/** A caller of the platform. `jwt` is the session's JWT, for calls to the client on the customer's behalf. */
export type PlatformCaller =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'company' }
  | { readonly kind: 'customer'; readonly uid: string; readonly jwt: string };

/** A caller of the general API: a logged-in customer, or an unknown caller with an empty uid. No customer has an empty uid. */
export type GeneralCaller = { readonly kind: 'anyone' | 'user'; readonly uid: string };

/** The part of a workspace that these APIs need. */
export interface HasPlatform {
  readonly platform: Platform;
}

/** Returns the JWT of a customer caller; `undefined` for the company. */
export function jwtOf(caller: PlatformCaller): string | undefined {
  return caller.kind === 'customer' ? caller.jwt : undefined;
}

type PlatformHandlers<Operations, Caller> = Handlers<Operations, Platform, Caller, FlatFailure, typeof flatTable>;

/** The handlers of the rewards API, with the input and the result of each. */
export type RewardsHandlers = PlatformHandlers<Omit<operations, 'catalogueUpdated'>, PlatformCaller>;
export type RewardsCall<Id extends keyof RewardsHandlers> = Call<operations[Id], PlatformCaller>;
export type RewardsReply<Id extends keyof RewardsHandlers> = Awaited<ReturnType<RewardsHandlers[Id]>>;

/** The handlers of the platform's half of the version 2.0 API. */
export type V2Handlers = PlatformHandlers<V2PlatformOperations, PlatformCaller>;
export type V2Call<Id extends keyof V2Handlers> = Call<V2PlatformOperations[Id], PlatformCaller>;
export type V2Reply<Id extends keyof V2Handlers> = Awaited<ReturnType<V2Handlers[Id]>>;

/** The handlers of the general API. */
export type GeneralHandlers = PlatformHandlers<GeneralOperations, GeneralCaller>;
export type GeneralCall<Id extends keyof GeneralHandlers> = Call<GeneralOperations[Id], GeneralCaller>;
export type GeneralReply<Id extends keyof GeneralHandlers> = Awaited<ReturnType<GeneralHandlers[Id]>>;

/** The authenticator of general.yaml: an access token, as Bearer only (OP-03, OP-28). */
export const generalAuthenticators: Record<string, Authenticator<Platform, GeneralCaller>> = {
  accessToken: async (platform, authorization) => {
    const claims = await platform.generalTokens.check(bearer(authorization));
    return claims && { kind: 'user', uid: claims.sub };
  },
};

const tokenAuthenticators: Record<string, Authenticator<Platform, PlatformCaller>> = {
  companyToken: (platform, authorization) => company(platform, bareOrBearer(authorization)),
  customerToken: (platform, authorization) => customer(platform, bareOrBearer(authorization)),
};

/** The authenticators of v2-platform.yaml: the company and customer tokens of the rewards API, and the customer's JWT (T2, OP-120). */
export const v2PlatformAuthenticators: Record<string, Authenticator<Platform, PlatformCaller, FlatFailure>> = {
  ...tokenAuthenticators,
  customerJwt: async (platform, authorization, _, trace) => {
    const jwt = bearer(authorization);
    const session = jwt === undefined ? undefined : await sessionOf(platform, jwt, trace);
    if (session === undefined) return undefined;
    return 'kind' in session ? new Undecided(session) : { kind: 'customer', uid: session.uid, jwt: session.jwt };
  },
};

/** The authenticators of rewards.yaml: company and customer tokens. Some operations accept bare tokens, others only Bearer (OP-03). */
export const rewardsAuthenticators: Record<string, Authenticator<Platform, PlatformCaller>> = {
  ...tokenAuthenticators,
  companyBearer: (platform, authorization) => company(platform, bearer(authorization)),
  customerBearer: (platform, authorization) => customer(platform, bearer(authorization)),
};

async function company(platform: Platform, token: string | undefined): Promise<PlatformCaller | undefined> {
  const claims = await platform.companyTokens.check(token);
  return claims === undefined ? undefined : { kind: 'company' };
}

async function customer(platform: Platform, token: string | undefined): Promise<PlatformCaller | undefined> {
  const claims = await platform.customerTokens.check(token);
  const session = claims && platform.store.get('sessions', claims.jti);
  if (session === undefined || session.uid !== claims?.sub) return undefined;
  return { kind: 'customer', uid: session.uid, jwt: session.jwt };
}

/** Refuses a customer token if `uid` identifies a different customer. `where` names the field (OP-45). */
export function refuseForeign(caller: PlatformCaller, uid: string, where: string) {
  if (caller.kind !== 'customer' || caller.uid === uid) return undefined;
  return { kind: 'invalid_request', where, problem: "must be the session's own customer" } as const;
}

/** Refuses a server that is not on the allowlist. Behind a trusted proxy, checks the address that called the proxy (OP-31, OP-87). */
export function admit(platform: Platform, { addresses }: CallOrigin): Rendered | undefined {
  const { allowlist } = platform.settings();
  const allowed = allowlist.length === 0 || addresses.every((address) => inRanges(address, allowlist));
  return allowed ? undefined : flatEnvelope.render({ kind: 'blocked_server' });
}

/** Charges a call to the company's hourly quota (OP-30). All callers of a workspace belong to one company. */
export async function charge(platform: Platform): Promise<Charge<FlatFailure>> {
  const quota = await platform.quota.take();
  return 'kind' in quota ? { refusal: quota } : { headers: rateLimitHeaders(quota) };
}
