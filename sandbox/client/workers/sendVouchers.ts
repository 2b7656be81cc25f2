import { finish, postpone, type Work } from '../../jobs/work.ts';
import type { Client } from '../client.ts';
import type { ClientTx } from '../collections.ts';
import { sendDelivered } from '../outbox.ts';
import { bookedWithin } from '../redemptions.ts';

/** Maximum number of redemptions in one transaction, each with up to ten messages. Other transactions run in between. */
const atOnce = 10;

/**
 * Fetches the vouchers of a delivered redemption from the platform and sends them to the customer (G17). A read returns
 * the whole wallet, so it serves all of the customer's waiting redemptions. Reads of large wallets are throttled
 * (OP-92).
 */
export async function sendVouchers(client: Client, work: Work): Promise<void> {
  const redemption = client.store.get('redemptions', work.payload.redeemCode ?? '');
  if (redemption?.state !== 'Delivered') return client.store.transact((tx) => finish(tx, work));
  const { uid } = redemption;
  return client.walletReads.alone(uid, () => readAndSend(client, work, uid));
}

async function readAndSend(client: Client, work: Work, uid: string): Promise<void> {
  if (client.store.get('due', work.id) !== work) return;
  const { clock, walletReads } = client;
  const at = walletReads.at(uid, clock.now());
  // On a frozen clock, work runs on request, so it never waits.
  if (clock.mode === 'running' && at > clock.now()) {
    // Postpone the work without counting an attempt.
    return client.store.transact((tx) => {
      if (tx.get('due', work.id) === work) tx.put('due', work.id, { ...work, at });
    });
  }
  // Snapshot before the read: the wallet may not yet contain later deliveries.
  const others = client.store.find('due', 'customer', `sendVouchers ${uid}`).filter(({ id }) => id !== work.id);
  const wallet = await client.platform.getWallet(uid, work.trace);
  if (wallet === undefined) {
    const due = others.filter(({ at }) => at <= client.clock.now());
    return inParts(client, [work, ...due], (tx, piece) => tryLater(client, tx, piece, uid));
  }
  walletReads.note(uid, wallet.length, clock.now());
  const codes = new Set([work, ...others].map(({ payload }) => payload.redeemCode));
  const unsent = wallet.filter(({ redemptionCode }) => codes.has(redemptionCode));
  const vouchers = Map.groupBy(unsent, ({ redemptionCode }) => redemptionCode);
  return inParts(client, [work, ...others], (tx, piece) => {
    const { redeemCode = '' } = piece.payload;
    if (!vouchers.has(redeemCode) && awaited(tx, redeemCode)) return lookAgain(client, tx, piece, uid);
    sendDelivered(tx, { uid, redeemCode, vouchers: vouchers.get(redeemCode) ?? [], at: client.clock.now() });
    finish(tx, piece);
  });
}

/** Settles work items in batches. Skips items that were settled meanwhile. */
async function inParts({ store }: Client, pieces: readonly Work[], settle: (tx: ClientTx, piece: Work) => void) {
  for (let start = 0; start < pieces.length; start += atOnce) {
    await store.transact((tx) => {
      for (const piece of pieces.slice(start, start + atOnce)) {
        if (tx.get('due', piece.id) === piece) settle(tx, piece);
      }
    });
  }
}

/** Returns whether the wallet must contain vouchers for a redemption. */
function awaited(tx: ClientTx, redeemCode: string): boolean {
  const redemption = tx.get('redemptions', redeemCode);
  return redemption?.state === 'Delivered' && redemption.vouchers === true;
}

/** Retries if the wallet does not contain the vouchers yet: first after a short delay, then on the retry schedule (OP-121). */
function lookAgain(client: Client, tx: ClientTx, work: Work, uid: string): void {
  const now = client.clock.now();
  if (work.at > now) return;
  if (work.tries === 0) postpone(tx, work, now + bookedWithin);
  else tryLater(client, tx, work, uid, work.tries - 1);
}

/** Retries on the retry schedule. After the last retry, it gives up and logs the failure (OP-24). */
function tryLater(client: Client, tx: ClientTx, work: Work, uid: string, done = work.tries): void {
  const wait = client.settings().retry_delays[done];
  const { trace, payload } = work;
  const redeem_codes = [payload.redeemCode ?? ''];
  const about = { trace, party: 'client', uid, redeem_codes } as const;
  const tries = work.tries + 1;
  if (wait === undefined) {
    finish(tx, work);
    return client.activity.note(tx, { ...about, event: 'vouchers.given_up', detail: { tries } });
  }
  const at = client.clock.now() + wait * 1000;
  postpone(tx, work, at);
  const detail = { tries, next_at: new Date(at).toISOString() };
  client.activity.note(tx, { ...about, event: 'vouchers.postponed', detail });
}
