import type { operations } from '../../generated/rewards/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { Handlers } from '../contract/types.ts';
import type { PlatformFailure } from '../domain/failures.ts';
import type { PlatformCaller } from './calls.ts';
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
