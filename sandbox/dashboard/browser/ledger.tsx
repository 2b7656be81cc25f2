import type { ComponentChildren } from 'preact';
import { Customers } from './ledger/customers.tsx';
import { Orders } from './ledger/orders.tsx';
import { Reconciliation } from './ledger/reconciliation.tsx';
import { Tabs } from './parts.tsx';
import type { Route } from './route.ts';

const views: Readonly<
  Record<string, readonly [title: string, view: (props: { query: URLSearchParams }) => ComponentChildren]>
> = {
  customers: ['Customers', Customers],
  orders: ['Orders', Orders],
  reconciliation: ['Reconciliation', Reconciliation],
};

/** The client's customers and their ledgers, the platform's orders, and the reconciliation of both ledgers. */
export function Ledger({ route: { query } }: { route: Route }) {
  const name = views[query.get('view') ?? ''] === undefined ? 'customers' : `${query.get('view')}`;
  const [title, View] = views[name] ?? ['', Customers];
  return (
    <>
      <h1>Ledger and orders</h1>
      <Tabs
        label="Views"
        current={title}
        views={Object.entries(views).map(([key, [label]]) => [`/dashboard/ledger?view=${key}`, label])}
      />
      <View query={query} key={name} />
    </>
  );
}
