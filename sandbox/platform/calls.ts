import type { operations } from '../../generated/rewards/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { Call, DocumentedFailure, OperationType, Reply } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';

/** Who calls the platform. A customer brings the session's JWT, for calls to the client in the customer's name. */
export type PlatformCaller =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'company' }
  | { readonly kind: 'customer'; readonly uid: string; readonly jwt: string };

/** What a handler of the rewards API is given, and what it may answer. */
export type RewardsCall<Id extends keyof operations> = Call<operations[Id], PlatformCaller>;
export type RewardsReply<Id extends keyof operations> =
  | Reply<Extract<operations[Id], OperationType>>
  | DocumentedFailure<operations[Id], PlatformFailure, typeof flatTable>;
