import { html, page } from '../site.ts';
import { art } from './art/art.ts';
import { badge, explanation, masthead, points, taxAndFee, when } from './parts.ts';
import type { PlacedOrder, Portal, PortalRedemption, State, VisitorAccount } from './portal.ts';

/** Interval in seconds at which a browser without JavaScript reloads the page. */
const reload = 3;

/** Returns a token for the state of an order. A page sends it back to wait for a different state. */
export function standingOf({ lines }: PlacedOrder): string {
  return lines.map(({ state }) => state).join(' ');
}

const headings: Record<State, string> = {
  Pending: 'Order placed',
  Redeemed: 'Delivered',
  Reversing: 'Order rejected',
  Reversed: 'Order rejected',
  Stuck: 'Order rejected',
};

/** Returns the page's heading. It depends on the first line only, because most orders have one line. */
function headingOf({ lines: [first] }: PlacedOrder): string {
  if (first?.cancelled) return 'Order cancelled';
  return headings[first?.state ?? 'Pending'];
}

/** Renders the current state of an order. The page updates itself until the order is final. */
export function orderPage({ site }: Portal, visitor: VisitorAccount, order: PlacedOrder): string {
  const live = order.lines.some(({ state }) => state !== 'Redeemed' && state !== 'Reversed');
  const heading = headingOf(order);
  const main = html`
    <p><a class="back" href="../history">All orders</a></p>
    <section class="panel result" data-follow=${live ? standingOf(order) : undefined} aria-live="polite">
      <div>
        <h1>${heading}</h1>
        <p class="quiet">Order ${order.order_id} · ${when(order.at)}</p>
      </div>
      ${order.lines.map(redemption)}
      ${
        live &&
        html`<p class="quiet follow"><span class="pulse" aria-hidden="true"></span> This page updates automatically.</p>
          <noscript><p class="quiet">This page reloads every few seconds. <a href="">Reload now</a></p></noscript>`
      }
      ${order.lines.some(({ state }) => state === 'Pending') && cancelForm(order)}
    </section>
    <p><a class="button" href="../rewards">Back to rewards</a></p>
  `;
  return page(site, { title: heading, masthead: masthead('../', visitor), main, ...(live && { reload }) });
}

function cancelForm({ order_id }: PlacedOrder) {
  return html`
    <form method="post" action=${`${encodeURIComponent(order_id)}/cancel`}>
      <button class="quiet" data-once>Cancel order</button>
    </form>
  `;
}

function redemption(line: PortalRedemption) {
  const total = points(line.points.totalPointWithProcessingFee);
  return html`
    <article class="redemption">
      <p class="ordered">
        ${art(line, 'square')}
        <span><strong>${line.name}</strong> <span class="quiet">Quantity ${line.quantity}</span></span>
        ${badge(line.state, line.state === 'Redeemed' ? 'Delivered' : undefined)}
      </p>
      ${stepper(line)}
      <p>${explanation(line)}</p>
      ${line.remark !== '' && html`<p class="remark">Reason: ${line.remark}</p>`}
      <dl class="facts">
        ${line.address !== null && html`<div><dt>${line.state === 'Redeemed' ? 'Shipped to' : 'Ships to'}</dt><dd class="address">${line.address}</dd></div>`}
        <div><dt>Points</dt><dd>${total}${line.state === 'Reversed' && ' refunded'}${taxAndFee(line.points)}</dd></div>
        <div><dt>Redemption code</dt><dd><code>${line.redeemCode}</code></dd></div>
      </dl>
    </article>
  `;
}

/** The progress of a step. `failed` marks an unsuccessful end. */
type StepState = 'done' | 'now' | 'ahead' | 'failed';

/** The names of the states for screen readers. */
const said: Record<StepState, string> = { done: 'done', now: 'now', ahead: 'to come', failed: 'ended here' };

/** Returns the steps of a redemption, each with its progress. */
export function stepsOf({ state, cancelled }: Pick<PortalRedemption, 'state' | 'cancelled'>): [string, StepState][] {
  const end = [cancelled ? 'Cancelled' : 'Rejected', 'failed'] satisfies [string, StepState];
  const later: Record<State, [string, StepState][]> = {
    Pending: [
      ['With vendor', 'now'],
      ['Delivered', 'ahead'],
    ],
    Redeemed: [
      ['With vendor', 'done'],
      ['Delivered', 'done'],
    ],
    Reversing: [end, ['Points refunded', 'now']],
    Stuck: [end, ['Points refunded', 'ahead']],
    Reversed: [end, ['Points refunded', 'done']],
  };
  return [['Placed', 'done'], ...later[state]];
}

const marks: Record<StepState, string> = {
  done: 'M4.500 8.500l2.500 2.500 4.500-5.500',
  now: 'M6 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  ahead: '',
  failed: 'M5.500 5.500l5 5M10.500 5.500l-5 5',
};

/** Renders the steps of a redemption and highlights the current one. */
function stepper(line: Pick<PortalRedemption, 'state' | 'cancelled'>) {
  return html`
    <ol class="stepper">
      ${stepsOf(line).map(
        ([name, state]) => html`
          <li class=${state} aria-current=${state === 'now' ? 'step' : undefined}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7" /><path d=${marks[state]} /></svg>
            <span>${name}<span class="unseen"> (${said[state]})</span></span>
          </li>
        `,
      )}
    </ol>
  `;
}
