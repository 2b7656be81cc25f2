import { balance } from '../domain/ledger.ts';
import {
  decide,
  evolve,
  type RedemptionCommand,
  type RedemptionEvent,
  type RedemptionFailure,
} from '../domain/redemption.ts';
import { finish, postpone, schedule, type Work } from '../jobs/work.ts';
import { digest } from '../runtime/tokens.ts';
import type { Tx } from '../store/store.ts';
import { type ClientCaller, customerFor } from './access.ts';
import type { Client } from './client.ts';
import type { ClientCollections, Customer } from './collections.ts';
import { bookEntry } from './ledger.ts';
import { sendReversed } from './outbox.ts';

/**
 * How the client learns of a delivery: the platform reports it (version 1.0), or the client reads it (version 2.0, OP-52).
 */
type Ending = 'reported' | 'read';

/**
 * Milliseconds in which the platform has booked, as a rule, that the client took a delivery: the wallet is without the
 * vouchers before that (OP-121).
 */
export const bookedWithin = 100;

/** A deduction as either version of the API asks for it. `record` is the whole body, which a repeat must equal. */
interface Deduction {
  readonly uid: string;
  readonly redeemCode: string;
  readonly points: number;
  readonly record: Readonly<Record<string, unknown>>;
  readonly ending: Ending;
  /** Whether vouchers are to come; left out where the deduction does not tell. */
  readonly vouchers?: boolean;
}

/**
 * Deducts in the caller's name, once per redeemCode. Returns the customer afterwards, or why not (OP-15, OP-17, OP-23).
 */
export function deduct(
  client: Client,
  { caller, trace }: { readonly caller: ClientCaller; readonly trace: string },
  { uid, redeemCode, points, record, ending, vouchers }: Deduction,
): Promise<Customer | RedemptionFailure | ReturnType<typeof customerFor>> {
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(record).sort()) fields.push([name, record[name]]);
  const fingerprint = digest(JSON.stringify(fields));
  return client.store.transact((tx) => {
    const found = customerFor(tx, caller, uid);
    if ('kind' in found) return found;
    const booked = { uid, points, fingerprint, ...(vouchers !== undefined && { vouchers }) };
    const failure = carryOut(client, tx, redeemCode, { type: 'save', ...booked }, trace, ending);
    return failure ?? customerFor(tx, caller, uid);
  });
}

/**
 * Carries out what the redemption's rules decide (`domain/redemption.ts`): its new state, the ledger entry and the work
 * that hangs on it, all in the caller's transaction. Returns the failure when the sender is to be refused.
 */
export function carryOut(
  client: Client,
  tx: Tx<ClientCollections>,
  redeemCode: string,
  command: RedemptionCommand,
  trace: string,
  ending: Ending = 'reported',
): RedemptionFailure | undefined {
  let redemption = tx.get('redemptions', redeemCode);
  const uid =
    command.type === 'save'
      ? command.uid
      : redemption !== undefined && 'uid' in redemption
        ? redemption.uid
        : undefined;
  const customer = uid === undefined ? undefined : tx.get('customers', uid);
  const { events, failure } = decide(redemption, command, customer === undefined ? 0 : balance(customer.account));
  for (const event of events) {
    const before = redemption;
    redemption = evolve(before, event);
    tx.put('redemptions', redeemCode, redemption);
    apply(client, tx, redeemCode, event, trace, ending);
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

/** The balance of the customer whose redemption this is. */
export function holderBalance(tx: Tx<ClientCollections>, redeemCode: string): number {
  return balance(holder(tx, redeemCode).account);
}

function holder(tx: Tx<ClientCollections>, redeemCode: string): Customer {
  const redemption = tx.get('redemptions', redeemCode);
  const customer = redemption !== undefined && 'uid' in redemption ? tx.get('customers', redemption.uid) : undefined;
  if (customer === undefined) throw new Error(`the ledger has no customer for ${redeemCode}`);
  return customer;
}

function apply(
  client: Client,
  tx: Tx<ClientCollections>,
  redeemCode: string,
  event: RedemptionEvent,
  trace: string,
  ending: Ending,
): void {
  const now = client.clock.now();
  switch (event.type) {
    case 'deducted':
      post(client, tx, event.uid, { kind: 'deduct', points: event.points, reference: redeemCode });
      schedule(tx, { ...lookAt(client, ending, now), trace, payload: { redeemCode } });
      return;
    case 'reversed':
      lookNoMore(tx, redeemCode);
      return post(client, tx, event.uid, { kind: 'reverse', points: event.points, reference: redeemCode });
    case 'delivered':
      lookNoMore(tx, redeemCode);
      sendLater(client, tx, { redeemCode, uid: holder(tx, redeemCode).uid }, trace, ending);
      return;
    case 'refused':
      return;
  }
}

function sendLater(
  client: Client,
  tx: Tx<ClientCollections>,
  payload: { readonly redeemCode: string; readonly uid: string },
  trace: string,
  ending: Ending,
): void {
  schedule(tx, { kind: 'sendVouchers', at: walletAt(client, payload.uid, ending), trace, payload });
}

/** When a new redemption is checked again: at the threshold, or soon, to read its final status (OP-22, OP-52). */
function lookAt(client: Client, ending: Ending, now: number): { kind: string; at: number } {
  return ending === 'reported'
    ? { kind: 'pendingTimeout', at: now + client.settings().pending_timeout * 1000 }
    : { kind: 'readOrderStatus', at: now + (client.settings().retry_delays[0] ?? 0) * 1000 };
}

/**
 * When the wallet is looked into for what was delivered. In version 1.0 the client has not answered the report yet; with a frozen clock what
 * is due runs after it.
 */
function walletAt({ clock, walletReads }: Client, uid: string, ending: Ending): number {
  const now = clock.now();
  if (clock.mode === 'frozen') return now;
  return walletReads.at(uid, ending === 'reported' ? now + bookedWithin : now);
}

/** A redemption that has ended is not checked again: pending work does not grow with the history. */
function lookNoMore(tx: Tx<ClientCollections>, redeemCode: string): void {
  for (const work of tx.find('due', 'about', `pendingTimeout ${redeemCode}`)) finish(tx, work);
}

function post(
  { activity, clock }: Client,
  tx: Tx<ClientCollections>,
  uid: string,
  entry: { kind: 'deduct' | 'reverse'; points: number; reference: string },
): void {
  const facts = { at: clock.now(), redeemCode: entry.reference, seq: activity.nextSeq(tx) };
  const customer = tx.get('customers', uid);
  if (customer === undefined || !bookEntry(tx, customer, entry, facts)) {
    throw new Error(`the ledger refuses to ${entry.kind} ${entry.points} points for ${entry.reference}`);
  }
}

/** Looks at a redemption that has been pending for the threshold: reverses it where the workspace says so (OP-22). */
export async function pendingTimeout(client: Client, work: Work): Promise<void> {
  await client.store.transact((tx) => {
    finish(tx, work);
    if (client.settings().on_timeout === 'wait') return;
    carryOut(client, tx, work.payload.redeemCode ?? '', { type: 'timeout' }, work.trace);
  });
}

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
    const seconds = client.settings().retry_delays[work.tries + 1];
    if (line?.status === 'Delivered') {
      carryOut(client, tx, redeemCode, { type: 'report', status: 'Delivered', reason: '' }, work.trace, 'read');
      return finish(tx, work);
    }
    return seconds === undefined ? finish(tx, work) : postpone(tx, work, client.clock.now() + seconds * 1000);
  });
}
