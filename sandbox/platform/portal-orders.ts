import type { KeepingTx } from '../contract/types.ts';
import { isExpired, tooLateTexts } from '../domain/order-line.ts';
import { type LinePoints, linePoints } from '../domain/points.ts';
import { digest, type Handles, storedAs } from '../runtime/tokens.ts';
import { dropEnded } from '../store/pruning.ts';
import { itemOf, numberedPage } from './catalogue.ts';
import { type Item, type Line, lineItem, type Order, type Payment } from './collections.ts';
import { lineOf } from './orders.ts';
import { outstandingIn } from './partner-balances.ts';
import { type OrderRequest, placeOrder } from './place-order.ts';
import type { Platform } from './platform.ts';
import { hasHistory, historyPart } from './portal-history.ts';
import { endOf, openSession } from './session.ts';
import { cancelLines } from './workers/line.ts';

/** A customer signed in to the portal. */
interface Visitor {
  /** The key of the stored session. */
  readonly id: string;
  readonly uid: string;
}

type State = 'Pending' | 'Redeemed' | 'Reversing' | 'Reversed' | 'Stuck';
type Placing = ReturnType<OrderRequest['keep']>;

/** Maximum number of rewards that a page examines. The cards and the number of affordable rewards are computed from all matches. */
const mostRewards = 10_000;

/** The platform's service for its portal. It shares sessions, catalogue and orders with the APIs. */
export class PortalOrders {
  readonly #platform: Platform;
  readonly #handles: Handles;

  /** @param handles draws the handles of portal sessions, which no API accepts */
  constructor(platform: Platform, handles: Handles) {
    this.#platform = platform;
    this.#handles = handles;
  }

  /** Signs a customer in and returns the handle of the session. Each token works only once (OP-34). */
  async open(uid: string, jwt: string, trace: string) {
    const entry = digest(jwt);
    const used = { kind: 'refused_by_client', message: 'The token was already used.' } as const;
    if (this.#platform.store.get('portalEntries', entry) !== undefined) return used;
    let handle = '';
    const opened = await openSession(this.#platform, { uid, jwt, trace }, (tx) => {
      if (tx.get('portalEntries', entry) !== undefined) return undefined;
      const now = this.#platform.clock.now();
      tx.put('portalEntries', entry, Math.max(now, endOf(jwt) ?? now));
      dropEnded(tx, 'portalEntries', now);
      const drawn = this.#handles.draw(tx);
      handle = drawn.handle;
      return drawn.id;
    });
    return 'kind' in opened ? opened : ({ kind: 'opened', handle } as const);
  }

  /** Returns the visitor of a session handle; `undefined` if the handle is invalid or the session has ended. */
  async visitor(handle: string): Promise<Visitor | undefined> {
    const { store, clock } = this.#platform;
    const id = storedAs(handle);
    const session = store.get('sessions', id);
    return session !== undefined && session.expires > clock.now() ? { id, uid: session.uid } : undefined;
  }

  /** Reads the customer's profile and points from the client. */
  async readAccount(visitor: Visitor, trace: string) {
    const answer = await this.#platform.client.getProfileAndPoints(visitor.uid, trace, this.#jwt(visitor));
    if (answer.kind === 'refused') return { kind: 'refused' } as const;
    if (answer.kind === 'no_answer') return answer;
    const { profile, points } = answer.body;
    return { kind: 'signed_in', profile, points } as const;
  }

