import { nextNumber, orderedKey } from '../runtime/numbering.ts';
import { dropEnded } from '../store/pruning.ts';
import type { Tx } from '../store/store.ts';
import type { ClientBooks, OutboxMessage } from './books.ts';

/** Most messages that are kept; the oldest make room (OP-57). */
const mostMessages = 10_000;

/** Puts a message into the outbox in the transaction of its cause (OP-36). */
export function send(tx: Tx<ClientBooks>, message: Omit<OutboxMessage, 'seq'>): void {
  const seq = nextNumber(tx, 'messages');
  tx.put('messages', orderedKey(seq), { seq, ...message });
  dropEnded(tx, 'messages', message.at, mostMessages);
}
