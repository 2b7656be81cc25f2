import { finish, type Work } from '../../runtime/due.ts';
import { lineOf, orderOf } from '../order-resource.ts';
import { fail } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Gives up an order whose call was cut off before its reply: every line may have been deducted, so all are reported (OP-50). */
export async function abandonOrder(platform: Platform, work: Work): Promise<void> {
  await platform.store.transact((tx) => {
    finish(tx, work);
    const order = orderOf(tx, work.payload.order_id ?? '');
    if (order.state !== 'placing') return;
    const lines = order.redeemCodes.map((code) => lineOf(tx, code));
    fail(platform, tx, order, lines, 'The order was cut off before it was placed');
  });
}
