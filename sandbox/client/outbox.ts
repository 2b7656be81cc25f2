import type { Tx } from '../store/store.ts';
import type { ClientBooks, Message } from './books.ts';

/** Puts a message into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientBooks>, message: Message): void {
  const number = (tx.get('counters', 'messages') ?? 0) + 1;
  tx.put('counters', 'messages', number);
  tx.put('messages', String(number).padStart(12, '0'), message);
}
