import { retrySchedule } from '../../http-client/outgoing.ts';
import { finish, postpone, type Work } from '../../jobs/work.ts';
import type { Client } from '../client.ts';
import { carryOut } from '../redemptions.ts';

/**
 * Reads from the platform whether a version 2.0 redemption was delivered, and again at the next interval while it is
 * not (OP-52). A rejection is not acted on: the platform asks for the reversal itself.
 */
export async function readOrderStatus(client: Client, work: Work): Promise<void> {
  const redeemCode = work.payload.redeemCode ?? '';
  if (client.store.get('redemptions', redeemCode)?.state !== 'Pending') {
    return client.store.transact((tx) => finish(tx, work));
  }
  const order = await client.platform.getOrder(redeemCode, work.trace);
  const line = order?.lines.find((each) => each.redeemCode === redeemCode);
  await client.store.transact((tx) => {
    const wait = retrySchedule[work.tries + 1];
    if (line?.status === 'Delivered') {
      carryOut(client, tx, redeemCode, { type: 'report', status: 'Delivered', reason: '' }, work.trace, 'read');
      return finish(tx, work);
    }
    return wait === undefined ? finish(tx, work) : postpone(tx, work, client.clock.now() + wait);
  });
}
