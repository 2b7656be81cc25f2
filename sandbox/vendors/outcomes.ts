import type { components } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { VendorVoucher } from '../domain/order-line.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RandomCollections } from '../runtime/ids.ts';
import type { Store, StoreSchema } from '../store/store.ts';

type PublicOutcome = components['schemas']['VendorOutcome'];
type Input = components['schemas']['VendorOutcomeInput'];

/** The configured outcome of an item. `left` is the number of redemptions until the default applies again; null if never. */
export type OutcomeRule = Readonly<PublicOutcome> & { readonly left: number | null };

/** A redemption as a vendor records it: its rule, the number of attempts so far, and the issued vouchers. */
export interface Fulfilment {
  /** The time of the platform's last request, in milliseconds of the sandbox clock. */
  readonly at: number;
  readonly rule: OutcomeRule;
  readonly tries: number;
  readonly vouchers: readonly VendorVoucher[] | null;
  /** The reason for the cancellation; absent if the redemption is not cancelled. */
  readonly cancelled?: string;
}

export interface VendorCollections extends ActivityCollections, RandomCollections {
  readonly outcomes: OutcomeRule;
  readonly fulfilments: Fulfilment;
  /** Keyed by voucher code: the redemption that the voucher was issued for. */
  readonly handedOut: string;
}

const day = 24 * 3600 * 1000;

/**
 * The platform makes five attempts within seconds, and abandons a line after a day. Thirty days far exceed this
 * (OP-57).
 */
export const vendorSchema: StoreSchema<Omit<VendorCollections, keyof ActivityCollections | keyof RandomCollections>> = {
  outcomes: { ordered: true },
  fulfilments: { until: ({ at }) => at + 30 * day },
  handedOut: {},
};

/** The default outcome: deliver after two seconds (OP-35). */
export function defaultRule(sku_code: string): OutcomeRule {
  return { sku_code, outcome: 'deliver', reason: '', times: null, delay_seconds: 2, left: null };
}

/** Returns the rule that an input requests. */
export function ruleOf(sku_code: string, input: Input): OutcomeRule {
  const { outcome, reason = '', delay_seconds = 2 } = input;
  const flaky = outcome === 'fail_then_deliver';
  const times = flaky ? (input.times ?? 1) : null;
  return { sku_code, outcome, reason, times, delay_seconds, left: flaky ? null : (input.times ?? null) };
}

/** The configured outcomes of all items, for the control API. */
export class Outcomes {
  readonly #parts;

  constructor(store: Store<VendorCollections>, clock: Pick<Clock, 'now'>, activity: Activity) {
    this.#parts = { store, clock, activity };
  }

  get(sku: string): PublicOutcome {
    return toPublicOutcome(this.#parts.store.get('outcomes', sku) ?? defaultRule(sku));
  }

  /** Returns the outcomes that were set, in item code order (OP-76). */
  list(after: string | undefined, limit: number): PublicOutcome[] {
    return this.#parts.store.range('outcomes', { limit, ...(after !== undefined && { after }) }).map(toPublicOutcome);
  }

  /** Sets an item's outcome, beginning with the next redemption that reaches the vendor. */
  async set(sku_code: string, input: Input, trace: string): Promise<void> {
    const rule = ruleOf(sku_code, input);
    const { outcome } = rule;
    await this.#parts.store.transact((tx) => {
      tx.put('outcomes', sku_code, rule);
      this.#parts.activity.note(tx, { trace, party: 'vendor', event: 'outcome.set', detail: { sku_code, outcome } });
    });
  }

  /** Sets the rule of a single redemption from its next attempt, regardless of its item's rule. */
  async decide(redeemCode: string, sku_code: string, input: Input, trace: string): Promise<void> {
    const rule = ruleOf(sku_code, input);
    const { outcome } = rule;
    await this.#parts.store.transact((tx) => {
      const vouchers = tx.get('fulfilments', redeemCode)?.vouchers ?? null;
      tx.put('fulfilments', redeemCode, { at: this.#parts.clock.now(), rule, tries: 0, vouchers });
      const detail = { sku_code, outcome };
      const redeem_codes = [redeemCode];
      this.#parts.activity.note(tx, { trace, party: 'vendor', event: 'outcome.decided', redeem_codes, detail });
    });
  }

  /** Deletes an item's outcome. Succeeds even if none was set. */
  async delete(sku_code: string, trace: string): Promise<void> {
    await this.#parts.store.transact((tx) => {
      tx.remove('outcomes', sku_code);
      this.#parts.activity.note(tx, { trace, party: 'vendor', event: 'outcome.deleted', detail: { sku_code } });
    });
  }
}

function toPublicOutcome({ left, ...rule }: OutcomeRule): PublicOutcome {
  return { ...rule, times: rule.outcome === 'fail_then_deliver' ? rule.times : left };
}
