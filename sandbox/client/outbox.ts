import { dropEnded } from '../store/pruning.ts';
import type { Tx } from '../store/store.ts';
import type { ClientBooks, Message } from './books.ts';

/** Most messages that are kept; the oldest make room (OP-57). */
const mostMessages = 10_000;

/** Puts a message into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientBooks>, message: Omit<Message, 'seq'>): void {
  const seq = (tx.get('counters', 'messages') ?? 0) + 1;
  tx.put('counters', 'messages', seq);
  tx.put('messages', messageKey(seq), { seq, ...message });
  dropEnded(tx, 'messages', message.at, mostMessages);
}

/** The id that keeps messages in their order. */
export function messageKey(seq: number): string {
  return String(seq).padStart(12, '0');
}
