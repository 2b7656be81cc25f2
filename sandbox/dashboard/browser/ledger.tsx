// @ts-check
import { html } from './html.js';
import { Customers } from './ledger/customers.js';
import { Orders } from './ledger/orders.js';
import { Reconciliation } from './ledger/reconciliation.js';
import { Tabs } from './parts.js';

/** @type {Readonly<Record<string, readonly [title: string, view: (given: { query: URLSearchParams }) => unknown]>>} */
const views = {
  customers: ['Customers', Customers],
  orders: ['Orders', Orders],
  reconciliation: ['Reconciliation', Reconciliation],
};

/**
 * The client's customers and their ledgers, the platform's orders, and the reconciliation of both ledgers.
 * @param {{ route: import('./route.js').Route }} given
 */
export function Ledger({ route: { query } }) {
  const name = views[query.get('view') ?? ''] === undefined ? 'customers' : `${query.get('view')}`;
  const [title, View] = views[name] ?? ['', Customers];
  return html`
    <h1>Ledger and orders</h1>
    <${Tabs} label="Views" current=${title} views=${Object.entries(views).map(([key, [label]]) => [`/dashboard/ledger?view=${key}`, label])} />
    <${View} query=${query} key=${name} />
  `;
}
