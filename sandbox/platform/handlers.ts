import type { operations as GeneralOperations } from '../../generated/general/types.ts';
import type { operations } from '../../generated/rewards/types.ts';
import type { operations as V2PlatformOperations } from '../../generated/v2-platform/types.ts';
import type { flatTable } from '../contract/failure-tables.ts';
import type { FlatFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { GeneralCaller, PlatformCaller } from './calls.ts';
import { listCatalog, listRewards } from './operations/catalogue.ts';
import { deleteWebhook, listWebhooks, registerWebhook, sendPaymentEvent } from './operations/events.ts';
import { createOrder, createProductOrder, createRedemptionOrder, getOrderStatus } from './operations/orders.ts';
import { listProducts } from './operations/products.ts';
import { companyAuth, customerAuth, login } from './operations/sign-in.ts';
import { getUserProfile } from './operations/users.ts';
import { getWalletDetail } from './operations/wallet.ts';
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
