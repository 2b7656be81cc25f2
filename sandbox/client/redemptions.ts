import {
  type Booked,
  balance,
  decide,
  evolve,
  type RedemptionCommand,
  type RedemptionEvent,
  type RedemptionFailure,
} from '../domain/ledger.ts';
import { finish, postpone, schedule, type Work } from '../jobs/work.ts';
import { digest } from '../runtime/tokens.ts';
import { type ClientCaller, customerFor } from './access.ts';
import type { Client } from './client.ts';
import type { ClientTx, Customer } from './collections.ts';
import { bookOrThrow } from './ledger.ts';
import { sendReversed } from './outbox.ts';

/** The way the client learns of a delivery: from the platform's report (version 1.0), or by reading the order (version 2.0, OP-52). */
type Ending = 'reported' | 'read';

/**
 * Milliseconds that the platform typically needs to record the client's acknowledgment of a delivery. Until then, the
 * wallet does not contain the vouchers (OP-121).
 */
export const bookedWithin = 100;

/** A deduction requested through either API version. `record` is the whole body; a repeat must have an equal one. */
interface Deduction extends Omit<Booked, 'fingerprint'> {
  readonly redeemCode: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly ending: Ending;
}

/** Deducts points for the caller, once per redeemCode. Returns the updated customer, or the failure (OP-15, OP-17, OP-23). */
export function deduct(
  client: Client,
  { caller, trace }: { readonly caller: ClientCaller; readonly trace: string },
  { redeemCode, record, ending, ...booked }: Deduction,
): Promise<Customer | RedemptionFailure | ReturnType<typeof customerFor>> {
  const fields = Object.keys(record).sort();
  const fingerprint = digest(JSON.stringify(fields.map((name) => [name, record[name]])));
  return client.store.transact((tx) => {
    const found = customerFor(tx, caller, booked.uid);
    if ('kind' in found) return found;
    const failure = carryOut(client, tx, redeemCode, { type: 'save', ...booked, fingerprint }, trace, ending);
    return failure ?? customerFor(tx, caller, booked.uid);
  });
}

/**
 * Applies the decision of the redemption's rules (`domain/ledger.ts`) in the caller's transaction: state, ledger
 * entry and follow-up work. Returns the failure if the caller's request is refused.
 */
export function carryOut(
  client: Client,
  tx: ClientTx,
  redeemCode: string,
  command: RedemptionCommand,
  trace: string,
  ending: Ending = 'reported',
): RedemptionFailure | undefined {
  let redemption = tx.get('redemptions', redeemCode);
  const subject = command.type === 'save' ? command : redemption;
  const uid = subject !== undefined && 'uid' in subject ? subject.uid : undefined;
  const customer = uid === undefined ? undefined : tx.get('customers', uid);
  const { events, failure } = decide(redemption, command, customer === undefined ? 0 : balance(customer.account));
  for (const event of events) {
    const before = redemption;
    redemption = evolve(before, event);
    tx.put('redemptions', redeemCode, redemption);
    const work = apply(client, tx, redeemCode, event, ending);
    if (work !== undefined) schedule(tx, { ...work, trace });
    if (event.type === 'reversed') sendReversed(tx, redeemCode, { ...event, by: command.type, at: client.clock.now() });
    client.activity.note(tx, {
      trace,
      party: 'client',
      event: `redemption.${event.type}`,
      ...(uid !== undefined && { uid }),
      redeem_codes: [redeemCode],
      detail: { from: before?.state ?? null, to: redemption.state, ...('points' in event && { points: event.points }) },
    });
  }
  return failure;
}

/** Returns the customer of a redemption. Throws if there is none. */
export function holder(tx: ClientTx, redeemCode: string): Customer {
  const redemption = tx.get('redemptions', redeemCode);
  const customer = redemption !== undefined && 'uid' in redemption ? tx.get('customers', redemption.uid) : undefined;
  if (customer === undefined) throw new Error(`the ledger has no customer for ${redeemCode}`);
  return customer;
}

/** Books an event. Returns the work that follows it; `undefined` if there is none. */
function apply(client: Client, tx: ClientTx, redeemCode: string, event: RedemptionEvent, ending: Ending) {
  const now = client.clock.now();
  const bookPoints = (kind: 'deduct' | 'reverse', { uid, points }: Pick<Booked, 'uid' | 'points'>) =>
    bookOrThrow(tx, uid, { kind, points, reference: redeemCode }, { at: now, seq: client.activity.nextSeq(tx) });
  switch (event.type) {
    case 'deducted':
      bookPoints('deduct', event);
      return { ...lookAt(client, ending, now), payload: { redeemCode } };
    case 'reversed':
      lookNoMore(tx, redeemCode);
      bookPoints('reverse', event);
      return undefined;
    case 'delivered': {
      lookNoMore(tx, redeemCode);
      const { uid } = holder(tx, redeemCode);
      return { kind: 'sendVouchers', at: walletAt(client, uid, ending), payload: { redeemCode, uid } };
    }
    case 'refused':
      return undefined;
  }
}

/**
 * Returns the next check of a new redemption: at the pending timeout (version 1.0), or soon, to read the status
 * (version 2.0; OP-22, OP-52).
 */
function lookAt(client: Client, ending: Ending, now: number): { kind: string; at: number } {
  return ending === 'reported'
    ? { kind: 'pendingTimeout', at: now + client.settings().pending_timeout * 1000 }
    : { kind: 'readOrderStatus', at: now + (client.settings().retry_delays[0] ?? 0) * 1000 };
}

/**
 * Returns the time to read the wallet after a delivery. In version 1.0, the client has not yet acknowledged the report,
 * so the read waits. A frozen clock runs due work only after the response, so no delay is needed.
 */
function walletAt({ clock, walletReads }: Client, uid: string, ending: Ending): number {
  const now = clock.now();
  if (clock.mode === 'frozen') return now;
  return walletReads.at(uid, ending === 'reported' ? now + bookedWithin : now);
}

/** Removes the timeout check of a completed redemption, so that pending work does not grow with the history. */
function lookNoMore(tx: ClientTx, redeemCode: string): void {
  for (const work of tx.find('due', 'about', `pendingTimeout ${redeemCode}`)) finish(tx, work);
}

/** Handles the pending timeout: reverses the redemption if the workspace's settings require it (OP-22). */
export async function pendingTimeout(client: Client, work: Work): Promise<void> {
  await client.store.transact((tx) => {
    finish(tx, work);
    if (client.settings().on_timeout === 'wait') return;
    carryOut(client, tx, work.payload.redeemCode ?? '', { type: 'timeout' }, work.trace);
  });
}

/**
 * Reads the status of a version 2.0 redemption from the platform, and retries on schedule until it is delivered
 * (OP-52). It ignores a rejection, because the platform requests the reversal itself.
 */
export async function readOrderStatus(client: Client, work: Work): Promise<void> {
  const redeemCode = work.payload.redeemCode ?? '';
  if (client.store.get('redemptions', redeemCode)?.state !== 'Pending') {
    return client.store.transact((tx) => finish(tx, work));
  }
  const order = await client.platform.getOrder(redeemCode, work.trace);
  const line = order?.lines.find((each) => each.redeemCode === redeemCode);
  await client.store.transact((tx) => {
    const seconds = client.settings().retry_delays[work.tries + 1];
    if (line?.status === 'Delivered') {
      carryOut(client, tx, redeemCode, { type: 'report', status: 'Delivered', reason: '' }, work.trace, 'read');
      return finish(tx, work);
    }
    return seconds === undefined ? finish(tx, work) : postpone(tx, work, client.clock.now() + seconds * 1000);
  });
}
