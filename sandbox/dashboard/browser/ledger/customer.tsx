import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { allOf, api, ask, type Schemas } from '../api.ts';
import { Facts, figure, State, signed, When } from '../figures.tsx';
import { Field, type Fields, type FormSubmission, fieldsOf, filled, useOutcome } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem, TableHead } from '../parts.tsx';
import { go, withQuery } from '../route.ts';
import { BalanceChart } from './balance.tsx';

type LedgerEntry = Schemas['LedgerEntry'];

interface CustomerProps {
  uid: string;
  customer: Schemas['Customer'] | undefined;
  edit: boolean;
  close: ComponentChildren;
  tell: (text: string) => void;
}

/** A customer with the reference client's ledger. `customer` is undefined for an unlisted customer. */
export function Customer({ uid, customer, edit, close, tell }: CustomerProps) {
  const { data, failure } = useFresh(() => ledgerOf(uid), [uid]);
  const name = encodeURIComponent(uid);
  const empty = <span class="quiet">empty</span>;
  // While loading, reserve space, because the ledger would push everything below it down.
  const waits = data === undefined && failure === undefined;
  if (failure?.status === 404) {
    return (
      <Panel title={uid} aside={close}>
        <Empty title="Customer not found">
          <a href={withQuery({ uid: undefined, new: uid })}>Create customer</a>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title={uid} aside={close} waits={waits}>
      {failure && <Problem failure={failure} />}
      {customer === undefined && (
        <p class="notice hint">
          Like all magic customers, this customer does not appear in lists. The ledger is still available.
        </p>
      )}
      {customer !== undefined && <Facts look="account" of={accountOf(customer)} />}
      <p class="ways">
        {customer !== undefined && !edit && (
          <a class="button small" href={withQuery({ edit: 1 })}>
            Edit customer
          </a>
        )}
        <a href={`/dashboard/ledger?view=orders&q=${name}`}>Orders</a>
        <a href={`/dashboard/outbox?uid=${name}`}>Outbox</a>
        <a href={`/dashboard/traffic?q=${name}`}>Traffic</a>
      </p>
      {edit && customer !== undefined && <CustomerForm uid={uid} customer={customer} tell={tell} />}
      <h3>Ledger</h3>
      {data !== undefined && <Entries entries={data.items} balance={data.balance} />}
      {customer !== undefined && !waits && (
        <>
          <h3>Profile</h3>
          <Facts of={Object.entries(customer.profile).map(([field, value]) => [field, value === '' ? empty : value])} />
        </>
      )}
    </Panel>
  );
}

function accountOf({ points: { totalEarned, balance, totalRedeemed } }: Schemas['Customer']) {
  const rows = Object.entries({ Balance: balance, Earned: totalEarned, Redeemed: totalRedeemed });
  return rows.map(([title, points]) => [title, figure(points)] as const);
}

/** Returns all entries of a customer, oldest first, and the balance. */
async function ledgerOf(uid: string) {
  let balance = 0;
  const items = await allOf(async (query) => {
    const answer = await api.GET('/ledger/{uid}', { params: { path: { uid }, query } });
    balance = answer.data?.balance ?? balance;
    return answer;
  });
  return { items, balance };
}

/** The entries, newest first, each with the resulting balance. */
function Entries({ entries, balance }: { entries: readonly LedgerEntry[]; balance: number }) {
  if (entries.length === 0) {
    return (
      <Empty title="No ledger entries yet">
        To add points, <a href="/dashboard/simulation?view=triggers">report a payment</a> or change the balance.
      </Empty>
    );
  }
  let sum = 0;
  const booked = entries.map((entry) => {
    const change = entry.kind === 'deduct' ? -entry.points : entry.points;
    sum += change;
    return { entry, change, after: sum };
  });
  return (
    <>
      <BalanceChart balances={booked.map(({ after }) => after)} />
      <table class="entries-table">
        <caption class="unseen">Ledger entries, newest first; they add up to {figure(balance)}</caption>
        <TableHead heads={['Entry', 'Points', 'Balance']} />
        <tbody>
          {booked.toReversed().map(({ entry, change, after }, index) => (
            <tr key={booked.length - index}>
              <td>
                <Reference entry={entry} first={index === booked.length - 1} />
                <span class="quiet">
                  <State state={entry.label} /> <When at={entry.at} />
                </span>
              </td>
              <td>{signed(change)}</td>
              <td>{figure(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The reference of an entry. The control API books every balance it sets with the reference `opening`. */
function Reference({ entry: { kind, reference }, first }: { entry: LedgerEntry; first: boolean }) {
  if (reference === 'opening') return <span>{first ? 'Opening balance' : 'Balance set manually'}</span>;
  const place = kind === 'credit' ? '/dashboard/traffic?q=' : '/dashboard/redemptions/';
  return <a href={place + encodeURIComponent(reference)}>{reference}</a>;
}

/** The editable fields of a profile, with the browser's validation attributes. */
const profileFields = [
  ['name'],
  ['email', { type: 'email' }],
  ['mobileNo', { inputmode: 'tel' }],
  ['dob', { placeholder: '14/08/1991' }],
  ['address1'],
  ['address2'],
  ['city'],
  ['pincode', { inputmode: 'numeric', pattern: '[1-9][0-9]{5}', title: 'six digits' }],
  ['state', { inputmode: 'numeric', pattern: '[1-9][0-9]?', title: 'a number from 1 to 99' }],
  ['cus_type'],
  ['partnerType'],
  ['pan'],
  ['panVerifiedStatus'],
  ['mdate', { placeholder: '14/08/2015' }],
] as readonly (readonly [name: string, attributes?: Record<string, string>])[];
/** The fields that the control API takes as numbers. */
const numeric = ['pincode', 'state'];
const balanceAttributes = { inputmode: 'numeric', pattern: '[0-9]{1,15}', title: 'a whole number of points' };

/** A form that creates or changes a customer. It sends only changed fields. `tell` receives the result. */
export function CustomerForm({ uid, customer, tell }: Pick<CustomerProps, 'uid' | 'customer' | 'tell'>) {
  const [before] = useState(() => draftOf(uid, customer));
  const [{ busy, message, bad }, attempt] = useOutcome();
  const submit = (event: FormSubmission) => {
    event.preventDefault();
    const draft = fieldsOf(event.currentTarget);
    void attempt(async () => {
      tell('');
      tell(customer === undefined ? await make(draft) : await change(customer.uid, touched(before, draft)));
      go(withQuery({ uid: customer?.uid ?? draft.uid, new: undefined, edit: undefined }));
    });
  };
  const field = (name: string, attributes: Record<string, string> = {}) => (
    <Field name={name} label={name} value={before[name]} {...attributes} />
  );
  return (
    <form class="customer-form" onSubmit={submit}>
      {customer === undefined && <p class="quiet">Only the uid is required. Empty fields receive generated values.</p>}
      <div class="editor">
        {customer === undefined && field('uid', { required: 'required', maxlength: '64' })}
        {field('balance', balanceAttributes)}
        {profileFields.map(([name, attributes]) => field(name, attributes))}
      </div>
      <p role="alert" class="problem action-result">
        {bad && message}
      </p>
      <p class="ways">
        <button class="small main" aria-disabled={busy}>
          {customer === undefined ? 'Create customer' : 'Save changes'}
        </button>
        <a href={withQuery({ new: undefined, edit: undefined })}>Cancel</a>
      </p>
    </form>
  );
}

function draftOf(uid: string, customer: Schemas['Customer'] | undefined): Fields {
  if (customer === undefined) return { uid };
  const profile = Object.entries(customer.profile).map(([name, value]) => [name, String(value)]);
  return { uid, balance: String(customer.points.balance), ...Object.fromEntries(profile) };
}

function touched(before: Fields, after: Fields): Fields {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== (before[name] ?? '').trim()));
}

async function make(draft: Fields) {
  const { uid = '', ...rest } = filled(draft);
  await ask(api.POST('/customers', { body: { uid, ...wish(rest) } }));
  return `${uid} was created.`;
}

async function change(uid: string, draft: Fields) {
  const names = Object.keys(draft);
  if (names.length === 0) return 'No changes.';
  await ask(api.PATCH('/customers/{uid}', { params: { path: { uid } }, body: wish(draft) }));
  return `Updated ${uid}: ${names.join(', ')}.`;
}

/** Converts the input to the control API's format. */
function wish({ balance, ...typed }: Fields): Schemas['CustomerChange'] {
  const profile = Object.entries(typed).map(([name, value]) => [name, numeric.includes(name) ? Number(value) : value]);
  return {
    ...(profile.length > 0 && { profile: Object.fromEntries(profile) }),
    ...(balance !== undefined && { points: { balance: Number(balance) } }),
  };
}
