import type { operations as GeneralOperations } from '../../generated/general/types.ts';
import type { operations } from '../../generated/rewards/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { FlatFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { GeneralCaller, PlatformCaller, V2PlatformOperations } from './calls.ts';
import { companyAuth } from './operations/companyAuth.ts';
import { createOrder } from './operations/createOrder.ts';
import { createProductOrder } from './operations/createProductOrder.ts';
import { createRedemptionOrder } from './operations/createRedemptionOrder.ts';
import { customerAuth } from './operations/customerAuth.ts';
import { deleteWebhook } from './operations/deleteWebhook.ts';
import { getOrderStatus } from './operations/getOrderStatus.ts';
import { getUserProfile } from './operations/getUserProfile.ts';
import { getWalletDetail } from './operations/getWalletDetail.ts';
import { listCatalog } from './operations/listCatalog.ts';
import { listProducts } from './operations/listProducts.ts';
import { listRewards } from './operations/listRewards.ts';
import { listWebhooks } from './operations/listWebhooks.ts';
import { login } from './operations/login.ts';
import { registerWebhook } from './operations/registerWebhook.ts';
import { sendPaymentEvent } from './operations/sendPaymentEvent.ts';
import type { Platform } from './platform.ts';

/** One handler for each operation of rewards.yaml. */
export function rewardsHandlers(
  platform: Platform,
): Handlers<Omit<operations, 'catalogueUpdated'>, PlatformCaller, FlatFailure, typeof flatTable> {
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

/** One handler for each operation of v2.yaml that the platform hosts. */
export function v2PlatformHandlers(
  platform: Platform,
): Handlers<V2PlatformOperations, PlatformCaller, FlatFailure, typeof flatTable> {
  return {
    listCatalog: (call) => listCatalog(platform, call),
    createOrder: (call) => createOrder(platform, call),
    getOrderStatus: (call) => getOrderStatus(platform, call),
  };
}

/** One handler for each operation of general.yaml. */
export function generalHandlers(
  platform: Platform,
): Handlers<GeneralOperations, GeneralCaller, FlatFailure, typeof flatTable> {
  return {
    login: (call) => login(platform, call),
    getUserProfile: (call) => getUserProfile(platform, call),
    listProducts: (call) => listProducts(platform, call),
    createProductOrder: (call) => createProductOrder(platform, call),
  };
}
