// @ts-check
import { api, ask } from './api.js';
import { figure, State } from './figures.js';
import { html } from './html.js';
import { useFeed, useFresh } from './live.js';
import { Code, Empty, Problem } from './parts.js';
import { Redemption } from './redemption.js';
import { go, withQuery } from './route.js';
import { SortedTable, sorted } from './table.js';
import { When } from './times.js';

/**
 * @typedef {import('./api.js').Schemas} Schemas
 * @typedef {Schemas['PlacedOrder']} PlacedOrder
 * @typedef {PlacedOrder['order']['lines'][number]} Line
 * @typedef {{ line: Line, uid: string, order_id: string, at: string, tries: number }} Listed
 */

/** Rows that are drawn at once. */
const step = 100;
/** As many orders as the control API gives at once. */
const most = 1000;

/**
 * All redemptions, or one of them.
 * @param {{ route: import('./route.js').Route }} given
 */
export function Redemptions({ route }) {
  const { subject, query } = route;
  return subject === undefined
    ? html`<${List} query=${query} />`
    : html`<${Redemption} code=${subject} key=${subject} />`;
}

/**
 * The redemptions of the orders that stand, newest first.
 * @param {{ query: URLSearchParams }} given
 */
function List({ query }) {
  const { data, failure } = useFresh(() => ask(api.GET('/orders', { params: { query: { limit: most } } })), []);
  const repeats = useRepeats();
  const listed = (data?.items ?? []).flatMap((placed) => linesOf(placed, repeats)).reverse();
  const wanted = sorted(listed.filter(matching(query)), columns, query);
  const rows = Number(query.get('rows') ?? step);
  return html`
    <h1>Redemptions</h1>
    <${Filter} query=${query} />
    ${failure && html`<${Problem} failure=${failure} />`}
    ${data !== undefined && html`<p class="quiet" role="status">${wanted.length} of ${listed.length} redemptions</p>`}
    ${data !== undefined && listed.length === 0 && html`<${First} />`}
    ${listed.length > 0 && wanted.length === 0 && html`<${Nothing} text=${query.get('q') ?? ''} />`}
    ${wanted.length > 0 && html`<${SortedTable} label="Redemptions" columns=${columns} rows=${wanted.slice(0, rows)} keyOf=${keyOf} query=${query} initial="-placed" />`}
    ${wanted.length > rows && html`<p class="ways"><a class="button quiet" href=${withQuery({ rows: rows + step })}>Show more</a></p>`}
  `;
}

/** How often a call about a redemption was repeated, as far as the log was read: by its redeem code. */
function useRepeats() {
  const { entries } = useFeed();
  /** @type {Map<string, number>} */
  const repeats = new Map();
  const postponed = ['delivery.postponed', 'vendor.failed', 'vouchers.postponed'];
  for (const entry of entries) {
    const again = entry.kind === 'state' ? postponed.includes(entry.event) : lost(entry);
    if (again) for (const code of entry.redeem_codes) repeats.set(code, (repeats.get(code) ?? 0) + 1);
  }
  return repeats;
}

/**
 * Whether a deduction got no usable answer, which the platform then asks for again at once.
 * @param {import('./live.js').CallEntry} call
 */
function lost({ kind, operation, status }) {
  const deducting = operation === 'saveRedeemDetails' || operation === 'redeemPoints';
  return kind === 'call_out' && deducting && (status === null || status >= 500);
}

/**
 * @param {PlacedOrder} placed
 * @param {ReadonlyMap<string, number>} repeats
 * @returns {readonly Listed[]}
 */
function linesOf({ uid, order }, repeats) {
  return order.lines.map((line) => {
    return { line, uid, order_id: order.order_id, at: order.created_at, tries: repeats.get(line.redeemCode) ?? 0 };
  });
}

/**
 * @param {URLSearchParams} query
 * @returns {(listed: Listed) => boolean}
 */
