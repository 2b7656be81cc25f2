import { html } from '../html.ts';
import { page } from '../site.ts';
import { inr, kindOf, masthead, picture, points } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Reward, VisitorStanding } from './portal-orders.ts';

/** What the visitor looks for, and what there is of it. */
export interface Shelf {
  readonly type: '' | 'egv' | 'physical';
  readonly q: string;
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly items: readonly Reward[];
}

type Known = Extract<VisitorStanding, { kind: 'known' }>;

/** Who the customer is, and the rewards. */
export function cataloguePage({ site }: Portal, standing: Known, shelf: Shelf): string {
  const { profile, points: account } = standing;
  const main = html`
    <section class="welcome">
      <h1>Hello ${profile.name}</h1>
      <dl class="account">
        <div><dt>Balance</dt><dd>${points(account.balance)}</dd></div>
        <div><dt>Earned so far</dt><dd>${points(account.totalEarned)}</dd></div>
        <div><dt>Redeemed so far</dt><dd>${points(account.totalRedeemed)}</dd></div>
        <div><dt>Signed in as</dt><dd>${profile.uid}</dd></div>
      </dl>
    </section>
    <h2 id="shelf">Rewards</h2>
    ${filter(shelf)} ${shelf.items.length === 0 ? nothing(shelf) : grid(shelf, account.balance)} ${pager(shelf)}
  `;
  return page(site, { title: 'Rewards', masthead: masthead('', standing, 'rewards'), main });
}

const kinds = [
  ['', 'All'],
  ['egv', 'Gift vouchers'],
  ['physical', 'Products'],
] as const;

function filter({ type, q }: Shelf) {
  return html`
    <form class="filter" method="get" action="rewards" role="search" aria-label="Rewards">
      <fieldset>
        <legend class="unseen">Kind</legend>
        ${kinds.map(
          ([value, label]) => html`
            <label class="choice">
              <input type="radio" name="type" value=${value} checked=${value === type} />
              <span>${label}</span>
            </label>
          `,
        )}
      </fieldset>
      <label class="search">
        <span class="unseen">Search by name</span>
        <input type="search" name="q" value=${q} maxlength="200" placeholder="Search by name" />
      </label>
      <button>Show</button>
    </form>
  `;
}

function grid({ items, total }: Shelf, balance: number) {
  return html`
    <p class="quiet">${total === 1 ? '1 reward' : `${total} rewards`}</p>
    <ul class="shelf">
      ${items.map((item) => card(item, balance))}
    </ul>
  `;
}

function card(item: Reward, balance: number) {
  const cost = item.cost(1).totalPointWithProcessingFee;
  const short = cost - balance;
  const note = item.available === 0 ? 'Not available' : short > 0 ? `${points(short)} to go` : undefined;
  return html`
    <li>
      <a class="card" href=${`rewards/${encodeURIComponent(item.sku)}`}>
        ${picture(item)}
        <span class="what">
          <strong>${item.name}</strong>
          <span class="quiet">${kindOf(item)}</span>
        </span>
        <span class="price">
          <strong>${points(cost)}</strong>
          <span class="quiet">${inr(item.priceInr)}</span>
          ${note && html`<span class="note">${note}</span>`}
        </span>
      </a>
    </li>
  `;
}

function nothing({ q }: Shelf) {
  return html`
    <section class="notice">
      <p>${q === '' ? 'There is nothing of this kind.' : `Nothing matches “${q}”.`}</p>
      <p><a class="button" href="rewards">Show all rewards</a></p>
    </section>
  `;
}

function pager({ type, q, page: here, pages }: Shelf) {
  if (pages <= 1) return undefined;
  const to = (number: number) => `rewards?${new URLSearchParams({ type, q, page: String(number) })}`;
  return html`
    <nav class="pager" aria-label="Pages">
      ${here > 1 && html`<a class="button quiet" rel="prev" href=${to(here - 1)}>Previous</a>`}
      <span>Page ${here} of ${pages}</span>
      ${here < pages && html`<a class="button quiet" rel="next" href=${to(here + 1)}>Next</a>`}
    </nav>
  `;
}
