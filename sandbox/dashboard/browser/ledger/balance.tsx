// @ts-check
import { amount } from '../figures.js';
import { html } from '../html.js';
import { Panel } from '../parts.js';
import { Time } from '../times.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['BalanceDifference']} Difference
 * @typedef {NonNullable<Schemas['BalanceChange']['mistake']>} Mistake
 */

/** Why nobody can say whether a balance is right. @type {Readonly<Record<NonNullable<Difference['reason']>, string>>} */
const reasons = {
  unanswered: 'Your server has not responded to a change of this balance yet.',
  not_read: 'The balance has not been read since these changes. Check balances.',
  no_read_before: 'The balance was first read after these changes, so their effect is unknown.',
  pending: 'Points were refunded while a redemption is Pending. The sandbox can tell once it has a final status.',
  unexplained: 'These changes do not explain the balance. Payments outside the sandbox may.',
};

/** What a server may have done. @type {Readonly<Record<Mistake, string>>} */
const mistakes = {
  deducted_twice: 'deducted twice',
  not_deducted: 'not deducted',
  deducted_without_fee: 'deducted without the fee',
  deducted_though_refused: 'deducted although refused',
  not_reversed: 'not refunded',
  reversed_without_fee: 'refunded without the fee',
  reversed_twice: 'refunded twice',
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
      <p>${reason === null ? 'The balance does not match your server’s own responses.' : reasons[reason]} ${paid(difference)}</p>
      <dl class="facts">
        <div><dt>Balance</dt><dd>${balance === null ? 'not read yet' : amount(balance)}</dd></div>
        ${read_at !== null && html`<div><dt>Read at</dt><dd><${Time} at=${read_at} /></dd></div>`}
      </dl>
      <h3>${differs ? 'Possible causes' : 'Unverified changes'}</h3>
      <ul>
        ${changes.map((change, index) => html`<li key=${index}><${Change} change=${change} /></li>`)}
      </ul>
    <//>
  `;
}

/** @param {{ change: Schemas['BalanceChange'] }} given */
function Change({ change: { kind, reference, points, mistake } }) {
  const text = `${kind.replace('_', ' ')} of ${amount(points)}${mistake === null ? '' : `: ${mistakes[mistake]}?`}`;
  if (kind === 'credit') return html`<code>${reference}</code> ${text}`;
  return html`<a href=${`/dashboard/redemptions/${encodeURIComponent(reference)}`}>${reference}</a> ${text}`;
}

/** @param {number | null} difference */
function paid(difference) {
  if (difference === null) return '';
  return `The customer paid ${amount(Math.abs(difference))} too ${difference > 0 ? 'much' : 'little'}.`;
}
