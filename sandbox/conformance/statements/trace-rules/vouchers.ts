/** Rules for wallet vouchers, which must match the redemptions they belong to. */
import { getOrCreate } from '../../../runtime/caches.ts';
import { hostTraceRule, observe, observeOrder, observeSame, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent, Voucher } from '../trace-event.ts';

interface WalletVoucher {
  readonly at: TraceEvent;
  readonly voucher: Voucher;
  readonly index: number;
}

/** Yields every voucher in successful wallet replies. */
export function* walletVouchers(trace: Trace): Generator<WalletVoucher> {
  for (const at of trace.of('getWalletDetail')) {
    for (const [index, voucher] of (at.succeeded ? (at.facts.vouchers ?? []) : []).entries())
      yield { at, voucher, index };
  }
}

/** Yields every voucher with the first one that has the same key. */
function* withFirst(trace: Trace, keyOf: (voucher: Voucher) => string | undefined) {
  const firsts = new Map<string, WalletVoucher>();
  for (const one of walletVouchers(trace)) {
    const key = keyOf(one.voucher);
    if (key === undefined) continue;
    yield { ...one, first: getOrCreate(firsts, key, () => one) };
  }
}

/** Creates a rule that a voucher must have the same value as the record with its redeem code. */
function asInRecord(
  id: string,
  basis: string,
  field: string,
  ofVoucher: (voucher: WalletVoucher) => string | undefined,
  ofRecord: (record: TraceEvent) => string | undefined,
): TraceRule {
  return hostTraceRule(id, basis, function* (trace) {
    const records = trace.by('redeemCode', 'saveRedeemDetails');
    for (const one of walletVouchers(trace)) {
      const [record] = records.get(one.voucher.redeemCode ?? '') ?? [];
      const wanted = record && ofRecord(record);
      const pointer = `/body/data/${one.index}/${field}`;
      const expected = `"${wanted}", as in its redemption record`;
      yield* observeSame(one.at, record, pointer, expected, wanted, ofVoucher(one));
    }
  });
}

/** Yields every voucher with its place, and the final statuses that the client accepted for its redemption. */
function* vouchersWithEnds(trace: Trace) {
  const updates = trace.by('redeemCode', 'updateRedeemStatus');
  for (const { at, voucher, index } of walletVouchers(trace)) {
    const accepted = (updates.get(voucher.redeemCode ?? '') ?? []).filter(({ succeeded }) => succeeded);
    const ended = (status: string) => accepted.filter(({ facts }) => facts.reported === status);
    const pointer = `/body/data/${index}/redemptionCode`;
    yield { at, pointer, delivered: ended('Delivered'), rejected: ended('Rejected') };
  }
}

export const voucherTraceRules: readonly TraceRule[] = [
  hostTraceRule('no-voucher-of-a-rejection', 'OP-27', function* (trace) {
    const texts = ['a delivered redemption', 'a redemption reported as Rejected'] as const;
    for (const { at, pointer, delivered, rejected } of vouchersWithEnds(trace))
      if (delivered.length + rejected.length > 0)
        yield observe(at, rejected.slice(0, 1), delivered.length > 0, pointer, ...texts);
  }),
  hostTraceRule('voucher-after-delivery', 'OP-121', function* (trace) {
    const expected = 'a redemption whose delivery was reported to the client';
    for (const { at, pointer, delivered } of vouchersWithEnds(trace))
      yield* observeOrder(trace, at, delivered, pointer, expected, 'a redemption reported as Delivered later');
  }),
  hostTraceRule('one-voucher-per-unit', 'OP-27', function* (trace) {
    const records = trace.by('redeemCode', 'saveRedeemDetails');
    for (const at of trace.of('getWalletDetail')) {
      const byCode = Map.groupBy(at.succeeded ? (at.facts.vouchers ?? []) : [], ({ redeemCode }) => redeemCode);
      for (const [code, vouchers] of byCode) {
        const [record] = records.get(code ?? '') ?? [];
        if (record?.facts.quantity === undefined) continue;
        const expected = `at most ${record.facts.quantity} vouchers of ${code}, one for each unit`;
        const isPossible = vouchers.length <= record.facts.quantity;
        yield observe(at, [record], isPossible, '/body/data', expected, vouchers.length);
      }
    }
  }),
  hostTraceRule('voucher-code-of-one-redemption', 'stated R23', function* (trace) {
    for (const { at, index, voucher, first } of withFirst(trace, ({ code, redeemCode }) => redeemCode && code)) {
      const isSame = first.voucher.redeemCode === voucher.redeemCode;
      const expected = 'a code not used by another voucher';
      const actual = `the code of a voucher of ${first.voucher.redeemCode}`;
      yield observe(at, [first.at], isSame, `/body/data/${index}/voucherCode`, expected, actual);
    }
  }),
  hostTraceRule('voucher-stays-as-it-was', 'OP-27', function* (trace) {
    for (const { at, index, voucher, first } of withFirst(trace, ({ code }) => code)) {
      // Another rule reports a voucher code that two redemptions share.
      if (first.at === at || first.voucher.redeemCode !== voucher.redeemCode) continue;
      const isSame = first.voucher.record === voucher.record;
      yield observe(at, [first.at], isSame, `/body/data/${index}`, 'the voucher as returned earlier', 'other values');
    }
  }),
  asInRecord(
    'voucher-of-its-customer',
    'stated A15 R22',
    'redemptionCode',
    ({ at, voucher }) => at.uid && `${voucher.redeemCode} in the wallet of ${at.uid}`,
    ({ uid, facts }) => uid && `${facts.redeemCode} in the wallet of ${uid}`,
  ),
  asInRecord(
    'voucher-of-its-product',
    'OP-235',
    'productCode',
    ({ voucher }) => voucher.productCode,
    ({ facts }) => facts.product,
  ),
  asInRecord(
    'voucher-of-its-project',
    'OP-122',
    'projectCode',
    ({ voucher }) => voucher.projectCode,
    ({ facts }) => facts.project,
  ),
];
