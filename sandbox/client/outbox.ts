import type { components, operations } from '../../generated/sandbox/types.ts';
import { balance, type RedemptionCommand } from '../domain/ledger.ts';
import { isExpired } from '../domain/order-line.ts';
import { maskMobile } from '../domain/otp.ts';
import { fromIndianTime } from '../runtime/clock.ts';
import { nextNumber, orderedKey } from '../runtime/ids.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Range, Reader } from '../store/store.ts';
import type { Client } from './client.ts';
import {
  type ClientCollections,
  type ClientMessage,
  type ClientTx,
  channelOf,
  customerChannel,
  type GatewayMessage,
  type OutboxMessage,
} from './collections.ts';
import { customerOf } from './ledger.ts';
import type { Voucher } from './platform-gateway.ts';

/** Maximum number of stored messages. The oldest are dropped first (OP-57). */
const mostMessages = 10_000;

/** A message in the control API's format. */
export type PublicMessage = components['schemas']['Message'];

/** A message filter. Absent fields match everything (OP-167). */
export type MessageFilter = Omit<NonNullable<operations['listMessages']['parameters']['query']>, 'limit' | 'wait'>;

/** Adds a message for a customer to the outbox, in the transaction that caused it (OP-36). */
export function send(tx: ClientTx, message: Omit<ClientMessage, 'seq' | 'mobile' | 'source'>): void {
  add(tx, { ...message, mobile: maskMobile(customerOf(tx, message.uid).profile.mobileNo) });
}

/**
 * Adds a message from either source to the outbox. Both sources share one numbering, and the oldest messages are
 * evicted (OP-57, OP-167).
 *
 * @returns the message number
 */
export function add(tx: ClientTx, message: Omit<ClientMessage, 'seq'> | Omit<GatewayMessage, 'seq'>): number {
  const seq = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(seq), { seq, ...message });
  dropEnded(tx, 'messages', message.at, mostMessages);
  return seq;
}

/** Returns a query for messages: the newest ones, or with `after` the first ones with a higher number. Results are oldest first. */
export function messageQuery(client: Client, filter: MessageFilter, limit: number): WatchedQuery<PublicMessage> {
  const { store, clock } = client;
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

/** Returns a predicate for messages that match a filter. */
function isIn({ uid, reference_id, channel, after = 0 }: MessageFilter): (message: OutboxMessage) => boolean {
  return (message) =>
    message.seq > after &&
    (uid === undefined || message.uid === uid) &&
    (reference_id === undefined || message.reference_id === reference_id) &&
    (channel === undefined || channelOf(message) === channel);
}

/** Returns all messages of one code, since they are few, or up to `limit` messages that match the filter. */
function candidates(store: Reader<ClientCollections>, filter: MessageFilter, limit: number): readonly OutboxMessage[] {
  const { reference_id, after } = filter;
  if (reference_id !== undefined) return store.find('messages', 'reference_id', reference_id);
  const part = { limit, ...(after === undefined ? { reverse: true } : { after: orderedKey(after) }) };
  return store.range('messages', { ...indexFor(filter), ...part });
}

/** Returns the index that contains exactly the messages of a filter. */
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

/** The recipient of a message, and the time at which it is sent. */
type Recipient = Pick<ClientMessage, 'uid' | 'at'>;

interface Delivery extends Recipient {
  readonly redeemCode: string;
  /** The wallet's vouchers for this redemption; empty for a product. */
  readonly vouchers: readonly Voucher[];
}

interface Reversal extends Recipient {
  readonly points: number;
  readonly reason: string;
  /** The command that caused the refund. */
  readonly by: RedemptionCommand['type'];
}

interface Credit extends Recipient {
  readonly transactionId: string;
  readonly points: number;
}

/** Sends each voucher of a delivered redemption, or reports that the product was delivered. */
export function sendDelivered(tx: ClientTx, { uid, redeemCode, vouchers, at }: Delivery): void {
  for (const voucher of vouchers) {
    const expires = fromIndianTime(voucher.validityEndDate);
    send(tx, { uid, kind: 'voucher', text: voucherText(voucher), expires, at });
  }
  if (vouchers.length === 0) send(tx, { uid, kind: 'delivered', text: `Your order ${redeemCode} was delivered.`, at });
}

/** Reports a refund. Unless a timeout caused it, reports the rejection first, with the platform's reason if any. */
export function sendReversed(tx: ClientTx, redeemCode: string, reversal: Reversal): void {
  const { uid, points, reason, by, at } = reversal;
  if (by !== 'timeout') {
    const more = reason === '' ? '' : ` Reason: ${reason}`;
    send(tx, { uid, kind: 'rejected', text: `Your order ${redeemCode} was rejected.${more}`, at });
  }
  const text = `${points} points of your order ${redeemCode} were refunded. ${balanceText(tx, uid)}`;
  send(tx, { uid, kind: 'reversed', text, at });
}

/** Reports the points credited for a payment. */
export function sendCredited(tx: ClientTx, { uid, transactionId, points, at }: Credit): void {
  const text = `${points} points were credited for your payment ${transactionId}. ${balanceText(tx, uid)}`;
  send(tx, { uid, kind: 'credited', text, at });
}

function voucherText({ productName, voucherCode, pin, validityEndDate }: Voucher): string {
  const more = pin === null ? '' : `, PIN ${pin}`;
  return `Your ${productName} is here: ${voucherCode}${more}. Valid until ${validityEndDate} IST.`;
}

/** Returns a sentence with the customer's current balance. */
function balanceText(tx: ClientTx, uid: string): string {
  return `Your balance is ${balance(customerOf(tx, uid).account)} points.`;
}
