import type { operations as GeneralOperations } from '../../generated/general/types.ts';
import type { operations } from '../../generated/rewards/types.ts';
import type { operations as V2PlatformOperations } from '../../generated/v2-platform/types.ts';
import type { flatTable } from '../contract/envelopes.ts';
import type { FlatFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { GeneralCaller, PlatformCaller } from './calls.ts';
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
export const rewardsHandlers: Handlers<
  Omit<operations, 'catalogueUpdated'>,
  Platform,
  PlatformCaller,
  FlatFailure,
  typeof flatTable
> = {
  companyAuth,
  customerAuth,
  listRewards,
  createRedemptionOrder,
  getWalletDetail,
  sendPaymentEvent,
  registerWebhook,
  listWebhooks,
  deleteWebhook,
};

/** One handler for each operation of v2-platform.yaml. */
export const v2PlatformHandlers: Handlers<
  V2PlatformOperations,
  Platform,
  PlatformCaller,
  FlatFailure,
  typeof flatTable
> = {
  listCatalog,
  createOrder,
  getOrderStatus,
};

/** One handler for each operation of general.yaml. */
export const generalHandlers: Handlers<GeneralOperations, Platform, GeneralCaller, FlatFailure, typeof flatTable> = {
  login,
  getUserProfile,
  listProducts,
  createProductOrder,
};
