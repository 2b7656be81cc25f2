import { finish, type Work } from '../../jobs/work.ts';
import { orderOf } from '../order-resource.ts';
import { carryOut } from '../place-order.ts';
import type { Platform } from '../platform.ts';

/** Gives up an order whose call was cut off before its reply (OP-50). */
export async function abandonOrder(platform: Platform, work: Work): Promise<void> {
  await platform.store.transact((tx) => {
    finish(tx, work);
    carryOut(platform, tx, orderOf(tx, work.payload.order_id ?? ''), { type: 'cut_off' });
  });
}