  /** Returns the first matching rewards, in catalogue order, and the number of matches. */
  rewards(wanted: Pick<Parameters<typeof numberedPage>[1], 'type' | 'q'>) {
    const { items, total } = numberedPage(this.#platform, { ...wanted, page: 1, limit: mostRewards });
    return { rewards: items.map((item) => this.#reward(item)), total };
  }

  reward(sku: string) {
    const item = itemOf(this.#platform.store, sku);
    return item && this.#reward(item);
  }

  /** Returns the idempotency key of this reward's order form. It stays the same within the session until the customer orders the reward. */
  formKey({ id, uid }: Visitor, sku: string): string {
    const newest = { by: 'item', group: lineItem(uid, sku), reverse: true, limit: 1 };
    const [last = null] = this.#platform.store.ids('lines', newest);
    return digest(JSON.stringify([id, sku, last])).slice(0, 32);
  }

  /** Places the order like the APIs (OP-05). Calls `keep` in the same transaction with the order id, or with the reason for the failure. */
  async place(
    visitor: Visitor,
    { shipping_address, ...item }: OrderRequest['line_items'][number] & Pick<OrderRequest, 'shipping_address'>,
    keep: (tx: KeepingTx, placed: string | Extract<Placing, { kind: string }>) => void,
    trace: string,
  ) {
    const answer = await placeOrder(this.#platform, {
      uid: visitor.uid,
      version: 'v1',
      jwt: this.#jwt(visitor),
      trace,
      line_items: [item],
      ...(shipping_address !== undefined && { shipping_address }),
      keep: (tx, decided) => {
        keep(tx, 'kind' in decided ? decided : decided.body.order_id);
        return decided;
      },
    });
    if (!('kind' in answer)) return { kind: 'placed', order_id: answer.body.order_id } as const;
    if (answer.kind === 'reference_conflict') throw new Error('an order of the portal has no reference_id');
    return answer;
  }

  /** Returns the visitor's own placed order; `undefined` for any other order. */
  order(visitor: Visitor, order_id: string) {
    const order = this.#own(visitor, order_id);
    return order && this.#withRedemptions(order);
  }

  #own({ uid }: Visitor, order_id: string): Order | undefined {
    const order = this.#platform.store.get('orders', order_id);
    return order?.uid === uid && order.state === 'placed' ? order : undefined;
  }

  /**
   * Returns a page of the visitor's orders and payments, newest first: the first page, or the page that the cursor identifies.
   * Returns `undefined` if the cursor is invalid.
   */
  history({ uid }: Visitor, cursor: string | undefined) {
    const part = historyPart(this.#platform, uid, cursor);
    if (part === undefined) return undefined;
    const happened = part.happened.map((one) =>
      one.kind === 'order'
        ? ({ kind: 'redeemed', order: this.#withRedemptions(one.order) } as const)
        : ({ kind: 'earned', earning: this.#earning(one.payment) } as const),
    );
    return { ...part, ...hasHistory(this.#platform, uid), happened };
  }

  /** Cancels the pending lines of the visitor's own order. Returns the failure if it cancelled none. */
  async cancel(visitor: Visitor, order_id: string, trace: string) {
    const order = this.#own(visitor, order_id);
    if (order === undefined) return { kind: 'not_found' } as const;
    const wish = { by: 'customer', reason: '' } as const;
    const result = await cancelLines(this.#platform, order, order.redeemCodes, wish, trace);
    if (result === undefined) return { kind: 'not_found' } as const;
    const [first] = result.refused;
    if (first === undefined || result.cancelled.length > 0) return undefined;
    return { kind: 'too_late', order_id, problem: tooLateTexts[first.why] } as const;
  }

  /** Ends the session in every tab. */
  async end({ id, uid }: Visitor, trace: string): Promise<void> {
    const { store, activity } = this.#platform;
    await store.transact((tx) => {
      tx.remove('sessions', id);
      activity.note(tx, { trace, party: 'platform', event: 'session.ended', uid });
    });
  }

  #jwt({ id }: Visitor): string {
    const session = this.#platform.store.get('sessions', id);
    // The session ended during this call: make no more calls on the customer's behalf.
    return session?.jwt ?? '';
  }

  #reward(item: Item) {
    const { sku_code: sku, skus: name, product_type, priceInr, status, stock } = item;
    const cost = (quantity: number): LinePoints =>
      linePoints({ product_type, priceInr, quantity }, this.#platform.settings());
    return { sku, name, product_type, priceInr, available: status === 1 ? stock : 0, cost };
  }

  /**
   * Returns the expiry of a redemption's vouchers, which all expire together; `null` if they are valid or there are
   * none.
   */
  #expired(redeemCode: string): string | null {
    const { store, clock } = this.#platform;
    const [voucher] = store.find('vouchers', 'redeemCode', redeemCode);
    if (voucher === undefined || !isExpired(voucher.expires, clock.now())) return null;
    return isoOf(voucher.expires);
  }

  #earning({ transactionId, paymentAmount, points, at }: Payment) {
    const credited = outstandingIn(this.#platform.store).ofPayment(transactionId) === 'none';
    return { transactionId, paymentAmount, points, credited, at: isoOf(at) };
  }

  #withRedemptions(order: Order) {
    const outstanding = outstandingIn(this.#platform.store);
    const lines = order.redeemCodes.map((code) => {
      const line = lineOf(this.#platform.store, code);
      const { redeemCode, product_name: name, product_type, quantity, remark, points, cancelled = false } = line;
      const { shipping_address: address = null } = line;
      const state = stateOf(line, outstanding.ofLine(line));
      const details = { redeemCode, name, product_type, quantity, remark, points, cancelled, address };
      return { ...details, state, expired: this.#expired(redeemCode) };
    });
    return { order_id: order.order_id, at: isoOf(order.created), lines };
  }
}

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Returns the state of a line's points as the platform knows it. A rejection is `Reversed` only after the client has acknowledged it. */
function stateOf({ status }: Line, outstanding: 'due' | 'parked' | 'none'): State {
  if (status === 'Pending') return 'Pending';
  if (status === 'Delivered') return 'Redeemed';
  return ({ due: 'Reversing', parked: 'Stuck', none: 'Reversed' } as const)[outstanding];
}
