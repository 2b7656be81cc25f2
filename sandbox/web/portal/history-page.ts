import { html } from '../html.ts';
import { page } from '../site.ts';
import { badge, inr, masthead, points, when } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Earning, PlacedOrder, PortalRedemption, VisitorStanding } from './portal-orders.ts';

/** What the platform knows of the customer's points. */
export interface Past {
  readonly orders: readonly PlacedOrder[];
  readonly page: number;
  readonly pages: number;
  readonly earned: readonly Earning[];
}

/** Orders and earnings, with the lifecycle labels of the interface. */
export function historyPage({ site }: Portal, standing: VisitorStanding, past: Past): string {
  const main = html`
    <h1>History</h1>
    ${standing.kind === 'known' && account(standing)}
    <h2>Redeemed</h2>
    ${past.orders.length === 0 ? empty() : html`<ul class="entries">${past.orders.flatMap(entries)}</ul>`} ${pager(past)}
    <h2>Earned</h2>
    ${
      past.earned.length === 0
        ? html`<p class="notice">No payment has been reported here yet. Points from elsewhere are in your balance.</p>`
        : html`<ul class="entries">${past.earned.map(earning)}</ul>`
    }
  `;
  return page(site, { title: 'History', masthead: masthead('', standing, 'history'), main });
}

function account({ points: { totalEarned, totalRedeemed } }: Extract<VisitorStanding, { kind: 'known' }>) {
  return html`
    <dl class="account">
      <div><dt>Earned so far</dt><dd>${points(totalEarned)}</dd></div>
      <div><dt>Redeemed so far</dt><dd>${points(totalRedeemed)}</dd></div>
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

function entries({ order_id, at, lines }: PlacedOrder) {
  return lines.map(
    (line) => html`
      <li>
        <a class="entry" href=${`orders/${encodeURIComponent(order_id)}`}>
          <span class="what">
            <strong>${line.name}</strong>
            <span class="quiet">${when(at)} · ${order_id}</span>
            ${line.expired !== null && html`<span class="quiet">Expired on ${when(line.expired)}</span>`}
            ${line.remark !== '' && html`<span class="quiet">Reason: ${line.remark}</span>`}
          </span>
          <span class="amount">${badge(line.state)} <span>${amountOf(line)}</span></span>
        </a>
      </li>
    `,
  );
}

function amountOf({ state, points: { totalPointWithProcessingFee } }: PortalRedemption): string {
  const total = points(totalPointWithProcessingFee);
  return state === 'Reversed' ? `${total} given back` : `−${total}`;
}

function earning({ transactionId, paymentAmount, points: earned }: Earning) {
  return html`
    <li>
      <div class="entry">
        <span class="what">
          <strong>Payment of ${inr(paymentAmount)}</strong>
          <span class="quiet">${transactionId}</span>
        </span>
        <span class="amount"><span class="badge earned">Earned</span> <span>+${points(earned)}</span></span>
      </div>
    </li>
  `;
}

function pager({ page: here, pages }: Past) {
  if (pages <= 1) return undefined;
  return html`
    <nav class="pager" aria-label="Pages">
      ${here > 1 && html`<a class="button quiet" rel="prev" href=${`history?page=${here - 1}`}>Newer</a>`}
      <span>Page ${here} of ${pages}</span>
      ${here < pages && html`<a class="button quiet" rel="next" href=${`history?page=${here + 1}`}>Older</a>`}
    </nav>
  `;
}
