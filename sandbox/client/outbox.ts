import { maskMobile } from '../domain/otp.ts';
import { isExpired } from '../domain/voucher.ts';
import { nextNumber, orderedKey } from '../runtime/numbering.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { ClientBooks, MessageKind, OutboxMessage } from './books.ts';
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
} as const satisfies Record<MessageKind, string>;

/** A message as the control API shows it. */
export interface MessageShown extends Omit<OutboxMessage, 'at' | 'mobile' | 'expires'> {
  readonly channel: (typeof channels)[MessageKind];
  readonly mobile: string;
  readonly expired?: boolean;
  readonly at: string;
}

/** Puts a message to a customer into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientBooks>, message: Omit<OutboxMessage, 'seq' | 'mobile'>): void {
  const seq = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(seq), { seq, ...message, mobile: mobileOf(tx, message.uid) });
  dropEnded(tx, 'messages', message.at, mostMessages);
}

/** The messages, oldest first: the newest ones, or with `after` the first with a higher number. */
export function messagesShown(
  { store, clock }: Pick<Client, 'store' | 'clock'>,
  uid: string | undefined,
  after: number | undefined,
  limit: number,
): MessageShown[] {
  const range = after === undefined ? { reverse: true } : { after: orderedKey(after) };
  const all = uid === undefined ? store.range('messages', { ...range, limit }) : store.find('messages', 'uid', uid);
  const inOrder = all.toSorted((one, other) => one.seq - other.seq).filter(({ seq }) => seq > (after ?? 0));
  const asked = after === undefined ? inOrder.slice(-limit) : inOrder.slice(0, limit);
  return asked.map((message) => shown(store, message, clock.now()));
}

function shown(
  books: Reader<ClientBooks>,
  { at, mobile, expires, ...message }: OutboxMessage,
  now: number,
): MessageShown {
  return {
    ...message,
    channel: channels[message.kind],
    mobile: mobile ?? mobileOf(books, message.uid),
    ...(expires !== undefined && { expired: isExpired(expires, now) }),
    at: new Date(at).toISOString(),
  };
}

function mobileOf(books: Pick<Tx<ClientBooks>, 'get'>, uid: string): string {
  const customer = books.get('customers', uid);
  if (customer === undefined) throw new Error(`the books have no customer ${uid}`);
  return maskMobile(customer.profile.mobileNo);
}
