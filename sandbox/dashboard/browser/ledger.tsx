import type { ComponentChildren } from 'preact';
import { api, ask } from './api.ts';
import { Customers } from './ledger/customers.tsx';
import { Orders } from './ledger/orders.tsx';
import { Reconciliation } from './ledger/reconciliation.tsx';
import { useFresh } from './live.ts';
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
      {name === 'customers' && <WhoseCustomers />}
      <View query={query} key={name} />
    </>
  );
}

/** A note, shown while a partner's own server is the client: these balances are not those of that server. */
function WhoseCustomers() {
  const { data: workspace } = useFresh(() => ask(api.GET('/workspace')), []);
  if (workspace === undefined || workspace.settings.client_url === workspace.urls.client) return undefined;
  return (
    <div class="notice hint">
      <p>
        These are the customers and balances of the reference client, which is not in use. Your server at{' '}
        <code>{workspace.settings.client_url}</code> keeps its own ledger.{' '}
        <a href="/dashboard/ledger?view=reconciliation">Reconciliation</a> compares the balances that it returned with
        the platform’s orders.
      </p>
    </div>
  );
}
