// @ts-check
/** The redemption that was ordered last, drawn small. */
import { amount, State } from '../figures.js';
import { html } from '../html.js';
import { Panel } from '../parts.js';
import { When } from '../times.js';

/** @param {{ orders: readonly import('../api.js').Schemas['PlacedOrder'][] }} given The newest, oldest first. */
export function LastRedemption({ orders }) {
  const placed = orders.at(-1);
  const line = placed?.order.lines.at(0);
  if (placed === undefined || line === undefined) return undefined;
  const ends = { Delivered: 'Delivered', Rejected: 'Rejected' };
  const end = ends[/** @type {keyof typeof ends} */ (line.status)];
  const steps = [
    { name: 'Placed', is: 'done' },
    { name: 'With vendor', is: end === undefined ? 'now' : 'done' },
    { name: end ?? 'Delivered', is: end === undefined ? '' : end === 'Rejected' ? 'failed' : 'done' },
  ];
  return html`
    <${Panel} title="Last redemption" aside=${html`<a href="/dashboard/redemptions">All redemptions</a>`}>
      <p class="head">
        <a href=${`/dashboard/redemptions/${encodeURIComponent(line.redeemCode)}`}>${line.product_name}</a>
        <${State} state=${line.status} />
      </p>
      <ol class="small-steps">${steps.map(({ name, is }) => html`<li class=${is}>${name}</li>`)}</ol>
      <p class="quiet">${amount(line.points.totalPointWithProcessingFee)}, ${placed.uid}, <${When} at=${placed.order.created_at} /></p>
    <//>
  `;
}
