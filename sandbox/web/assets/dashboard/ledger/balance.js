// @ts-check
import { amount } from '../figures.js';
import { html } from '../html.js';
import { Panel, Time } from '../parts.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['BalanceDifference']} Difference
 * @typedef {NonNullable<Schemas['BalanceChange']['mistake']>} Mistake
 */

/** Why nobody can say whether a balance is right. @type {Readonly<Record<NonNullable<Difference['reason']>, string>>} */
const reasons = {
  unanswered: 'Your server has not answered a change of this balance yet.',
  not_read: 'The balance has not been read since these changes. Read balances.',
  no_read_before: 'The balance was read for the first time after these changes, so nobody knows what they did.',
  pending: 'Points came back while a redemption is Pending. Once it has ended the sandbox can tell.',
  unexplained: 'The balance moved by points that these changes do not explain, as it does by payments outside.',
};

/** What a server may have done. @type {Readonly<Record<Mistake, string>>} */
const mistakes = {
  deducted_twice: 'deducted twice',
  not_deducted: 'not deducted',
  deducted_without_fee: 'deducted without the fee',
  deducted_though_refused: 'deducted although refused',
  not_reversed: 'not given back',
  reversed_without_fee: 'given back without the fee',
  reversed_twice: 'given back twice',
  not_credited: 'not credited',
  credited_twice: 'credited twice',
};

/**
 * A customer's balance at the user's own server that differs, or of which nobody knows whether it does.
 * @param {{ difference: Difference }} given
 */
export function Balance({ difference: { uid, kind, reason, difference, balance, read_at, changes } }) {
  const differs = kind === 'balance_differs';
  return html`
    <${Panel} title=${uid} aside=${html`<span class=${`badge ${differs ? 'reversed' : 'stuck'}`}>${differs ? 'balance differs' : 'unknown'}</span>`}>
      <p>${reason === null ? 'The balance is not what your server’s own answers make it.' : reasons[reason]} ${paid(difference)}</p>
      <dl class="facts">
        <div><dt>Balance</dt><dd>${balance === null ? 'not read yet' : amount(balance)}</dd></div>
        ${read_at !== null && html`<div><dt>Told at</dt><dd><${Time} at=${read_at} /></dd></div>`}
      </dl>
      <h3>${differs ? 'What may be the cause' : 'Changes in question'}</h3>
      <ul>
        ${changes.map((change, index) => html`<li key=${index}><${Change} change=${change} /></li>`)}
      </ul>
    <//>
  `;
}

/** @param {{ change: Schemas['BalanceChange'] }} given */
function Change({ change: { kind, reference, points, mistake } }) {
  const told = `${kind.replace('_', ' ')} of ${amount(points)}${mistake === null ? '' : `: ${mistakes[mistake]}?`}`;
  if (kind === 'credit') return html`<code>${reference}</code> ${told}`;
  return html`<a href=${`/dashboard/redemptions/${encodeURIComponent(reference)}`}>${reference}</a> ${told}`;
}

/** @param {number | null} difference */
function paid(difference) {
  if (difference === null) return '';
  return `The customer has paid ${amount(Math.abs(difference))} too ${difference > 0 ? 'much' : 'little'}.`;
}
