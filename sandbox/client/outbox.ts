import { maskMobile } from '../domain/otp.ts';
import { isExpired } from '../domain/voucher.ts';
import { nextNumber, orderedKey } from '../runtime/numbering.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { Channel, ClientBooks, ClientMessage, GatewayMessage, MessageKind, OutboxMessage } from './books.ts';
import type { Client } from './client.ts';

/** Most messages that are kept; the oldest make room (OP-57). */
const mostMessages = 10_000;

/** What is about an account goes by SMS, what is about an order by WhatsApp (OP-160). */
const channels = {
  otp: 'SMS',
  credited: 'SMS',
  reversed: 'SMS',
  voucher: 'WhatsApp',
  delivered: 'WhatsApp',
  rejected: 'WhatsApp',
} as const satisfies Record<MessageKind, Channel>;

/** A message as the control API shows it. */
export interface MessageShown {
  readonly seq: number;
  readonly source: 'reference_client' | 'gateway';
  readonly uid: string | null;
  readonly kind: OutboxMessage['kind'];
  readonly channel: Channel;
  readonly mobile: string;
  readonly reference_id?: string;
  readonly otp?: string;
  readonly expired?: boolean;
  readonly text: string;
  readonly at: string;
}

/** Which messages somebody wants to see; what is left out does not matter (OP-167). */
export interface MessageFilter {
  readonly uid?: string;
  readonly reference_id?: string;
  readonly channel?: Channel;
  /** Only those with a higher number. */
  readonly after?: number;
}

/** Puts a message to a customer into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientBooks>, message: Omit<ClientMessage, 'seq' | 'mobile' | 'source'>): void {
  add(tx, { ...message, mobile: mobileOf(tx, message.uid) });
}

/**
 * Puts a message into the outbox, whoever sent it: all are numbered together, and the oldest make room (OP-57, OP-167).
 *
 * @returns its number
 */
export function add(tx: Tx<ClientBooks>, message: Omit<ClientMessage, 'seq'> | Omit<GatewayMessage, 'seq'>): number {
  const seq = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(seq), { seq, ...message });
  dropEnded(tx, 'messages', message.at, mostMessages);
  return seq;
}

/** The messages, oldest first: the newest ones, or with `after` the first with a higher number. */
export function messagesShown(
  { store, clock }: Pick<Client, 'store' | 'clock'>,
  filter: MessageFilter,
  limit: number,
): MessageShown[] {
  const { uid, reference_id, channel, after } = filter;
  const wanted = (message: OutboxMessage) =>
    message.seq > (after ?? 0) &&
    (uid === undefined || message.uid === uid) &&
    (reference_id === undefined || message.reference_id === reference_id) &&
    (channel === undefined || channelOf(message) === channel);
  const found = candidates(store, filter, limit)
    .filter(wanted)
    .toSorted((one, other) => one.seq - other.seq);
  const asked = after === undefined ? found.slice(-limit) : found.slice(0, limit);
  return asked.map((message) => shown(store, message, clock.now()));
}

/** Messages of which those that are wanted are some, by the shortest way to them. */
function candidates(
  store: Reader<ClientBooks>,
  { uid, reference_id, channel, after }: MessageFilter,
  limit: number,
): readonly OutboxMessage[] {
  if (reference_id !== undefined) return store.find('messages', 'reference_id', reference_id);
  if (uid !== undefined) return store.find('messages', 'uid', uid);
  const range = after === undefined ? { reverse: true } : { after: orderedKey(after) };
  return store.range('messages', channel === undefined ? { ...range, limit } : range);
}

function channelOf(message: OutboxMessage): Channel {
  return message.source === 'gateway' ? message.channel : channels[message.kind];
}

function shown(books: Reader<ClientBooks>, message: OutboxMessage, now: number): MessageShown {
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
  const { expires, mobile = mobileOf(books, message.uid) } = message;
  const expired = expires !== undefined && { expired: isExpired(expires, now) };
  return { seq, source: 'reference_client', uid, kind, channel, mobile, ...expired, ...rest };
}

function mobileOf(books: Pick<Tx<ClientBooks>, 'get'>, uid: string): string {
  const customer = books.get('customers', uid);
  if (customer === undefined) throw new Error(`the books have no customer ${uid}`);
  return maskMobile(customer.profile.mobileNo);
}
