import type { components, operations } from '../../generated/sandbox/types.ts';
import { orderedKey } from '../runtime/numbering.ts';
import type { Reader } from '../store/store.ts';
import type { Order, PlatformBooks } from './books.ts';
import { orderResource } from './order-resource.ts';

type ShownOrder = components['schemas']['PlacedOrder'];
type Filter = Omit<NonNullable<operations['listPlacedOrders']['parameters']['query']>, 'wait'> & {
  readonly limit: number;
};

/** The orders that stand, from the inside, for the control API (OP-84). */
export class PlacedOrders {
  readonly #store: Reader<PlatformBooks>;

  constructor(store: Reader<PlatformBooks>) {
    this.#store = store;
  }

  /** In the order in which they were placed: the newest, or with `after` those that follow it. */
  list({ uid, status, after, limit }: Filter): ShownOrder[] {
    const found: ShownOrder[] = [];
    for (const order of uid === undefined ? this.#inOrder(after, limit) : this.#ofCustomer(uid, after)) {
      if (found.length === limit) break;
      const shown = this.#shown(order);
      if (status === undefined || shown.order.status === status) found.push(shown);
    }
    return after === undefined ? found.reverse() : found;
  }

  /** One order; undefined when none with this id stands. */
  get(order_id: string): ShownOrder | undefined {
    const order = this.#store.get('orders', order_id);
    return order === undefined || order.seq === 0 ? undefined : this.#shown(order);
  }

  /** The orders behind a number, or all from the newest to the oldest, read as far as they are asked for. */
  *#inOrder(after: number | undefined, atOnce: number): Generator<Order> {
    const range = { limit: atOnce, reverse: after === undefined };
    for (let edge = after; ; ) {
      const slice = this.#store.range('orders', { ...range, ...(edge !== undefined && { after: orderedKey(edge) }) });
      yield* slice;
      edge = slice.at(-1)?.seq;
      if (edge === undefined || slice.length < atOnce) return;
    }
  }

  #ofCustomer(uid: string, after: number | undefined): readonly Order[] {
    const standing = this.#store.find('orders', 'uid', uid).filter(({ seq }) => seq > (after ?? 0));
    const direction = after === undefined ? -1 : 1;
    return standing.sort((one, other) => direction * (one.seq - other.seq));
  }

  #shown(order: Order): ShownOrder {
    return { seq: order.seq, uid: order.uid, order: orderResource(this.#store, order) };
  }
}
