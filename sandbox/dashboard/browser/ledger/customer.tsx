import type { ComponentChildren } from 'preact';
import { allOf, api, type Schemas } from '../api.ts';
import { Facts, figure, State, signed } from '../figures.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem } from '../parts.tsx';
import { withQuery } from '../route.ts';
import { When } from '../times.tsx';
import { BalanceChart } from './balance.tsx';
import { CustomerForm } from './customer-form.tsx';

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
      {customer !== undefined && <Account points={customer.points} />}
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
          <Profile profile={customer.profile} />
        </>
      )}
    </Panel>
  );
}

function Account({ points: { totalEarned, balance, totalRedeemed } }: { points: Schemas['Customer']['points'] }) {
  const rows = Object.entries({ Balance: balance, Earned: totalEarned, Redeemed: totalRedeemed });
  return <Facts look="account" of={rows.map(([title, points]) => [title, figure(points)])} />;
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

function Profile({ profile }: { profile: Schemas['Customer']['profile'] }) {
  const empty = <span class="quiet">empty</span>;
  return <Facts of={Object.entries(profile).map(([field, value]) => [field, value === '' ? empty : value])} />;
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
        <thead>
          <tr>
            <th scope="col">Entry</th>
            <th scope="col">Points</th>
            <th scope="col">Balance</th>
          </tr>
        </thead>
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
