import { html } from '../html.ts';
import { page } from '../site.ts';
import type { Brand } from './brands.ts';
import { card } from './card.ts';
import { masthead, points } from './parts.ts';
import type { Portal } from './portal.ts';
import type { VisitorStanding } from './portal-orders.ts';

/** What the visitor looks for, and what there is of it. */
export interface Shelf {
  readonly type: '' | 'egv' | 'physical';
  readonly q: string;
  readonly page: number;
  readonly pages: number;
  /** How many rewards there are, on however many cards. */
  readonly total: number;
  readonly cards: readonly Brand[];
}

type Known = Extract<VisitorStanding, { kind: 'known' }>;

/** Who the customer is, and the rewards. */
export function cataloguePage({ site }: Portal, standing: Known, shelf: Shelf): string {
  const { profile, points: account } = standing;
  const main = html`
    <section class="welcome">
      <h1>Hello ${profile.name}</h1>
      <dl class="account">
        <div><dt>Earned so far</dt><dd>${points(account.totalEarned)}</dd></div>
        <div><dt>Redeemed so far</dt><dd>${points(account.totalRedeemed)}</dd></div>
        <div><dt>Signed in as</dt><dd>${profile.uid}</dd></div>
      </dl>
    </section>
    <h2 id="shelf">Rewards</h2>
    ${filter(shelf)} ${shelf.cards.length === 0 ? nothing(shelf) : grid(shelf, account.balance)} ${pager(shelf)}
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

function grid({ cards, total }: Shelf, balance: number) {
  return html`
    <p class="quiet">${total === 1 ? '1 reward' : `${total} rewards`}</p>
    <ul class="shelf">
      ${cards.map((each) => card(each, balance))}
    </ul>
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
