import { useState } from 'preact/hooks';
import { allOf, api } from '../api.ts';
import { amount } from '../figures.tsx';
import { Filters, ShowMore } from '../filters.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem, Row } from '../parts.tsx';
import { withQuery } from '../route.ts';
import { Customer } from './customer.tsx';
import { CustomerForm } from './customer-form.tsx';

/** Number of rows shown initially, and added by each request for more. */
const step = 100;

/** The client's customers: the list, one customer with the ledger, or the form for a new customer. */
export function Customers({ query }: { query: URLSearchParams }) {
  const { data, failure } = useFresh(() => allOf((query) => api.GET('/customers', { params: { query } })), []);
  // The result is shown outside the form, because saving closes the form.
  const [result, tell] = useState('');
  const uid = query.get('uid') ?? '';
  const making = query.has('new');
  const all = data ?? [];
  const text = (query.get('q') ?? '').toLowerCase();
  const wanted = all.filter((one) => JSON.stringify(one).toLowerCase().includes(text));
  const rows = Number(query.get('rows') ?? step);
  const close = <a href={withQuery({ uid: undefined, new: undefined, edit: undefined })}>Close</a>;
  // On a phone, the open customer is above the list. Rendering the list first would make it jump down.
  if (uid !== '' && data === undefined && failure === undefined) return undefined;
  return (
    <>
      {failure && <Problem failure={failure} />}
      <p role="status" class="quiet action-result">
        {result}
      </p>
      <div class={uid !== '' || making ? 'split open' : 'split'}>
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
          <Customer
            key={uid}
            uid={uid}
            customer={all.find((one) => one.uid === uid)}
            edit={query.has('edit')}
            close={close}
            tell={tell}
          />
        )}
        {uid === '' && making && (
          <Panel title="New customer" aside={close}>
            <CustomerForm uid={query.get('new') === '1' ? '' : query.get('new')} tell={tell} />
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
  return (
    <Empty title="No matches">
      Lists omit some customers, such as the magic ones:{' '}
      <a href={withQuery({ uid: text.trim(), q: undefined })}>open {text.trim()}</a>,{' '}
      <a href={withQuery({ new: text.trim(), q: undefined, uid: undefined })}>create {text.trim()}</a>, or{' '}
      <a href={withQuery({ q: undefined })}>show all customers</a>
    </Empty>
  );
}
