import { html } from '../html.ts';
import { points } from './parts.ts';

/** A bar that is filled so far. What it shows stands beside it in words. */
export function bar(part: number, whole: number) {
  const filled = whole === 0 ? 0 : Math.min(100, Math.round((1000 * part) / whole) / 10);
  return html`
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width=${String(filled)} height="1" />
    </svg>
  `;
}

/** What a cost is to a balance: how much of it goes and what is left, or how much is there and what it lacks. */
export function afterwards(cost: number, balance: number) {
  if (cost > balance) {
    const there = Math.floor((100 * balance) / cost);
    return html`
      <div class="reach short">
        <p class="quiet">You have ${there}% of these points, <strong>${points(cost - balance)} to go</strong></p>
        ${bar(balance, cost)}
      </div>
    `;
  }
  const percent = Math.ceil((100 * cost) / Math.max(1, balance));
  return html`
    <div class="reach">
      <p class="quiet">${percent}% of your balance, <strong>you keep ${points(balance - cost)}</strong></p>
      ${bar(cost, balance)}
    </div>
  `;
}
