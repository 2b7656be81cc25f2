import { html } from '../html.ts';
import { page } from '../site.ts';
import { inr, kindOf, masthead, picture, points } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Reward, VisitorStanding } from './portal-orders.ts';

/** Most of one reward in one order. */
const mostOfOne = 10;

/** One reward, and how many of it. */
export function rewardPage({ site }: Portal, standing: VisitorStanding, reward: Reward, formKey: string): string {
  const cost = reward.cost(1);
  const main = html`
    <p><a class="back" href="../rewards">All rewards</a></p>
    <article class="reward">
      ${picture(reward)}
      <div>
        <p class="quiet">${kindOf(reward)}</p>
        <h1>${reward.name}</h1>
        <p class="cost"><strong>${points(cost.totalPointWithProcessingFee)}</strong> ${inr(reward.priceInr)}</p>
        <p class="quiet">
          ${
            reward.product_type === 'EGV'
              ? 'Your rewards programme sends you the voucher once it is issued.'
              : `Shipped to an address in India.${cost.processingFee > 0 ? ` Includes ${points(cost.processingFee)} for shipping.` : ''}`
          }
        </p>
        ${reward.available === 0 ? html`<p class="notice">Not available at present.</p>` : chooser(reward, formKey)}
      </div>
    </article>
  `;
  return page(site, { title: reward.name, masthead: masthead('../', standing, 'rewards'), main });
}

function chooser({ sku, available }: Reward, formKey: string) {
  const counts = Array.from({ length: Math.min(mostOfOne, available) }, (_, index) => index + 1);
  return html`
    <form class="chooser" method="get" action="../checkout">
      <input type="hidden" name="form_key" value=${formKey} />
      <input type="hidden" name="sku" value=${sku} />
      <label>
        Quantity
        <select name="quantity">
          ${counts.map((count) => html`<option value=${String(count)}>${count}</option>`)}
        </select>
      </label>
      <button>Redeem</button>
    </form>
  `;
}
