import { html } from '../html.ts';
import { art } from './art/art.ts';
import { colours } from './art/pictures.ts';
import { type Brand, brandOf } from './brands.ts';
import { inr, kindOf, points } from './parts.ts';
import type { Reward } from './portal-orders.ts';

/** A brand or a product, with a chip for each of its rewards. */
export function card({ name, rewards }: Brand, balance: number) {
  // Not always the first: products of all colours begin with the same one.
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

/** How far it is to the nearest reward of a card that the balance does not reach. */
function nextOf(rewards: readonly Reward[], balance: number) {
  const short = rewards.filter((reward) => reward.available > 0 && costOf(reward) > balance);
  const [nearest] = short.toSorted((one, other) => costOf(one) - costOf(other));
  if (nearest === undefined) return undefined;
  const to = rewards.length === 1 || nearest.product_type === 'PHYSICAL' ? '' : ` for ${inr(nearest.priceInr)}`;
  return html`<p class="note">${points(costOf(nearest) - balance)} to go${to}</p>`;
}

/** What the rewards of a card cost: the least and the most. */
function priceOf(rewards: readonly Reward[]) {
  const costs = rewards.map((reward) => costOf(reward));
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const prices = new Set(rewards.map(({ priceInr }) => priceInr));
  const [price = 0] = prices;
  // Chips of vouchers say what each is worth.
  const worth = prices.size === 1 && html` <span class="quiet">${inr(price)}</span>`;
  return html`<strong>${least === most ? points(most) : `${points(least).replace(/ .*/, '')} to ${points(most)}`}</strong>${worth}`;
}

/** The points that one piece costs. */
export const costOf = (reward: Reward): number => reward.cost(1).totalPointWithProcessingFee;

/** A link to one reward of several: the value of a voucher, or the colour of a product. */
export function chip(reward: Reward, balance: number, href: string, here = false) {
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

/** Why a reward is not to be had at present; undefined where it is. */
export function noteOf(reward: Reward, balance: number): string | undefined {
  if (reward.available === 0) return 'Unavailable';
  const short = costOf(reward) - balance;
  return short > 0 ? `${points(short)} to go` : undefined;
}

function swatch(choice: string) {
  const colour = colours.get(choice.toLowerCase())?.[2];
  if (colour === undefined) return undefined;
  return html`<svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill=${colour} /></svg>`;
}
