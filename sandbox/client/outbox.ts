import type { components, operations } from '../../generated/sandbox/types.ts';
import { balance } from '../domain/ledger.ts';
import { isExpired } from '../domain/order-line.ts';
import { maskMobile } from '../domain/otp.ts';
import type { RedemptionCommand } from '../domain/redemption.ts';
import { fromIndianTime } from '../runtime/clock.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Range, Reader, Tx } from '../store/store.ts';
import type { Client } from './client.ts';
import {
  type ClientCollections,
  type ClientMessage,
  channelOf,
  customerChannel,
  type GatewayMessage,
  type OutboxMessage,
} from './collections.ts';
import type { Voucher } from './platform-gateway.ts';

/** Most messages that are stored; the oldest are dropped first (OP-57). */
const mostMessages = 10_000;

/** A message as the control API shows it. */
export type PublicMessage = components['schemas']['Message'];

/** A filter of messages; absent fields match everything (OP-167). */
export type MessageFilter = Omit<NonNullable<operations['listMessages']['parameters']['query']>, 'limit' | 'wait'>;

/** Puts a message to a customer into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientCollections>, message: Omit<ClientMessage, 'seq' | 'mobile' | 'source'>): void {
  add(tx, { ...message, mobile: mobileOf(tx, message.uid) });
}

/**
 * Puts a message into the outbox, from either source: all share one numbering, and the oldest are evicted (OP-57, OP-167).
 *
 * @returns its number
 */
export function add(
  tx: Tx<ClientCollections>,
  message: Omit<ClientMessage, 'seq'> | Omit<GatewayMessage, 'seq'>,
): number {
  const seq = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(seq), { seq, ...message });
  dropEnded(tx, 'messages', message.at, mostMessages);
  return seq;
}

/** The messages, oldest first: the newest ones, or with `after` the first with a higher number. */
export function messageQuery(
  { store, clock }: Pick<Client, 'store' | 'clock'>,
  filter: MessageFilter,
  limit: number,
): WatchedQuery<PublicMessage> {
  const { after } = filter;
  const isWanted = isIn(filter);
  return {
    collection: 'messages',
    matches: (message) => isWanted(message as OutboxMessage),
    look: () => {
      const found = candidates(store, filter, limit)
        .filter(isWanted)
        .toSorted((one, other) => one.seq - other.seq);
      const page = after === undefined ? found.slice(-limit) : found.slice(0, limit);
      return page.map((message) => toPublicMessage(message, clock.now()));
    },
  };
}

/** A test whether a message matches a filter. */
function isIn({ uid, reference_id, channel, after = 0 }: MessageFilter): (message: OutboxMessage) => boolean {
  return (message) =>
    message.seq > after &&
    (uid === undefined || message.uid === uid) &&
    (reference_id === undefined || message.reference_id === reference_id) &&
    (channel === undefined || channelOf(message) === channel);
}

/** The messages of one code, of which there are few; or up to `limit` of those that match a filter. */
function candidates(store: Reader<ClientCollections>, filter: MessageFilter, limit: number): readonly OutboxMessage[] {
  const { reference_id, after } = filter;
  if (reference_id !== undefined) return store.find('messages', 'reference_id', reference_id);
  const part = { limit, ...(after === undefined ? { reverse: true } : { after: orderedKey(after) }) };
  return store.range('messages', { ...indexFor(filter), ...part });
}

/** The index that has the messages of a filter, and no others. */
function indexFor({ uid, channel }: MessageFilter): Pick<Range, 'by' | 'group'> {
  if (uid !== undefined && channel !== undefined)
    return { by: 'customerChannel', group: customerChannel(uid, channel) };
  if (uid !== undefined) return { by: 'customer', group: uid };
  return channel === undefined ? {} : { by: 'channel', group: channel };
}

function toPublicMessage(message: OutboxMessage, now: number): PublicMessage {
  const { seq, uid, kind, reference_id, otp, text, at } = message;
  const rest = {
    ...(reference_id !== undefined && { reference_id }),
    ...(otp !== undefined && { otp }),
    text,
    at: new Date(at).toISOString(),
  };
  const channel = channelOf(message);
  if (message.source === 'gateway') {
    return { seq, source: message.source, uid, kind, channel, mobile: message.mobile, ...rest };
  }
  const { expires, mobile } = message;
  const expired = expires !== undefined && { expired: isExpired(expires, now) };
  return { seq, source: 'reference_client', uid, kind, channel, mobile, ...expired, ...rest };
}

function mobileOf(reader: Pick<Tx<ClientCollections>, 'get'>, uid: string): string {
  const customer = reader.get('customers', uid);
  if (customer === undefined) throw new Error(`the ledger has no customer ${uid}`);
  return maskMobile(customer.profile.mobileNo);
}

interface Delivery {
  readonly uid: string;
  readonly redeemCode: string;
  /** Those that the wallet has for it; a product has none. */
  readonly vouchers: readonly Voucher[];
  readonly at: number;
}

interface Reversal {
  readonly uid: string;
  readonly points: number;
  readonly reason: string;
  /** What the points came back upon. */
  readonly by: RedemptionCommand['type'];
  readonly at: number;
}

interface Credit {
  readonly uid: string;
  readonly transactionId: string;
  readonly points: number;
  readonly at: number;
}

/** Sends each voucher of a delivered redemption, or says that the product was delivered. */
export function sendDelivered(tx: Tx<ClientCollections>, { uid, redeemCode, vouchers, at }: Delivery): void {
  for (const voucher of vouchers) {
    const expires = fromIndianTime(voucher.validityEndDate);
    send(tx, { uid, kind: 'voucher', text: voucherText(voucher), expires, at });
  }
  if (vouchers.length === 0) send(tx, { uid, kind: 'delivered', text: `Your order ${redeemCode} was delivered.`, at });
}

/** Reports a refund, and first the reason for the rejection, if the platform gave one. */
export function sendReversed(tx: Tx<ClientCollections>, redeemCode: string, reversal: Reversal): void {
  const { uid, points, reason, by, at } = reversal;
  if (by !== 'timeout') {
    const more = reason === '' ? '' : ` Reason: ${reason}`;
    send(tx, { uid, kind: 'rejected', text: `Your order ${redeemCode} was rejected.${more}`, at });
  }
  const text = `${points} points of your order ${redeemCode} were refunded. ${balanceText(tx, uid)}`;
  send(tx, { uid, kind: 'reversed', text, at });
}

/** Reports the points of a payment. */
export function sendCredited(tx: Tx<ClientCollections>, { uid, transactionId, points, at }: Credit): void {
  const text = `${points} points were credited for your payment ${transactionId}. ${balanceText(tx, uid)}`;
  send(tx, { uid, kind: 'credited', text, at });
}

function voucherText({ productName, voucherCode, pin, validityEndDate }: Voucher): string {
  const more = pin === null ? '' : `, PIN ${pin}`;
  return `Your ${productName} is here: ${voucherCode}${more}. Valid until ${validityEndDate} IST.`;
}

/** What the customer has once all is booked. */
function balanceText(tx: Tx<ClientCollections>, uid: string): string {
  const account = tx.get('customers', uid)?.account;
  if (account === undefined) throw new Error(`the ledger has no customer ${uid}`);
  return `Your balance is ${balance(account)} points.`;
}
