import type { ExchangeRule } from '../rule.ts';
import { customerRules } from './customer.ts';
import { echoRules } from './echoes.ts';
import { listingRules } from './listing.ts';
import { orderRules } from './orders.ts';
import { redemptionRules } from './redemption.ts';
import { signInRules } from './sign-in.ts';
import { walletRules } from './wallet.ts';

/** Every rule over a request with its reply. */
export const exchangeRules: readonly ExchangeRule[] = [
  ...listingRules,
  ...orderRules,
  ...customerRules,
  ...redemptionRules,
  ...walletRules,
  ...signInRules,
  ...echoRules,
];
