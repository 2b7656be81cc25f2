import { type ServedApi, serve } from '../contract/binder.ts';
import { flatEnvelope } from '../contract/envelopes.ts';
import { admit, charge, generalAuthenticators, rewardsAuthenticators, v2PlatformAuthenticators } from './access.ts';
import type { GeneralCaller, PlatformCaller } from './calls.ts';
import { generalHandlers, rewardsHandlers, v2PlatformHandlers } from './handlers.ts';
import { storedReplies } from './idempotent-replies.ts';
import type { Platform } from './platform.ts';

/** The rewards API and the platform's half of the version 2.0 list: same callers, allowlist and quota. */
export function rewardsApi(platform: Platform): ServedApi<'rewards' | 'v2-platform'> {
  const rules = {
    party: platform,
    envelope: flatEnvelope,
    anyone: { kind: 'anyone' } as PlatformCaller,
    charge: () => charge(platform),
    idempotency: storedReplies(platform),
    identity: (caller: PlatformCaller) => (caller.kind === 'customer' ? `customer ${caller.uid}` : caller.kind),
  };
  return {
    envelope: flatEnvelope,
    admit: admit(platform),
    contracts: {
      rewards: serve({
        ...rules,
        handlers: rewardsHandlers,
        authenticators: rewardsAuthenticators(platform),
      }),
      'v2-platform': serve({
        ...rules,
        handlers: v2PlatformHandlers,
        authenticators: v2PlatformAuthenticators(platform),
      }),
    },
  };
}

/** The general API: callers of its own, the company's allowlist and quota. */
export function generalApi(platform: Platform): ServedApi<'general'> {
  const general = serve({
    party: platform,
    handlers: generalHandlers,
    envelope: flatEnvelope,
    authenticators: generalAuthenticators(platform),
    anyone: { kind: 'anyone', uid: '' } as GeneralCaller,
    charge: () => charge(platform),
    idempotency: storedReplies(platform),
    identity: ({ uid }) => `user ${uid}`,
  });
  return { envelope: flatEnvelope, admit: admit(platform), contracts: { general } };
}
