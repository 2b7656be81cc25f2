import { html, page } from '../site.ts';
import { art, colours } from './art/art.ts';
import { afterwards, type Brand, brandOf, inr, kindOf, masthead, points } from './parts.ts';
import type { Portal, Reward, SignedIn } from './portal.ts';

/** Renders a card for a brand or product, with a chip for each of its rewards. */
export function card({ name, rewards }: Brand, balance: number) {
  // Vary the pictured colour: all products list the same colour first.
  const pictured = rewards[name.length % rewards.length] as Reward;
  return html`
    <li class="card">
      ${art(pictured, 'wide')}
      <div class="what">
        <strong>${name}</strong>
        <span class="quiet">${kindOf(pictured)}</span>
      </div>
      <p class="price">${priceOf(rewards)}</p>
      <ul class="chips">
        ${rewards.map((reward) => html`<li>${chip(reward, balance, `rewards/${encodeURIComponent(reward.sku)}`)}</li>`)}
      </ul>
      ${nextOf(rewards, balance)}
    </li>
  `;
}

/** Renders the number of points missing for the cheapest available reward beyond the balance. */
function nextOf(rewards: readonly Reward[], balance: number) {
  const short = rewards.filter((reward) => reward.available > 0 && costOf(reward) > balance);
  const [nearest] = short.toSorted((one, other) => costOf(one) - costOf(other));
  if (nearest === undefined) return undefined;
  const to = rewards.length === 1 || nearest.product_type === 'PHYSICAL' ? '' : ` for ${inr(nearest.priceInr)}`;
  return html`<p class="note">${points(costOf(nearest) - balance)} to go${to}</p>`;
}

/** Renders the price range of a card's rewards. */
function priceOf(rewards: readonly Reward[]) {
  const costs = rewards.map((reward) => costOf(reward));
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const prices = new Set(rewards.map(({ priceInr }) => priceInr));
  const [price = 0] = prices;
  // The chips of vouchers already show their values.
  const worth = prices.size === 1 && html` <span class="quiet">${inr(price)}</span>`;
  return html`<strong>${least === most ? points(most) : `${points(least).replace(/ .*/, '')} to ${points(most)}`}</strong>${worth}`;
}

/** Returns the points that one unit costs. */
export const costOf = (reward: Reward): number => reward.cost(1).totalPointWithProcessingFee;

/** Renders a link to one of several rewards: a voucher's value or a product's colour. */
function chip(reward: Reward, balance: number, href: string, here = false) {
  const { choice } = brandOf(reward);
  const kind = reward.product_type === 'PHYSICAL' && choice !== '' ? choice : inr(reward.priceInr);
  const note = noteOf(reward, balance);
  return html`
    <a class=${note === undefined ? 'chip' : 'chip short'} href=${href} aria-current=${here ? 'true' : undefined}>
      ${reward.product_type === 'PHYSICAL' && swatch(choice)}
      <span>${kind}</span>
      <span class="unseen">${[reward.name, points(costOf(reward)), ...(note === undefined ? [] : [note])].join(', ')}</span>
    </a>
  `;
}

/** Returns why a reward is out of reach; `undefined` if it is not. */
function noteOf(reward: Reward, balance: number): string | undefined {
  if (reward.available === 0) return 'Unavailable';
  const short = costOf(reward) - balance;
  return short > 0 ? `${points(short)} to go` : undefined;
}

function swatch(choice: string) {
  const colour = colours.get(choice.toLowerCase())?.[2];
  if (colour === undefined) return undefined;
  return html`<svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill=${colour} /></svg>`;
}

/** Maximum quantity of a reward in one order. */
const mostOfOne = 10;

/** A reward and the other rewards of its brand. */
interface RewardView {
  readonly reward: Reward;
  /** All rewards of the brand, including this one; empty if the reward is in no listing. */
  readonly siblings: readonly Reward[];
  readonly formKey: string;
}

/** Renders a reward with a form for the quantity. */
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
