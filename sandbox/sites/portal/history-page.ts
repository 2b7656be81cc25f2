import { html, notice, page } from '../site.ts';
import { art } from './art/art.ts';
import { badge, inr, masthead, points, totals, when } from './parts.ts';
import type {
  Earning,
  Happening,
  HistoryPart,
  PlacedOrder,
  Portal,
  PortalRedemption,
  VisitorAccount,
} from './portal.ts';

/** A page of the customer's history. */
interface Past extends Pick<HistoryPart, 'ordered' | 'earned'> {
  /** The rows of this page. */
  readonly rows: readonly Row[];
  readonly isNewest: boolean;
  /** The cursor of older rows; `undefined` if there are none. */
  readonly older: string | undefined;
}

/** Renders redemptions and payments with the lifecycle labels of the interface. */
export function historyPage({ site }: Portal, visitor: VisitorAccount, past: Past): string {
  const { rows, ordered, earned } = past;
  const main = html`
    <section class="welcome">
      <h1>History</h1>
      ${visitor.kind === 'signed_in' && totals(visitor.points)}
    </section>
    ${!ordered && notice(undefined, 'You have not redeemed anything yet.', ['rewards', 'Choose a reward'])}
    ${rows.length > 0 && html`<ul class="entries">${rows.map(entry)}</ul>`} ${pager(past)}
    <p class="quiet">
      ${!earned && 'No payments have been reported yet. '}${
        visitor.kind === 'signed_in' && rows.length > 0 && 'Running balances are calculated from your current balance. '
      }Points earned elsewhere are included in your balance but not listed.
    </p>
  `;
  return page(site, { title: 'History', masthead: masthead('', visitor, 'history'), main });
}

function entry(row: Row) {
  const left = row.left !== undefined && html`<span class="left quiet">${points(row.left)} left</span>`;
  return row.kind === 'earned' ? earning(row.earning, left) : redeemed(row.order, row.line, left);
}

function redeemed({ order_id, at }: PlacedOrder, line: PortalRedemption, left: unknown) {
  const total = points(line.points.totalPointWithProcessingFee);
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
        <span class="amount">${badge(line.state)} <span>${line.state === 'Reversed' ? `${total} refunded` : `−${total}`}</span> ${left}</span>
      </a>
    </li>
  `;
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

/** A row of the history: a redemption or a payment, with the resulting balance if available. */
type Row = { readonly left: number | undefined } & (Redeemed | Extract<Happening, { kind: 'earned' }>);

/**
 * Returns redemptions and payments, newest first, each with the resulting balance, and the balance before the oldest
 * one. Balances are computed backwards from the newest one, and are `undefined` without it. Refunded redemptions and
 * pending credits do not change the balance (OP-185).
 */
export function statementOf(happened: readonly Happening[], balance: number | undefined) {
  let left = balance;
  /** Returns a row with the balance after it, and sets `left` to the balance before it. */
  const withBalance = <T extends object>(row: T, change: number) => {
    const before = left;
    if (left !== undefined) left -= change;
    return { ...row, left: before };
  };
  const rows = happened.flatMap((one): Row[] => {
    if (one.kind === 'earned') return [withBalance(one, one.earning.credited ? one.earning.points : 0)];
    return one.order.lines.map((line) =>
      withBalance({ ...one, line }, line.state === 'Reversed' ? 0 : -line.points.totalPointWithProcessingFee),
    );
  });
  return { rows, left };
}
