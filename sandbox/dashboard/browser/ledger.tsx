import { useState } from 'preact/hooks';
import { allOf, api, ask } from './api.ts';
import { amount } from './figures.tsx';
import { Filters, ShowMore } from './filters.tsx';
import { Customer, CustomerForm } from './ledger/customer.tsx';
import { Orders } from './ledger/orders.tsx';
import { Reconciliation } from './ledger/reconciliation.tsx';
import { useFresh } from './live.ts';
import { Empty, Note, Panel, Problem, Row, Tabs } from './parts.tsx';
import { type Route, withQuery } from './route.ts';

const views = [
  ['customers', 'Customers', Customers],
  ['orders', 'Orders', Orders],
  ['reconciliation', 'Reconciliation', Reconciliation],
] as const;

/** The client's customers and their ledgers, the platform's orders, and the reconciliation of both ledgers. */
export function Ledger({ route: { query } }: { route: Route }) {
  const [name, title, View] = views.find(([each]) => each === query.get('view')) ?? views[0];
  const links = views.map(([key, label]) => [`/dashboard/ledger?view=${key}`, label] as const);
  return (
    <>
      <h1>Ledger and orders</h1>
      <Tabs label="Views" current={title} views={links} />
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

/** Number of rows shown initially, and added by each request for more. */
const step = 100;

/** The client's customers: the list, one customer with the ledger, or the form for a new customer. */
function Customers({ query }: { query: URLSearchParams }) {
  const { data, failure } = useFresh(() => allOf((query) => api.GET('/customers', { params: { query } })), []);
  // The result is shown outside the form, because saving closes the form.
  const [result, tell] = useState('');
  const uid = query.get('uid') ?? '';
  const newUid = query.get('new');
  const all = data ?? [];
  const text = (query.get('q') ?? '').toLowerCase();
  const wanted = all.filter((one) => JSON.stringify(one).toLowerCase().includes(text));
  const open = all.find((one) => one.uid === uid);
  const rows = Number(query.get('rows') ?? step);
  const close = <a href={withQuery({ uid: undefined, new: undefined, edit: undefined })}>Close</a>;
  // On a phone, the open customer is above the list. Rendering the list first would make it jump down.
  if (uid !== '' && data === undefined && failure === undefined) return undefined;
  return (
    <>
      {failure && <Problem failure={failure} />}
      <Note look="quiet action-result">{result}</Note>
      <div class={uid !== '' || newUid !== null ? 'split open' : 'split'}>
        <div>
          <Filters query={query} placeholder="Customer, name, any field" />
          <p class="ways">
            <span class="quiet">{data !== undefined && `${wanted.length} of ${all.length} customers`}</span>
            <a class="button small" href={withQuery({ new: 1, uid: undefined, edit: undefined })}>
              Add customer
            </a>
          </p>
          {data !== undefined && wanted.length === 0 && <NoCustomer text={query.get('q') ?? ''} />}
          <ol class="rows">
            {wanted.slice(0, rows).map((one) => (
              <Row
                key={one.uid}
                href={withQuery({ uid: one.uid, new: undefined, edit: undefined })}
                isCurrent={one.uid === uid}
                title={one.profile.name}
                detail={one.uid}
              >
                <span>{amount(one.points.balance)}</span>
              </Row>
            ))}
          </ol>
          {wanted.length > rows && <ShowMore rows={rows + step} />}
        </div>
        {uid !== '' && data !== undefined && (
          <Customer key={uid} uid={uid} customer={open} edit={query.has('edit')} close={close} tell={tell} />
        )}
        {uid === '' && newUid !== null && (
          <Panel title="New customer" aside={close}>
            <CustomerForm uid={newUid === '1' ? '' : newUid} customer={undefined} tell={tell} />
          </Panel>
        )}
      </div>
    </>
  );
}

function NoCustomer({ text }: { text: string }) {
  if (text === '') {
    return (
      <Empty title="No customers">
        <a href={withQuery({ new: 1 })}>Add one</a>, or reset the workspace to load the seed data.
      </Empty>
    );
  }
  const uid = text.trim();
  return (
    <Empty title="No matches">
      Lists omit some customers, such as the magic ones: <a href={withQuery({ uid, q: undefined })}>open {uid}</a>,{' '}
      <a href={withQuery({ new: uid, q: undefined, uid: undefined })}>create {uid}</a>, or{' '}
      <a href={withQuery({ q: undefined })}>show all customers</a>
    </Empty>
  );
}
