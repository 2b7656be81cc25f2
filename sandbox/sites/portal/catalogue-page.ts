import { html, notice, page } from '../site.ts';
import { type Brand, bar, masthead, totals } from './parts.ts';
import type { Portal, SignedIn } from './portal.ts';
import { card } from './reward-page.ts';

/** The visitor's search. */
interface Wanted {
  readonly type: '' | 'egv' | 'physical';
  readonly q: string;
  readonly within: '' | 'balance';
  readonly page: number;
}

/** The visitor's search and its results. */
interface Shelf extends Wanted {
  readonly pages: number;
  /** Number of rewards that match, of rewards that the page examined, and of examined rewards within the balance. */
  readonly total: number;
  readonly looked: number;
  readonly reached: number;
  readonly cards: readonly Brand[];
}

/** Renders the customer's name and balance, and the rewards. */
export function cataloguePage({ site }: Portal, visitor: SignedIn, shelf: Shelf): string {
  const { profile, points: account } = visitor;
  const main = html`
    <section class="welcome">
      <div>
        <h1>Hello ${profile.name}</h1>
        <p class="quiet">Signed in as ${profile.uid}</p>
      </div>
      ${totals(account)}
    </section>
    <h2 class="unseen">Rewards</h2>
    ${filter(shelf)} ${shelf.total > 0 && reach(shelf)}
    ${shelf.cards.length === 0 ? nothing(shelf) : grid(shelf, account.balance)} ${pager(shelf)}
  `;
  return page(site, { title: 'Rewards', masthead: masthead('', visitor, 'rewards'), main });
}

const kinds = [
  ['', 'All'],
  ['egv', 'Gift vouchers'],
  ['physical', 'Products'],
] as const;

/** Returns the link for a changed search. It starts at the first page. */
function to({ type, q, within }: Wanted, change: Partial<Wanted>): string {
  const fields = Object.entries({ type, q, within, ...change }).filter(([, value]) => value !== '');
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? 'rewards' : `rewards?${query}`;
}

function filter(shelf: Shelf) {
  const { type, q, within } = shelf;
  const only = within === 'balance';
  return html`
    <div class="filter">
      <nav class="kinds" aria-label="Show">
        ${kinds.map(
          ([value, label]) =>
            html`<a href=${to(shelf, { type: value })} aria-current=${value === type ? 'true' : undefined} data-loads>${label}</a>`,
        )}
        <a class="only" href=${to(shelf, { within: only ? '' : 'balance' })} aria-current=${only ? 'true' : undefined} data-loads>
          ${only && html`<span aria-hidden="true">✓</span>`} Within your balance
        </a>
      </nav>
      <form method="get" action="rewards" role="search" aria-label="Rewards" data-loads>
        ${type !== '' && html`<input type="hidden" name="type" value=${type} />`}
        ${only && html`<input type="hidden" name="within" value="balance" />`}
        <label>
          <span class="unseen">Search by name</span>
          <input type="search" name="q" value=${q} maxlength="200" placeholder="Search by name" />
        </label>
        <button>Search</button>
      </form>
    </div>
  `;
}

/** Renders how many rewards are within the balance. */
function reach({ total, looked, reached }: Shelf) {
  const all = total === 1 ? '1 reward' : `${total} rewards`;
  if (looked < total)
    return html`<p class="quiet">${all}. The first ${looked} are shown; search by name for others.</p>`;
  return html`
    <div class="reach">
      <p class="quiet">${all}, <strong>${reached === total ? 'all' : reached} within your balance</strong></p>
      ${bar(reached, total)}
    </div>
  `;
}

function grid({ cards }: Shelf, balance: number) {
  return html`<ul class="shelf">${cards.map((each) => card(each, balance))}</ul>`;
}

function nothing({ q, total }: Shelf) {
  const why = total > 0 ? 'You don’t have enough points for any of these.' : 'There are no rewards of this kind.';
  const text = q === '' || total > 0 ? why : `No rewards match “${q}”.`;
  return notice(undefined, text, ['rewards', 'Show all rewards']);
}

function pager(shelf: Shelf) {
  const { page: here, pages } = shelf;
  if (pages <= 1) return undefined;
  return html`
    <nav class="pager" aria-label="Pages">
      ${here > 1 && html`<a class="button quiet" rel="prev" href=${to(shelf, { page: here - 1 })} data-loads>Previous</a>`}
      <span>Page ${here} of ${pages}</span>
      ${here < pages && html`<a class="button quiet" rel="next" href=${to(shelf, { page: here + 1 })} data-loads>Next</a>`}
    </nav>
  `;
}
