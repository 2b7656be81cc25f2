import { balance } from '../domain/ledger.ts';
import {
  decide,
  evolve,
  type RedemptionCommand,
  type RedemptionEvent,
  type RedemptionFailure,
} from '../domain/redemption.ts';
import { schedule } from '../runtime/due.ts';
import type { Tx } from '../store/store.ts';
import type { ClientBooks } from './books.ts';
import type { Client } from './client.ts';
import { bookEntry } from './ledger.ts';

/**
 * Carries out what the redemption's rules decide (`domain/redemption.ts`): its new state, the ledger entry and the work
 * that hangs on it, all in the caller's transaction. Answers the failure when the sender is to be refused.
 */
export function carryOut(
  client: Client,
  tx: Tx<ClientBooks>,
  redeemCode: string,
  command: RedemptionCommand,
  trace: string,
): RedemptionFailure | undefined {
  const redemption = tx.get('redemptions', redeemCode);
  const uid =
    command.type === 'save'
      ? command.uid
      : redemption !== undefined && 'uid' in redemption
        ? redemption.uid
        : undefined;
  const customer = uid === undefined ? undefined : tx.get('customers', uid);
  const { events, failure } = decide(redemption, command, customer === undefined ? 0 : balance(customer.account));
  for (const event of events) {
    const before = tx.get('redemptions', redeemCode);
    const after = evolve(before, event);
    tx.put('redemptions', redeemCode, after);
    apply(client, tx, redeemCode, event, trace);
    client.activity.note(tx, {
      trace,
      party: 'client',
      event: `redemption.${event.type}`,
      ...(uid !== undefined && { uid }),
      redeem_codes: [redeemCode],
      detail: { from: before?.state ?? null, to: after.state, ...('points' in event && { points: event.points }) },
    });
  }
  return failure;
}

function apply(client: Client, tx: Tx<ClientBooks>, redeemCode: string, event: RedemptionEvent, trace: string): void {
  const now = client.clock.now();
  switch (event.type) {
    case 'deducted':
      post(tx, event.uid, { kind: 'deduct', points: event.points, reference: redeemCode }, now);
      schedule(tx, {
        kind: 'pendingTimeout',
        at: now + client.settings().pending_timeout * 1000,
        trace,
        payload: { redeemCode },
      });
      return;
    case 'reversed':
      return post(tx, event.uid, { kind: 'reverse', points: event.points, reference: redeemCode }, now);
    case 'delivered':
      schedule(tx, { kind: 'sendVouchers', at: now, trace, payload: { redeemCode } });
      return;
    case 'refused':
      return;
  }
}

function post(
  tx: Tx<ClientBooks>,
  uid: string,
  entry: { kind: 'deduct' | 'reverse'; points: number; reference: string },
  at: number,
): void {
  const customer = tx.get('customers', uid);
  if (customer === undefined || !bookEntry(tx, customer, entry, { at, redeemCode: entry.reference })) {
    throw new Error(`the ledger refuses to ${entry.kind} ${entry.points} points for ${entry.reference}`);
  }
}
