// @ts-check
import { allOf, api } from '../api.js';
import { figure, State, signed } from '../figures.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Empty, Panel, Problem } from '../parts.js';
import { withQuery } from '../route.js';
import { When } from '../times.js';
import { BalanceChart } from './balance-chart.js';
import { CustomerForm } from './customer-form.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['LedgerEntry']} LedgerEntry
 */

/**
 * A customer with the ledger that the reference client keeps. `customer` is undefined for one who is in no listing.
 * @param {{ uid: string, customer: Schemas['Customer'] | undefined, edit: boolean, close: unknown, tell: (text: string) => void }} given
 */
export function Customer({ uid, customer, edit, close, tell }) {
  const { data, failure } = useFresh(() => ledgerOf(uid), [uid]);
  const name = encodeURIComponent(uid);
  // What stands below the ledger would be pushed down by it.
  const waits = data === undefined && failure === undefined;
  if (failure?.status === 404) {
    return html`
      <${Panel} title=${uid} aside=${close}>
        <${Empty} title="Customer not found"><a href=${withQuery({ uid: undefined, new: uid })}>Create customer</a><//>
      <//>
    `;
  }
  return html`
    <${Panel} title=${uid} aside=${close} waits=${waits}>
      ${failure && html`<${Problem} failure=${failure} />`}
      ${customer === undefined && html`<p class="notice hint">Lists do not include this customer, as with all magic customers. The ledger is available all the same.</p>`}
      ${customer !== undefined && html`<${Account} points=${customer.points} />`}
      <p class="ways">
        ${customer !== undefined && !edit && html`<a class="button small" href=${withQuery({ edit: 1 })}>Edit customer</a>`}
        <a href=${`/dashboard/ledger?view=orders&q=${name}`}>Orders</a>
        <a href=${`/dashboard/outbox?uid=${name}`}>Outbox</a>
        <a href=${`/dashboard/traffic?q=${name}`}>Traffic</a>
      </p>
      ${edit && customer !== undefined && html`<${CustomerForm} uid=${uid} customer=${customer} tell=${tell} />`}
      <h3>Ledger</h3>
      ${data !== undefined && html`<${Entries} entries=${data.items} balance=${data.balance} />`}
      ${customer !== undefined && !waits && html`<h3>Profile</h3><${Profile} profile=${customer.profile} />`}
    <//>
  `;
}

/** @param {{ points: Schemas['Customer']['points'] }} given */
function Account({ points: { totalEarned, balance, totalRedeemed } }) {
  const rows = /** @type {const} */ ([
    ['Balance', balance],
    ['Earned', totalEarned],
    ['Redeemed', totalRedeemed],
  ]);
  return html`
    <dl class="account">${rows.map(([title, points]) => html`<div><dt>${title}</dt><dd>${figure(points)}</dd></div>`)}</dl>
  `;
}

/**
 * A customer's entries from the first on, and the balance.
 * @param {string} uid
 */
async function ledgerOf(uid) {
  let balance = 0;
  const items = await allOf(async (query) => {
    const answer = await api.GET('/ledger/{uid}', { params: { path: { uid }, query } });
    balance = answer.data?.balance ?? balance;
    return answer;
  });
  return { items, balance };
}

/** @param {{ profile: Schemas['Customer']['profile'] }} given */
function Profile({ profile }) {
  return html`
    <dl class="facts">
      ${Object.entries(profile).map(([field, value]) => html`<div><dt>${field}</dt><dd>${value === '' ? html`<span class="quiet">empty</span>` : value}</dd></div>`)}
    </dl>
  `;
}

/**
 * The entries, the newest first, each with the balance that it led to.
 * @param {{ entries: readonly LedgerEntry[], balance: number }} given
 */
function Entries({ entries, balance }) {
  if (entries.length === 0) {
    return html`<${Empty} title="No ledger entries yet">To add points, <a href="/dashboard/simulation?view=triggers">report a payment</a> or change the balance.<//>`;
  }
  let sum = 0;
  const booked = entries.map((entry) => {
    const change = entry.kind === 'deduct' ? -entry.points : entry.points;
    sum += change;
    return { entry, change, after: sum };
  });
  return html`
    <${BalanceChart} balances=${booked.map(({ after }) => after)} />
    <table class="entries-table">
      <caption class="unseen">Ledger entries, newest first; they add up to ${figure(balance)}</caption>
      <thead><tr><th scope="col">Entry</th><th scope="col">Points</th><th scope="col">Balance</th></tr></thead>
      <tbody>
        ${booked.toReversed().map(
          ({ entry, change, after }, index) => html`
            <tr key=${booked.length - index}>
              <td>
                <${Reference} entry=${entry} first=${index === booked.length - 1} />
                <span class="quiet"><${State} state=${entry.label} /> <${When} at=${entry.at} /></span>
              </td>
              <td>${signed(change)}</td>
              <td>${figure(after)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

/**
 * What an entry was booked for. The control API books each balance that it is given as an opening one.
 * @param {{ entry: LedgerEntry, first: boolean }} given
 */
function Reference({ entry: { kind, reference }, first }) {
  if (reference === 'opening') return html`<span>${first ? 'Opening balance' : 'Balance set manually'}</span>`;
  const place = kind === 'credit' ? '/dashboard/traffic?q=' : '/dashboard/redemptions/';
  return html`<a href=${place + encodeURIComponent(reference)}>${reference}</a>`;
}
