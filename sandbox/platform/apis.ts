import type { IdempotencyStore } from '../contract/api.ts';
import { type ServedApi, serve } from '../contract/binder.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import { dropEnded } from '../store/pruning.ts';
import {
  admit,
  charge,
  type GeneralCaller,
  type GeneralHandlers,
  generalAuthenticators,
  type HasPlatform,
  type PlatformCaller,
  type RewardsHandlers,
  rewardsAuthenticators,
  type V2Handlers,
  v2PlatformAuthenticators,
} from './access.ts';
import { listCatalog, listRewards } from './operations/catalogue.ts';
import { deleteWebhook, listWebhooks, registerWebhook, sendPaymentEvent } from './operations/events.ts';
import { createOrder, createProductOrder, createRedemptionOrder, getOrderStatus } from './operations/orders.ts';
import { listProducts } from './operations/products.ts';
import { companyAuth, customerAuth, login } from './operations/sign-in.ts';
import { getUserProfile } from './operations/users.ts';
import { getWalletDetail } from './operations/wallet.ts';
import type { Platform } from './platform.ts';

/** One handler per operation of rewards.yaml. */
const rewardsHandlers: RewardsHandlers = {
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

/** One handler per operation of v2-platform.yaml. */
const v2PlatformHandlers: V2Handlers = {
  listCatalog,
  createOrder,
  getOrderStatus,
};

/** One handler per operation of general.yaml. */
const generalHandlers: GeneralHandlers = {
  login,
  getUserProfile,
  listProducts,
  createProductOrder,
};

const rules = {
  party: ({ platform }: HasPlatform) => platform,
  envelope: () => flatEnvelope,
  admit,
  charge,
  clampsLimit: (platform: Platform) => platform.settings().limit_above_maximum === 'clamp',
  idempotency: ({ replies }: Platform) => replies,
};

const partnerRules = {
  ...rules,
  anyone: { kind: 'anyone' } as PlatformCaller,
  identity: (caller: PlatformCaller) => (caller.kind === 'customer' ? `customer ${caller.uid}` : caller.kind),
};

/** The rewards API and the platform's half of the version 2.0 API. They share callers, allowlist and quota. */
export const rewardsApi: ServedApi<HasPlatform, 'rewards' | 'v2-platform'> = {
  rewards: serve({ ...partnerRules, handlers: rewardsHandlers, authenticators: rewardsAuthenticators }),
  'v2-platform': serve({ ...partnerRules, handlers: v2PlatformHandlers, authenticators: v2PlatformAuthenticators }),
};

/** The general API. It has its own callers, but shares the company's allowlist and quota. */
export const generalApi: ServedApi<HasPlatform, 'general'> = {
  general: serve({
    ...rules,
    handlers: generalHandlers,
    authenticators: generalAuthenticators,
    anyone: { kind: 'anyone', uid: '' } as GeneralCaller,
    identity: ({ uid }) => `user ${uid}`,
  }),
};

/** Returns the store of replies to requests with an `Idempotency-Key`. It retains each reply for at least a day (OP-20, OP-57). */
export function storedReplies({ store, clock }: Pick<Platform, 'store' | 'clock'>): IdempotencyStore {
  return {
    get: (id) => store.get('idempotency', id),
    keep(tx, id, reply) {
      const now = clock.now();
      tx.put('idempotency', id, { ...reply, at: now });
      dropEnded(tx, 'idempotency', now);
    },
    transact: (change) => store.transact(change),
    underWay: new Map(),
  };
}
