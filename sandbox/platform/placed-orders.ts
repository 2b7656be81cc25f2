import type { components, operations } from '../../generated/sandbox/types.ts';
import type { Reader } from '../store/store.ts';
import type { Order, PlatformBooks } from './books.ts';
import { orderResource } from './order-resource.ts';

type Shown = components['schemas']['PlacedOrder'];
type Filter = Omit<NonNullable<operations['listPlacedOrders']['parameters']['query']>, 'wait'>;

/** The orders that stand, from the inside, for the control API (OP-84). */
export class PlacedOrders {
  readonly #store: Reader<PlatformBooks>;

  constructor(store: Reader<PlatformBooks>) {
    this.#store = store;
  }

  /** In the order in which they were placed: the newest, or with `after` those that follow it. */
  list({ uid, status, after, limit = 100 }: Filter): Shown[] {
    const known = uid === undefined ? this.#store.all('orders') : this.#store.find('orders', 'uid', uid);
    const standing = known.filter(({ seq }) => seq > (after ?? 0)).sort((one, other) => one.seq - other.seq);
    if (after === undefined) standing.reverse();
    const found: Shown[] = [];
    for (const order of standing) {
      if (found.length === limit) break;
      const shown = this.#shown(order);
      if (status === undefined || shown.order.status === status) found.push(shown);
    }
    return after === undefined ? found.reverse() : found;
  }

  /** One order; undefined when none with this id stands. */
  get(order_id: string): Shown | undefined {
    const order = this.#store.get('orders', order_id);
    return order === undefined || order.seq === 0 ? undefined : this.#shown(order);
  }

  #shown(order: Order): Shown {
    return { seq: order.seq, uid: order.uid, order: orderResource(this.#store, order) };
  }
}
