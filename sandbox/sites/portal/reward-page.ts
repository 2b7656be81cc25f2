import { html } from '../html.ts';
import { page } from '../site.ts';
import { art } from './art/art.ts';
import { chip } from './card.ts';
import { afterwards, inr, kindOf, masthead, points } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Reward, VisitorAccount } from './portal-orders.ts';

/** Most of one reward in one order. */
const mostOfOne = 10;

type SignedIn = Extract<VisitorAccount, { kind: 'signed_in' }>;

/** A reward, and what else there is of its brand. */
export interface RewardView {
  readonly reward: Reward;
  /** The reward itself among them; empty where it is in no listing. */
  readonly siblings: readonly Reward[];
  readonly formKey: string;
}

/** One reward, and how many of it. */
export function rewardPage({ site }: Portal, visitor: SignedIn, { reward, siblings, formKey }: RewardView): string {
  const cost = reward.cost(1);
  const main = html`
    <p><a class="back" href="../rewards">All rewards</a></p>
    <article class="reward">
      ${art(reward, 'wide')}
      <div>
        <p class="quiet">${kindOf(reward)}</p>
        <h1>${reward.name}</h1>
        ${siblings.length > 1 && choices(reward, siblings, visitor.points.balance)}
        <p class="cost"><strong>${points(cost.totalPointWithProcessingFee)}</strong> ${inr(reward.priceInr)}</p>
        ${afterwards(cost.totalPointWithProcessingFee, visitor.points.balance)}
        <p class="quiet">
          ${
            reward.product_type === 'EGV'
              ? 'Your rewards programme sends you the voucher once it is issued.'
              : `Shipped to an address in India.${cost.processingFee > 0 ? ` Includes ${points(cost.processingFee)} for shipping.` : ''}`
          }
        </p>
        ${reward.available === 0 ? html`<p class="notice">Currently unavailable.</p>` : chooser(reward, formKey)}
      </div>
    </article>
  `;
  return page(site, { title: reward.name, masthead: masthead('../', visitor, 'rewards'), main });
}

function choices(reward: Reward, siblings: readonly Reward[], balance: number) {
  const label = reward.product_type === 'EGV' ? 'Values' : 'Colours';
  return html`
    <nav aria-label=${label}>
      <ul class="chips">
        ${siblings.map((each) => html`<li>${chip(each, balance, encodeURIComponent(each.sku), each.sku === reward.sku)}</li>`)}
      </ul>
    </nav>
  `;
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
      <button>Continue</button>
    </form>
  `;
}
