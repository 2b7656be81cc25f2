import type { Tx } from '../store/store.ts';
import type { ClientBooks, Message } from './books.ts';

/** Puts a message into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientBooks>, message: Omit<Message, 'seq'>): void {
  const seq = (tx.get('counters', 'messages') ?? 0) + 1;
  tx.put('counters', 'messages', seq);
  tx.put('messages', String(seq).padStart(12, '0'), { seq, ...message });
}
