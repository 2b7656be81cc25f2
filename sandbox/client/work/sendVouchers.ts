import { finish, postpone, type Work } from '../../runtime/due.ts';
import { retrySchedule } from '../../runtime/outgoing.ts';
import type { Client } from '../client.ts';
import { send } from '../outbox.ts';

/** Fetches the vouchers of a delivered redemption from the platform and sends them to the customer (interface, rule 7). */
export async function sendVouchers(client: Client, work: Work): Promise<void> {
  const redeemCode = work.payload.redeemCode ?? '';
  const redemption = client.store.get('redemptions', redeemCode);
  if (redemption?.state !== 'Delivered') return client.store.transact((tx) => finish(tx, work));
  const wallet = await client.platform.getWallet(redemption.uid, work.trace);
  await client.store.transact((tx) => {
    const now = client.clock.now();
    if (wallet === undefined) {
      const wait = retrySchedule[work.tries];
      if (wait === undefined) return finish(tx, work);
      return postpone(tx, work, now + wait);
    }
    for (const voucher of wallet.filter(({ redemptionCode }) => redemptionCode === redeemCode)) {
      const pin = voucher.pin === null ? '' : `, PIN ${voucher.pin}`;
      const text = `Your ${voucher.productName} is here: ${voucher.voucherCode}${pin}. Valid until ${voucher.validityEndDate}.`;
      send(tx, { uid: redemption.uid, kind: 'voucher', text, at: now });
    }
    return finish(tx, work);
  });
}