function matching(query) {
  const state = query.get('state');
  const text = (query.get('q') ?? '').toLowerCase();
  return ({ line, uid, order_id }) =>
    (state === null || line.status === state) &&
    (text === '' || `${uid}\n${order_id}\n${JSON.stringify(line)}`.toLowerCase().includes(text));
}

/** @param {{ query: URLSearchParams }} given */
function Filter({ query }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement }} event */
  const change = ({ currentTarget: { name, value } }) =>
    go(withQuery({ [name]: value, rows: undefined }), { replace: true });
  const state = query.get('state') ?? '';
  return html`
    <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field grow"><span>Find</span>
        <input type="search" name="q" value=${query.get('q') ?? ''} onInput=${change} placeholder="Customer, item, redeem code, order" />
      </label>
      <label class="field"><span>State</span>
        <select name="state" value=${state} onChange=${change}>
          ${['', 'Pending', 'Delivered', 'Rejected'].map((one) => html`<option value=${one} selected=${one === state}>${one || 'All'}</option>`)}
        </select>
      </label>
    </form>
  `;
}

/** @param {Listed} listed */
function keyOf({ line }) {
  return line.redeemCode;
}

/** @type {readonly import('./table.js').Column<Listed>[]} */
const columns = [
  {
    key: 'status',
    title: 'Status',
    by: ({ line }) => line.status,
    cell: ({ line }) => html`<${State} state=${line.status} />`,
  },
  {
    key: 'item',
    title: 'Item',
    by: ({ line }) => line.product_name,
    cell: (listed) => html`<${Item} listed=${listed} />`,
  },
  { key: 'code', title: 'Code', by: ({ line }) => line.redeemCode, cell: ({ line }) => line.redeemCode },
  { key: 'customer', title: 'Customer', by: ({ uid }) => uid, cell: ({ uid }) => uid },
  {
    key: 'points',
    title: 'Points',
    number: true,
    by: ({ line }) => line.points.totalPointWithProcessingFee,
    cell: ({ line }) => figure(line.points.totalPointWithProcessingFee),
  },
  { key: 'placed', title: 'Placed', number: true, by: ({ at }) => at, cell: ({ at }) => html`<${When} at=${at} />` },
];

/** @param {{ listed: Listed }} given */
function Item({ listed: { line, tries } }) {
  const remarks = [line.remark, tries > 0 ? `${tries} ${tries === 1 ? 'retry' : 'retries'}` : ''].filter(Boolean);
  return html`
    <span class="what">
      <a href=${`/dashboard/redemptions/${encodeURIComponent(line.redeemCode)}`}><strong>${line.quantity > 1 && `${line.quantity} × `}${line.product_name}</strong></a>
      ${remarks.length > 0 && html`<span class="quiet remark">${remarks.join('; ')}</span>`}
    </span>
  `;
}

/** @param {{ text: string }} given */
function Nothing({ text }) {
  const code = text.trim();
  return html`
    <${Empty} title="No matches">
      ${/^RDM-/i.test(code) && html`Redemptions without an order are not listed: <a href=${`/dashboard/redemptions/${encodeURIComponent(code)}`}>open ${code}</a>, or `}
      <a href="/dashboard/redemptions">clear the filters</a>
    <//>
  `;
}

/** What makes a first redemption. */
function First() {
  const { data: workspace } = useFresh(() => ask(api.GET('/workspace')), []);
  return html`
    <${Empty} title="No redemptions yet">
      Redeem something as a customer on the <a href="/microsite/">microsite</a>, or place an order as the client does:
    <//>
    ${
      workspace !== undefined &&
      html`<${Code} label="Commands that place an order" value=${`TOKEN=$(curl -s -H 'Content-Type: application/json' \\
  -d '{"secret":"${workspace.credentials.company_secret}"}' \\
  ${workspace.urls.rewards}/v1/company/auth | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s -H "Authorization: $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"uid":"CUST0007","line_items":[{"sku":"EGV-SPICE-500","quantity":1}]}' \\
  ${workspace.urls.rewards}/v1/partner/redeemptiononskus`} />`
    }
  `;
}
