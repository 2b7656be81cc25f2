import type { components } from '../../generated/sandbox/types.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { VendorVoucher } from '../domain/order-line.ts';
import type { RandomCollections } from '../runtime/random.ts';
import type { StoreSchema } from '../store/store.ts';

/** The configured outcome of an item. `left` counts the redemptions until the default applies again; null is for ever. */
export interface OutcomeRule {
  readonly sku_code: string;
  readonly outcome: components['schemas']['OutcomeName'];
  readonly reason: string;
  readonly times: number | null;
  readonly delay_seconds: number;
  readonly left: number | null;
}

/** A redemption as a vendor knows it: the rule that it fell under, the tries so far, and what was handed out. */
export interface Fulfilment {
  /** The time of the platform's last request, in milliseconds of the sandbox clock. */
  readonly at: number;
  readonly rule: OutcomeRule;
  readonly tries: number;
  readonly vouchers: readonly VendorVoucher[] | null;
  /** Why it is no longer wanted; absent while it is. */
  readonly cancelled?: string;
}

export interface VendorCollections extends ActivityCollections, RandomCollections {
  readonly outcomes: OutcomeRule;
  readonly fulfilments: Fulfilment;
  /** By code: the redemption that a voucher was handed out for. */
  readonly handedOut: string;
}

const day = 24 * 3600 * 1000;

/** The platform asks five times within seconds and gives a line up after a day; thirty are far beyond that (OP-57). */
export const vendorSchema: StoreSchema<Omit<VendorCollections, keyof ActivityCollections | keyof RandomCollections>> = {
  outcomes: { ordered: true },
  fulfilments: { until: ({ at }) => at + 30 * day },
  handedOut: {},
};
