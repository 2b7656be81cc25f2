// @ts-check
import { api, ask } from '../api.js';
import { amount, figure, State } from '../figures.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Empty, Panel, Problem } from '../parts.js';
import { go, withQuery } from '../route.js';
import { SortedTable, sorted } from '../table.js';
import { When } from '../times.js';

/**
 * @typedef {import('../api.js').Schemas['PlacedOrder']} PlacedOrder
 * @typedef {PlacedOrder['order']['lines'][number]} Line
 */

/** Orders that are drawn at once. */
const step = 50;
/** As many orders as the control API gives at once. */
const most = 1000;

/**
 * The orders that stand, newest first, or one of them.
 * @param {{ query: URLSearchParams }} given
 */
export function Orders({ query }) {
  const order_id = query.get('order');
  return order_id === null ? html`<${List} query=${query} />` : html`<${One} key=${order_id} order_id=${order_id} />`;
}

/** @param {{ query: URLSearchParams }} given */
function List({ query }) {
  const { data, failure } = useFresh(() => ask(api.GET('/orders', { params: { query: { limit: most } } })), []);
  const all = (data?.items ?? []).toReversed();
  const text = (query.get('q') ?? '').toLowerCase();
  const state = query.get('state') ?? '';
  const found = all.filter(
    (placed) => (state === '' || placed.order.status === state) && JSON.stringify(placed).toLowerCase().includes(text),
  );
  const wanted = sorted(found, columns, query);
  const rows = Number(query.get('rows') ?? step);
  return html`
    <${Filter} text=${query.get('q') ?? ''} state=${state} />
    ${failure && html`<${Problem} failure=${failure} />`}
    ${data !== undefined && html`<p class="quiet" role="status">${wanted.length} of ${all.length} orders</p>`}
    ${data !== undefined && all.length === 0 && html`<${Empty} title="No orders yet">Redeem something as a customer on the <a href="/microsite/">microsite</a>, or <a href="/dashboard/redemptions">place an order as the client does</a>.<//>`}
    ${all.length > 0 && wanted.length === 0 && html`<${Empty} title="No matches"><a href="/dashboard/ledger?view=orders">Clear filters</a><//>`}
    ${wanted.length > 0 && html`<${SortedTable} label="Orders" columns=${columns} rows=${wanted.slice(0, rows)} keyOf=${keyOf} query=${query} initial="-placed" />`}
    ${wanted.length > rows && html`<p class="ways"><a class="button quiet" href=${withQuery({ rows: rows + step })}>Show more</a></p>`}
  `;
}

/** @param {PlacedOrder} placed */
function keyOf({ order }) {
  return order.order_id;
}

/** @type {readonly import('../table.js').Column<PlacedOrder>[]} */
const columns = [
  {
    key: 'status',
    title: 'Status',
    by: ({ order }) => order.status,
    cell: ({ order }) => html`<${State} state=${order.status} />`,
  },
  {
    key: 'order',
    title: 'Order',
    by: ({ order }) => order.order_id,
    cell: ({ order: { order_id, reference_id } }) =>
      html`<a href=${withQuery({ order: order_id })}>${order_id}</a>${reference_id !== null && html`<span class="quiet">${reference_id}</span>`}`,
  },
  {
    key: 'items',
    title: 'Items',
    by: ({ order }) => order.lines[0]?.product_name ?? '',
    cell: ({ order }) =>
      html`<ul>${order.lines.map((line) => html`<li key=${line.redeemCode}><${Item} line=${line} /></li>`)}</ul>`,
  },
  { key: 'customer', title: 'Customer', by: ({ uid }) => uid, cell: ({ uid }) => uid },
  {
    key: 'points',
    title: 'Points',
    number: true,
    by: ({ order }) => order.points.totalPointWithProcessingFee,
    cell: ({ order }) => figure(order.points.totalPointWithProcessingFee),
  },
  {
    key: 'placed',
    title: 'Placed',
    number: true,
    by: ({ order }) => order.created_at,
    cell: ({ order }) => html`<${When} at=${order.created_at} />`,
  },
];

/** @param {{ line: Line }} given */
function Item({ line: { redeemCode, product_name, quantity, remark } }) {
  return html`
    <span class="what">
      <a href=${`/dashboard/redemptions/${encodeURIComponent(redeemCode)}`}><strong>${quantity > 1 && `${quantity} × `}${product_name}</strong></a>
      ${remark !== '' && html`<span class="quiet remark">${remark}</span>`}
    </span>
  `;
}

/** @param {{ order_id: string }} given */
function One({ order_id }) {
  const { data, failure } = useFresh(
    () => ask(api.GET('/orders/{order_id}', { params: { path: { order_id } } })),
    [order_id],
  );
  return html`
    ${failure?.status === 404 && html`<${Empty} title=${`No order ${order_id}`}>Only orders that the client accepted are listed.<//>`}
    ${failure !== undefined && failure.status !== 404 && html`<${Problem} failure=${failure} />`}
    ${data !== undefined && html`<div class="columns"><${Order} placed=${data} /></div>`}
    <p><a href=${withQuery({ order: undefined })}>All orders</a></p>
  `;
}

/** @param {{ text: string, state: string }} given */
function Filter({ text, state }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement }} event */
  const change = ({ currentTarget: { name, value } }) =>
    go(withQuery({ [name]: value, rows: undefined }), { replace: true });
  return html`
    <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field grow"><span>Find</span>
        <input type="search" name="q" value=${text} onInput=${change} placeholder="Customer, order, reference, item" />
      </label>
      <label class="field"><span>State</span>
        <select name="state" value=${state} onChange=${change}>
          ${['', 'Pending', 'Delivered', 'Rejected'].map((one) => html`<option value=${one} selected=${one === state}>${one || 'All'}</option>`)}
        </select>
      </label>
    </form>
  `;
}

/** @param {{ placed: PlacedOrder }} given */
function Order({ placed: { uid, order } }) {
  const { order_id, reference_id, status, lines, points, created_at, updated_at } = order;
  return html`
    <${Panel} title=${order_id} aside=${html`<${State} state=${status} />`}>
      <ul class="rows">
        ${lines.map((line) => html`<li key=${line.redeemCode}><${LineRow} line=${line} /></li>`)}
      </ul>
      <dl class="facts">
        <div><dt>Customer</dt><dd><a href=${`/dashboard/ledger?uid=${encodeURIComponent(uid)}`}>${uid}</a></dd></div>
        ${reference_id !== null && html`<div><dt>Client reference</dt><dd>${reference_id}</dd></div>`}
        <div><dt>Points</dt><dd>${amount(points.totalPointWithProcessingFee)}${taxAndFee(points)}</dd></div>
        <div><dt>Placed</dt><dd><${When} at=${created_at} /></dd></div>
        ${updated_at !== created_at && html`<div><dt>Updated</dt><dd><${When} at=${updated_at} /></dd></div>`}
      </dl>
      <p class="ways"><a href=${`/dashboard/traffic?q=${encodeURIComponent(order_id)}`}>Traffic of ${order_id}</a></p>
    <//>
  `;
}

/**
 * What of the points is TDS and fee, where there is any.
 * @param {PlacedOrder['order']['points']} points
 */
function taxAndFee({ tdsPoints, processingFee }) {
  const parts = [tdsPoints > 0 && `${figure(tdsPoints)} TDS`, processingFee > 0 && `${figure(processingFee)} fee`];
  const there = parts.filter((part) => part !== false);
  return there.length > 0 && ` (including ${there.join(' and ')})`;
}

/** @param {{ line: Line }} given */
function LineRow({ line: { redeemCode, product_name, quantity, points, status, remark } }) {
  return html`
    <a class="row redemption-row" href=${`/dashboard/redemptions/${encodeURIComponent(redeemCode)}`}>
      <span class="what">
        <strong>${quantity > 1 && `${quantity} × `}${product_name}</strong>
        <span class="quiet">${redeemCode}</span>
        ${remark !== '' && html`<span class="quiet remark">${remark}</span>`}
      </span>
      <span>${amount(points.totalPointWithProcessingFee)}</span>
      <${State} state=${status} />
    </a>
  `;
}
