import { html } from '../html.ts';
import { page } from '../site.ts';
import { art } from './art/art.ts';
import { badge, inr, masthead, points, when } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Earning, Happening, PlacedOrder, PortalRedemption, VisitorAccount } from './portal-orders.ts';

/** A page of the customer's history. */
interface Past {
  /** The rows of this page. */
  readonly rows: readonly Row[];
  readonly isNewest: boolean;
  /** The cursor of older rows; `undefined` if there are none. */
  readonly older: string | undefined;
  readonly ordered: boolean;
  readonly earned: boolean;
}

/** Renders redemptions and payments with the lifecycle labels of the interface. */
export function historyPage({ site }: Portal, visitor: VisitorAccount, past: Past): string {
  const { rows, ordered, earned } = past;
  const main = html`
    <section class="welcome">
      <h1>History</h1>
      ${visitor.kind === 'signed_in' && account(visitor)}
    </section>
    ${!ordered && empty()}
    ${rows.length > 0 && html`<ul class="entries">${rows.map(entry)}</ul>`} ${pager(past)}
    <p class="quiet">
      ${!earned && 'No payments have been reported yet. '}${
        visitor.kind === 'signed_in' && rows.length > 0 && 'Running balances are calculated from your current balance. '
      }Points earned elsewhere are included in your balance but not listed.
    </p>
  `;
  return page(site, { title: 'History', masthead: masthead('', visitor, 'history'), main });
}

function account({ points: { totalEarned, totalRedeemed } }: Extract<VisitorAccount, { kind: 'signed_in' }>) {
  return html`
    <dl class="figures">
      <div><dt>Total earned</dt><dd>${points(totalEarned)}</dd></div>
      <div><dt>Total redeemed</dt><dd>${points(totalRedeemed)}</dd></div>
    </dl>
  `;
}

function empty() {
  return html`
    <section class="notice">
      <p>You have not redeemed anything yet.</p>
      <p><a class="button" href="rewards">Choose a reward</a></p>
    </section>
  `;
}

function entry(row: Row) {
  const left = row.left !== undefined && html`<span class="left quiet">${points(row.left)} left</span>`;
  if (row.kind === 'earned') return earning(row.earning, left);
  return redeemed(row.order, row.line, left);
}

function redeemed({ order_id, at }: PlacedOrder, line: PortalRedemption, left: unknown) {
  return html`
    <li>
      <a class="entry" href=${`orders/${encodeURIComponent(order_id)}`}>
        ${art(line, 'square')}
        <span class="what">
          <strong>${line.name}</strong>
          <span class="quiet">${when(at)} · <span class="whole">${order_id}</span></span>
          ${line.expired !== null && html`<span class="quiet">Expired on ${when(line.expired)}</span>`}
          ${line.remark !== '' && html`<span class="quiet">Reason: ${line.remark}</span>`}
        </span>
        <span class="amount">${badge(line.state)} <span>${amountOf(line)}</span> ${left}</span>
      </a>
    </li>
  `;
}

function amountOf({ state, points: { totalPointWithProcessingFee } }: PortalRedemption): string {
  const total = points(totalPointWithProcessingFee);
  return state === 'Reversed' ? `${total} refunded` : `−${total}`;
}

function earning({ transactionId, paymentAmount, points: earned, credited, at }: Earning, left: unknown) {
  return html`
    <li>
      <div class="entry">
        <svg class="art square earned" viewBox="0 0 32 32" aria-hidden="true"><path d="M16 8v16M8 16h16" /></svg>
        <span class="what">
          <strong>Payment of ${inr(paymentAmount)}</strong>
          <span class="quiet">${when(at)} · ${transactionId}</span>
          ${!credited && html`<span class="quiet">Not in your balance yet</span>`}
        </span>
        <span class="amount"><span class="badge earned">Earned</span> <span>+${points(earned)}</span> ${left}</span>
      </div>
    </li>
  `;
}

function pager({ isNewest, older }: Past) {
  if (isNewest && older === undefined) return undefined;
  return html`
    <nav class="pager" aria-label="Pages">
      ${!isNewest && html`<a class="button quiet" href="history">Newest</a>`}
      ${older !== undefined && html`<a class="button quiet" rel="next" href=${`history?before=${older}`}>Older</a>`}
    </nav>
  `;
}

type Redeemed = { readonly kind: 'redeemed'; readonly order: PlacedOrder; readonly line: PortalRedemption };
type Earned = { readonly kind: 'earned'; readonly earning: Earning };

/** A row of the history: a redemption or a payment, with the resulting balance if available. */
type Row = { readonly left: number | undefined } & (Redeemed | Earned);

/** The rows of the history, newest first, and the balance before the oldest one, if available. */
interface Statement {
  readonly rows: readonly Row[];
  readonly left: number | undefined;
}

/**
 * Returns redemptions and payments, newest first, each with the resulting balance. Balances are computed backwards from
 * the newest one, and are `undefined` without it. Refunded redemptions and pending credits do not change the balance
 * (OP-185).
 */
export function statementOf(happened: readonly Happening[], balance: number | undefined): Statement {
  let left = balance;
  const rows = happened.flatMap(rowsOf).map((row) => {
    const dated = { ...row, left };
    if (left !== undefined) left -= changeOf(row);
    return dated;
  });
  return { rows, left };
}

function rowsOf(happened: Happening): (Redeemed | Earned)[] {
  if (happened.kind === 'earned') return [happened];
  const { kind, order } = happened;
  return order.lines.map((line) => ({ kind, order, line }));
}

/** Returns the effect of a row on the current balance. */
function changeOf(row: Redeemed | Earned): number {
  if (row.kind === 'earned') return row.earning.credited ? row.earning.points : 0;
  return row.line.state === 'Reversed' ? 0 : -row.line.points.totalPointWithProcessingFee;
}
