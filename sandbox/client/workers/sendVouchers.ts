import { finish, postpone, type Work } from '../../runtime/due.ts';
import { retrySchedule } from '../../runtime/outgoing.ts';
import type { Tx } from '../../store/store.ts';
import type { ClientBooks } from '../books.ts';
import type { Client } from '../client.ts';
import { send } from '../outbox.ts';

/** Fetches the vouchers of a delivered redemption from the platform and sends them to the customer (interface, rule 7). */
export async function sendVouchers(client: Client, work: Work): Promise<void> {
  const redeemCode = work.payload.redeemCode ?? '';
  const redemption = client.store.get('redemptions', redeemCode);
  if (redemption?.state !== 'Delivered') return client.store.transact((tx) => finish(tx, work));
  const wallet = await client.platform.getWallet(redemption.uid, work.trace);
  await client.store.transact((tx) => {
    if (wallet === undefined) {
      return tryLater(client, tx, work, redemption.uid);
    }
    for (const voucher of wallet.filter(({ redemptionCode }) => redemptionCode === redeemCode)) {
      const pin = voucher.pin === null ? '' : `, PIN ${voucher.pin}`;
      const text = `Your ${voucher.productName} is here: ${voucher.voucherCode}${pin}. Valid until ${voucher.validityEndDate}.`;
      send(tx, { uid: redemption.uid, kind: 'voucher', text, at: client.clock.now() });
    }
    return finish(tx, work);
  });
}

/** Asks the wallet again at the next instant of the retry schedule, and gives up after the last (OP-24); the log tells. */
function tryLater(client: Client, tx: Tx<ClientBooks>, work: Work, uid: string): void {
  const wait = retrySchedule[work.tries];
  const at = client.clock.now() + (wait ?? 0);
  if (wait === undefined) finish(tx, work);
  else postpone(tx, work, at);
  const tries = work.tries + 1;
  const { redeemCode = '' } = work.payload;
  client.activity.note(tx, {
    trace: work.trace,
    party: 'client',
    event: wait === undefined ? 'vouchers.given_up' : 'vouchers.postponed',
    uid,
    redeem_codes: [redeemCode],
    detail: wait === undefined ? { tries } : { tries, next_at: new Date(at).toISOString() },
  });
}
