/** Rules for wallet vouchers, which must match the redemptions they belong to. */
import { hostTraceRule, type TraceRule } from '../rule.ts';
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
      const actual = ofVoucher(one);
      const wanted = record && ofRecord(record);
      if (record === undefined || actual === undefined || wanted === undefined) continue;
      const pointer = `/body/data/${one.index}/${field}`;
      const issue = { pointer, expected: `"${wanted}", as in its redemption record`, actual };
      yield actual === wanted ? { at: one.at, with: [record] } : { at: one.at, with: [record], issue };
    }
  });
}

/** Returns the updates of each redemption that the client accepted. */
function ends(trace: Trace): ReadonlyMap<string, readonly TraceEvent[]> {
  const updates = trace.by('redeemCode', 'updateRedeemStatus');
  return new Map([...updates].map(([code, all]) => [code, all.filter(({ succeeded }) => succeeded)]));
}

export const voucherTraceRules: readonly TraceRule[] = [
  hostTraceRule('no-voucher-of-a-rejection', 'OP-27', function* (trace) {
    const reported = ends(trace);
    for (const { at, voucher, index } of walletVouchers(trace)) {
      const updates = reported.get(voucher.redeemCode ?? '') ?? [];
      const rejected = updates.find(({ facts }) => facts.reported === 'Rejected');
      const delivered = updates.find(({ facts }) => facts.reported === 'Delivered');
      const expected = 'a delivered redemption';
      const pointer = `/body/data/${index}/redemptionCode`;
      const issue = { pointer, expected, actual: 'a redemption reported as Rejected' };
      if (rejected !== undefined && delivered === undefined) yield { at, with: [rejected], issue };
      else if (delivered !== undefined) yield { at, with: [delivered] };
    }
  }),
  hostTraceRule('voucher-after-delivery', 'OP-121', function* (trace) {
    const reported = ends(trace);
    for (const { at, voucher, index } of walletVouchers(trace)) {
      const updates = (reported.get(voucher.redeemCode ?? '') ?? []).filter(
        ({ facts }) => facts.reported === 'Delivered',
      );
      const [first] = updates;
      if (first === undefined) continue;
      const pointer = `/body/data/${index}/redemptionCode`;
      const expected = 'a redemption whose delivery was reported to the client';
      const issue = { pointer, expected, actual: 'a redemption reported as Delivered later' };
      if (updates.some((update) => trace.isBefore(update, at))) yield { at, with: [first] };
      else if (updates.every((update) => trace.isBefore(at, update))) yield { at, with: [first], issue };
    }
  }),
  hostTraceRule('one-voucher-per-unit', 'OP-27', function* (trace) {
    const records = trace.by('redeemCode', 'saveRedeemDetails');
    for (const at of trace.of('getWalletDetail')) {
      const byCode = Map.groupBy(at.succeeded ? (at.facts.vouchers ?? []) : [], ({ redeemCode }) => redeemCode);
      for (const [code, vouchers] of byCode) {
        const [record] = records.get(code ?? '') ?? [];
        if (record?.facts.quantity === undefined) continue;
        const expected = `at most ${record.facts.quantity} vouchers of ${code}, one for each unit`;
        const issue = { pointer: '/body/data', expected, actual: vouchers.length };
        yield vouchers.length <= record.facts.quantity ? { at, with: [record] } : { at, with: [record], issue };
      }
    }
  }),
  hostTraceRule('voucher-code-of-one-redemption', 'stated R23', function* (trace) {
    const byCode = new Map<string, WalletVoucher>();
    for (const one of walletVouchers(trace)) {
      const { code, redeemCode } = one.voucher;
      if (code === undefined || redeemCode === undefined) continue;
      const before = byCode.get(code);
      if (before === undefined) byCode.set(code, one);
      const pointer = `/body/data/${one.index}/voucherCode`;
      const expected = 'a code not used by another voucher';
      const issue = { pointer, expected, actual: `the code of a voucher of ${before?.voucher.redeemCode}` };
      const same = before === undefined || before.voucher.redeemCode === redeemCode;
      yield same ? { at: one.at } : { at: one.at, with: [before.at], issue };
    }
  }),
  hostTraceRule('voucher-stays-as-it-was', 'OP-27', function* (trace) {
    const byCode = new Map<string, WalletVoucher>();
    for (const one of walletVouchers(trace)) {
      const { code, redeemCode, record } = one.voucher;
      if (code === undefined) continue;
      const before = byCode.get(code);
      if (before === undefined) byCode.set(code, one);
      // Another rule reports a voucher code that two redemptions share.
      if (before === undefined || before.at === one.at || before.voucher.redeemCode !== redeemCode) continue;
      const expected = 'the voucher as returned earlier';
      const issue = { pointer: `/body/data/${one.index}`, expected, actual: 'other values' };
      yield before.voucher.record === record ? { at: one.at } : { at: one.at, with: [before.at], issue };
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
