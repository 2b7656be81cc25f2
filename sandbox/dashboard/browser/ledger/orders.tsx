import { api, ask, type Schemas } from '../api.ts';
import { amount, customerFact, Facts, figure, itemName, State, When } from '../figures.tsx';
import { useFresh } from '../live.ts';
import { MicrositeLink } from '../microsite-link.tsx';
import { Empty, Panel, Problem } from '../parts.tsx';
import { redemptionAddress, withQuery } from '../route.ts';
import { type Columns, LineItem, Listing } from '../table.tsx';

type PlacedOrder = Schemas['PlacedOrder'];

/** Placed orders, newest first, or one of them. */
export function Orders({ query }: { query: URLSearchParams }) {
  const order_id = query.get('order');
  return order_id === null ? <List query={query} /> : <One key={order_id} order_id={order_id} />;
}

function List({ query }: { query: URLSearchParams }) {
  return (
    <Listing
      query={query}
      name="orders"
      rowsOf={(placed) => [placed]}
      partOf={() => 'the newest ones'}
      columns={columns}
      keyOf={({ order }) => order.order_id}
      textOf={(placed) => JSON.stringify(placed)}
      placeholder="Customer, order, reference, item"
      step={50}
      first={
        <Empty title="No orders yet">
          Redeem something as a customer on the <MicrositeLink>microsite</MicrositeLink>, or{' '}
          <a href="/dashboard/redemptions">place an order as the client does</a>.
        </Empty>
      }
      clear={<a href="/dashboard/ledger?view=orders">Clear filters</a>}
    />
  );
}

const columns: Columns<PlacedOrder> = {
  status: { by: ({ order }) => order.status, cell: ({ order }) => <State state={order.status} /> },
  order: {
    by: ({ order }) => order.order_id,
    cell: ({ order: { order_id, reference_id } }) => [
      <a href={withQuery({ order: order_id })}>{order_id}</a>,
      reference_id !== null && <span class="quiet">{reference_id}</span>,
    ],
  },
  items: {
    by: ({ order }) => order.lines[0]?.product_name ?? '',
    cell: ({ order }) => (
      <ul>
        {order.lines.map((line) => (
          <li key={line.redeemCode}>
            <LineItem line={line} remark={line.remark} />
          </li>
        ))}
      </ul>
    ),
  },
  customer: { by: ({ uid }) => uid },
  points: { number: true, by: ({ order }) => order.points.totalPointWithProcessingFee },
  placed: { number: true, by: ({ order }) => order.created_at, cell: ({ order }) => <When at={order.created_at} /> },
};

function One({ order_id }: { order_id: string }) {
  const params = { path: { order_id } };
  const { data, failure } = useFresh(() => ask(api.GET('/orders/{order_id}', { params })), [order_id]);
  return (
    <>
      {failure?.status === 404 && (
        <Empty title={`No order ${order_id}`}>Only orders that the client accepted are listed.</Empty>
      )}
      {failure !== undefined && failure.status !== 404 && <Problem failure={failure} />}
      {data !== undefined && (
        <div class="columns">
          <Order placed={data} />
        </div>
      )}
      <p>
        <a href={withQuery({ order: undefined })}>All orders</a>
      </p>
    </>
  );
}

function Order({ placed: { uid, order } }: { placed: PlacedOrder }) {
  const { order_id, reference_id, status, lines, points, created_at, updated_at } = order;
  return (
    <Panel title={order_id} aside={<State state={status} />}>
      <ul class="rows">
        {lines.map((line) => (
          <li key={line.redeemCode}>
            <a class="row redemption-row" href={redemptionAddress(line.redeemCode)}>
              <span class="what">
                <strong>{itemName(line)}</strong>
                <span class="quiet">{line.redeemCode}</span>
                {line.remark !== '' && <span class="quiet remark">{line.remark}</span>}
              </span>
              <span>{amount(line.points.totalPointWithProcessingFee)}</span>
              <State state={line.status} />
            </a>
          </li>
        ))}
      </ul>
      <Facts
        of={[
          customerFact(uid),
          ['Client reference', reference_id ?? undefined],
          ['Points', `${amount(points.totalPointWithProcessingFee)}${taxAndFee(points)}`],
          ['Placed', <When at={created_at} />],
          ['Updated', updated_at !== created_at && <When at={updated_at} />],
        ]}
      />
      <p class="ways">
        <a href={`/dashboard/traffic?q=${encodeURIComponent(order_id)}`}>Traffic of {order_id}</a>
      </p>
    </Panel>
  );
}

/** Returns the TDS and the fee included in the points, as text; empty if there are none. */
function taxAndFee({ tdsPoints, processingFee }: PlacedOrder['order']['points']) {
  const parts = [tdsPoints > 0 && `${figure(tdsPoints)} TDS`, processingFee > 0 && `${figure(processingFee)} fee`];
  const there = parts.filter((part) => part !== false);
  return there.length > 0 ? ` (including ${there.join(' and ')})` : '';
}
