/** Probes of `saveRedeemDetails`: records to refuse. */
import type { Body } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { points, refusedWithoutEffect, without } from './booking.ts';

/** Without these nothing can be deducted. */
const needed = ['uid', 'redeemCode', 'totalPointWithProcessingFee'] as const;
const others = [
  'scheme',
  'redeemPoints',
  'shippingAddress',
  'processingFee',
  'productCode',
  'productName',
  'quantity',
  'redeemStatus',
  'email',
  'mobileNo',
  'totalpoints',
  'tdsSingleItem',
] as const;

export const recordProbes = {
  'DED-13': (probing) => {
    const calls = needed.flatMap((name) => [
      [`${name} is missing`, withoutField(probing, name)] as const,
      [`${name} is empty`, sending(probing, { [name]: '' })] as const,
    ]);
    return refusedWithoutEffect(probing, Object.fromEntries(calls));
  },
  'DED-14': (probing) => {
    const calls = others.map((name) => [`${name} is missing`, withoutField(probing, name)] as const);
    return refusedWithoutEffect(probing, Object.fromEntries(calls));
  },
  'DED-15': (probing) => {
    const names = ['scheme', 'redeemPoints', 'productCode', 'productName', 'quantity'];
    const calls = names.map((name) => [`${name} is empty`, sending(probing, { [name]: '' })] as const);
    return refusedWithoutEffect(probing, Object.fromEntries(calls));
  },
  'DED-16': (probing) =>
    refusedWithoutEffect(probing, {
      'totalpoints is not redeemPoints plus TDS': sending(probing, { redeemPoints: '6' }),
      'totalPointWithProcessingFee is not totalpoints plus the fee': sending(probing, { processingFee: '1' }),
    }),
  'DED-17': (probing) =>
    refusedWithoutEffect(probing, {
      'scheme belongs to another project': sending(probing, { scheme: 'CERTIFY-NONE' }),
    }),
  'DED-18': (probing) =>
    refusedWithoutEffect(probing, { 'the customer is unknown': sending(probing, { uid: probing.fresh() }) }),
  'DED-19': (probing) =>
    refusedWithoutEffect(probing, {
      'redeemStatus is `Pending`': sending(probing, { redeemStatus: 'Pending' }),
      'redeemStatus is `delivered`': sending(probing, { redeemStatus: 'delivered' }),
    }),
  'DED-20': (probing) => refusedWithoutEffect(probing, { 'points are `-5`': sending(probing, of('-5')) }),
  'DED-21': (probing) => refusedWithoutEffect(probing, { 'points are `10.5`': sending(probing, of('10.5')) }),
  'DED-22': (probing) => refusedWithoutEffect(probing, { 'points are a number': sending(probing, of(points)) }),
} satisfies Record<string, Probe>;

/** So many points in all fields that tell them, so that they add up. */
function of(amount: string | number): Body {
  return { redeemPoints: amount, totalpoints: amount, totalPointWithProcessingFee: amount };
}

function sending(probing: ProbeContext, changes: Body) {
  return () => probing.operations.save({ ...probing.record(points), ...changes });
}

function withoutField(probing: ProbeContext, name: string) {
  return () => probing.operations.save(without(probing.record(points), name));
}
