import type { operations } from '../../generated/rewards/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { Answer, Call, DocumentedFailure, Handlers, OperationType, Reply } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import { companyAuth } from './operations/companyAuth.ts';
import { createRedemptionOrder } from './operations/createRedemptionOrder.ts';
import { customerAuth } from './operations/customerAuth.ts';
import { deleteWebhook } from './operations/deleteWebhook.ts';
import { getWalletDetail } from './operations/getWalletDetail.ts';
import { listRewards } from './operations/listRewards.ts';
import { listWebhooks } from './operations/listWebhooks.ts';
import { registerWebhook } from './operations/registerWebhook.ts';
import { sendPaymentEvent } from './operations/sendPaymentEvent.ts';
import type { Platform } from './platform.ts';

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
export type { Answer };

/** One handler for each operation of rewards.yaml. */
export function rewardsHandlers(
  platform: Platform,
): Handlers<Omit<operations, 'catalogueUpdated'>, PlatformCaller, PlatformFailure, typeof flatTable> {
  return {
    companyAuth: (call) => companyAuth(platform, call),
    customerAuth: (call) => customerAuth(platform, call),
    listRewards: (call) => listRewards(platform, call),
    createRedemptionOrder: (call) => createRedemptionOrder(platform, call),
    getWalletDetail: (call) => getWalletDetail(platform, call),
    sendPaymentEvent: (call) => sendPaymentEvent(platform, call),
    registerWebhook: (call) => registerWebhook(platform, call),
    listWebhooks: (call) => listWebhooks(platform, call),
    deleteWebhook: (call) => deleteWebhook(platform, call),
  };
}
