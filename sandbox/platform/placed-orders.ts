import type { components, operations } from '../../generated/sandbox/types.ts';
import { type OrderStatus, orderStatus } from '../domain/order.ts';
import { orderedKey } from '../runtime/numbering.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import type { Range, Reader, Tx } from '../store/store.ts';
import { customerStatus, type Order, type PlatformCollections } from './collections.ts';
import { lineOf, orderResource } from './order-resource.ts';

type PublicOrder = components['schemas']['PlacedOrder'];
type Filter = Omit<NonNullable<operations['listPlacedOrders']['parameters']['query']>, 'wait'> & {
  readonly limit: number;
};

/** The orders that stand, from the inside, for the control API (OP-84). */
export class PlacedOrders {
  readonly #store: Reader<PlatformCollections>;

  constructor(store: Reader<PlatformCollections>) {
    this.#store = store;
  }

  /** In the order in which they were placed: the newest, or with `after` those that follow it. */
  list(filter: Filter): WatchedQuery<PublicOrder> {
    const { after, limit } = filter;
    const isWanted = isIn(filter);
    return {
      collection: 'orders',
      matches: (order) => isWanted(order as Order),
      look: () => {
        const part = { limit, ...(after === undefined ? { reverse: true } : { after: orderedKey(after) }) };
        const orders = this.#store.range('orders', { ...indexFor(filter), ...part });
        const found = orders.map((order) => this.#toPublicOrder(order));
        return after === undefined ? found.reverse() : found;
      },
    };
  }

  /** One order; undefined if no placed order has this id. */
  get(order_id: string): PublicOrder | undefined {
    const order = this.#store.get('orders', order_id);
    return order === undefined || order.seq === 0 ? undefined : this.#toPublicOrder(order);
  }

  /** One order once it has ended. */
  ended(order_id: string): WatchedQuery<PublicOrder> {
    return {
      collection: 'orders',
      matches: (order) => (order as Order).order_id === order_id && (order as Order).status !== 'Pending',
      look: () => [this.get(order_id)].flatMap((found) => (found && found.order.status !== 'Pending' ? [found] : [])),
    };
  }

  #toPublicOrder(order: Order): PublicOrder {
    return { seq: order.seq, uid: order.uid, order: orderResource(this.#store, order) };
  }
}

/** A test whether an order matches a filter. */
function isIn({ uid, status, after = 0 }: Filter): (order: Order) => boolean {
  return (order) =>
    order.seq > after && (uid === undefined || order.uid === uid) && (status === undefined || order.status === status);
}

/** The index that has the orders of a filter, and no others. */
function indexFor({ uid, status }: Filter): Pick<Range, 'by' | 'group'> {
  if (uid !== undefined && status !== undefined) return { by: 'customerStatus', group: customerStatus(uid, status) };
  if (uid !== undefined) return { by: 'customer', group: uid };
  return status === undefined ? {} : { by: 'status', group: status };
}

/** What the lines of an order come to. */
export function statusOf(reader: Pick<Tx<PlatformCollections>, 'get'>, { redeemCodes }: Order): OrderStatus {
  return orderStatus(redeemCodes.map((code) => lineOf(reader, code).status));
}
