import type { operations as GeneralOperations } from '../../generated/general/types.ts';
import type { operations } from '../../generated/rewards/types.ts';
import type { operations as V2PlatformOperations } from '../../generated/v2-platform/types.ts';
import type { FlatFailure, flatTable } from '../contract/failure-tables.ts';
import type { Call, DocumentedFailure, OperationType, Reply } from '../contract/types.ts';

/** The caller of the platform. A customer has the session's JWT, for calls to the client in the customer's name. */
export type PlatformCaller =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'company' }
  | { readonly kind: 'customer'; readonly uid: string; readonly jwt: string };

/**
 * The caller of the general API: a logged-in customer. An empty uid is a caller without a login; no customer has an
 * empty uid.
 */
export type GeneralCaller = { readonly kind: 'anyone' | 'user'; readonly uid: string };

/** The JWT of the customer who calls; undefined when the company does. */
export function jwtOf(caller: PlatformCaller): string | undefined {
  return caller.kind === 'customer' ? caller.jwt : undefined;
}

/** What a handler of the rewards API is given, and what it may answer. */
export type RewardsCall<Id extends keyof operations> = Call<operations[Id], PlatformCaller>;
export type RewardsReply<Id extends keyof operations> = PlatformReply<operations[Id]>;

/** The same for the platform's half of the version 2.0 list. */
export type V2Call<Id extends keyof V2PlatformOperations> = Call<V2PlatformOperations[Id], PlatformCaller>;
export type V2Reply<Id extends keyof V2PlatformOperations> = PlatformReply<V2PlatformOperations[Id]>;

/** The same for the general API. */
export type GeneralCall<Id extends keyof GeneralOperations> = Call<GeneralOperations[Id], GeneralCaller>;
export type GeneralReply<Id extends keyof GeneralOperations> = PlatformReply<GeneralOperations[Id]>;

type PlatformReply<Op> =
  | Reply<Extract<Op, OperationType>>
  | DocumentedFailure<Extract<Op, OperationType>, FlatFailure, typeof flatTable>;
