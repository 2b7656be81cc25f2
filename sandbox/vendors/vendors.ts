import type { Activity } from '../activity-log/activity.ts';
import {
  outOfStock,
  type VendorAnswer,
  type VendorCancellation,
  type VendorRequest,
  type VendorVoucher,
  type VoucherForm,
} from '../domain/order-line.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DrawKept, draw, type SeededRandom } from '../runtime/ids.ts';
import type { Spans } from '../runtime/spans.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Store, Tx } from '../store/store.ts';
import { defaultRule, type Fulfilment, type OutcomeRule, type VendorCollections } from './outcomes.ts';

/** The three vendors, each with its code in voucher records. */
export const vendorCodes = {
  egift: 'VENDOR-EGIFT',
  merchandise: 'VENDOR-MERCH',
  services: 'VENDOR-SERVICES',
} as const;

export type VendorName = keyof typeof vendorCodes;

type VendorTx = Tx<VendorCollections>;

/** The dependencies of the vendors. */
interface VendorParts {
  readonly store: Store<VendorCollections>;
  readonly clock: Pick<Clock, 'now'>;
  readonly activity: Activity;
  readonly spans: Spans;
  readonly vendorOf: (sku: string) => VendorName;
  readonly drawKept?: DrawKept;
}

/** The state of a redemption that its vendor has not attempted. */
const untried = { tries: 0, vouchers: null } as const;

/** The three simulated vendors: e-gift, merchandise, services (OP-35). */
export class Vendors {
  readonly #parts: VendorParts;

  constructor(parts: VendorParts) {
    this.#parts = parts;
  }

  /** Returns the milliseconds until the vendor answers for this item. */
  delay(sku: string): number {
    return (this.#parts.store.get('outcomes', sku) ?? defaultRule(sku)).delay_seconds * 1000;
  }

  /** Applies a redemption's rule. The same redeemCode has the same rule at every attempt. */
  fulfil(request: VendorRequest): Promise<VendorAnswer> {
    const start = { name: 'fulfil', kind: 'internal', party: 'vendor', trace: request.trace } as const;
    const at = this.#parts.clock.now();
    const change = (tx: VendorTx) => {
      const { redeemCode, sku_code } = request;
      const before = tx.get('fulfilments', redeemCode) ?? { at, rule: this.#take(tx, sku_code), ...untried };
      const tried = { ...before, at, tries: before.tries + 1 };
      const answer = this.#answer(tx, request, tried);
      tx.put('fulfilments', redeemCode, answer.kind === 'delivered' ? { ...tried, vouchers: answer.vouchers } : tried);
      dropEnded(tx, 'fulfilments', at);
      this.#note(tx, request, `vendor.${answer.kind}`, { try: tried.tries });
      return answer;
    };
    return this.#parts.spans.during(start, () => this.#parts.store.transact(change));
  }

  #note(tx: VendorTx, about: Omit<VendorCancellation, 'remark'>, event: string, more = {}) {
    const { redeemCode, sku_code, trace } = about;
    const detail = { vendor: this.#parts.vendorOf(sku_code), sku_code, ...more };
    this.#parts.activity.note(tx, { trace, party: 'vendor', event, redeem_codes: [redeemCode], detail });
  }

  /** Cancels a redemption unless it was fulfilled, even if it was never requested. Returns whether it is cancelled (OP-129). */
  cancel({ redeemCode, sku_code, remark, trace }: VendorCancellation): Promise<boolean> {
    const at = this.#parts.clock.now();
    return this.#parts.store.transact((tx) => {
      const before = tx.get('fulfilments', redeemCode);
      const confirmed = before !== undefined && before.vouchers !== null;
      if (!confirmed) {
        // A redemption that was never requested does not use up a rule.
        const { rule, tries, vouchers } = before ?? { rule: defaultRule(sku_code), ...untried };
        tx.put('fulfilments', redeemCode, { at, rule, tries, vouchers, cancelled: remark });
        dropEnded(tx, 'fulfilments', at);
      }
      const event = confirmed ? 'cancellation.refused' : 'cancellation.accepted';
      this.#note(tx, { redeemCode, sku_code, trace }, event);
      return !confirmed;
    });
  }

  /** Returns the rule for a new redemption. Decrements the remaining uses of a limited rule. */
  #take(tx: VendorTx, sku: string): OutcomeRule {
    const rule = tx.get('outcomes', sku) ?? defaultRule(sku);
    if (rule.left === 1) tx.remove('outcomes', sku);
    else if (rule.left !== null) tx.put('outcomes', sku, { ...rule, left: rule.left - 1 });
    return rule;
  }

  #answer(tx: VendorTx, request: VendorRequest, { rule, tries, vouchers, cancelled }: Fulfilment): VendorAnswer {
    if (cancelled !== undefined) return { kind: 'cancelled', remark: cancelled };
    switch (rule.outcome) {
      case 'deliver':
        return this.#deliver(tx, request, vouchers);
      case 'reject':
        return { kind: 'rejected', reason: rule.reason || 'Rejected by the vendor' };
      case 'out_of_stock':
        return { kind: 'rejected', reason: rule.reason || outOfStock };
      case 'timeout':
        return { kind: 'failed', reason: rule.reason || 'The vendor did not respond in time' };
      case 'fail_then_deliver':
        if (tries > (rule.times ?? 1)) return this.#deliver(tx, request, vouchers);
        return { kind: 'failed', reason: rule.reason || 'The vendor failed' };
      case 'never':
        return { kind: 'silent' };
    }
  }

  /** Issues one voucher for each unit of an e-gift. Repeated requests receive the vouchers already issued. */
  #deliver(tx: VendorTx, request: VendorRequest, handedOut: Fulfilment['vouchers']): VendorAnswer {
    const { redeemCode, sku_code, product_type, quantity, form } = request;
    const partnerCode = vendorCodes[this.#parts.vendorOf(sku_code)];
    const units = product_type === 'EGV' ? quantity : 0;
    const vouchers = handedOut ?? Array.from({ length: units }, () => this.#newVoucher(tx, redeemCode, form));
    return { kind: 'delivered', partnerCode, vouchers };
  }

  /** Issues a voucher with an unused code, and records that code as issued (OP-94). */
  #newVoucher(tx: VendorTx, redeemCode: string, form?: VoucherForm): VendorVoucher {
    const { drawKept = draw } = this.#parts;
    const drawn = () => drawKept(tx, drawVoucherCode);
    let voucherCode = drawn();
    while (tx.get('handedOut', voucherCode) !== undefined) voucherCode = drawn();
    tx.add('handedOut', voucherCode, redeemCode);
    return { voucherCode, ...draw(tx, (random) => drawBeside(random, form)) };
  }
}

/** Draws the code of a voucher. */
export function drawVoucherCode(random: SeededRandom): string {
  return [4, 4, 4, 4].map((length) => random.code(length)).join('-');
}

/** Draws the fields of a voucher of this form besides its code. */
export function drawBeside(random: SeededRandom, form?: VoucherForm): Omit<VendorVoucher, 'voucherCode'> {
  if (form === 'code_only') return { pin: null };
  const pin = random.digits(6);
  return form === 'gift_card' ? { pin, gcid: random.digits(16) } : { pin };
}
