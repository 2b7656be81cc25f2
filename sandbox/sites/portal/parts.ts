import { type LinePoints, tdsPoints } from '../../domain/points.ts';
import { once } from '../../runtime/caches.ts';
import { html } from '../site.ts';
import type { Points, PortalRedemption, Reward, State, VisitorAccount } from './portal.ts';

// Created lazily: the first one costs 10 MB.
const whole = once(() => new Intl.NumberFormat('en-IN'));
const rupees = once(
  () => new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' }),
);
const moment = once(
  () => new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' }),
);

export const points = (count: number): string => `${whole().format(count)} ${count === 1 ? 'point' : 'points'}`;
export const inr = (amount: number | string): string => `₹${rupees().format(Number(amount))}`;
/** Formats a sandbox time in Indian Standard Time, the time zone of the interface's dates (OP-47). */
export const when = (iso: string): string => `${moment().format(new Date(iso))} IST`;

/** Renders the portal's navigation. `base` is the relative path from the page to the session's root. */
export function masthead(base: string, visitor: VisitorAccount, here?: 'rewards' | 'history') {
  const balance =
    visitor.kind === 'signed_in'
      ? html`<p class="balance"><span>Balance</span> <strong>${points(visitor.points.balance)}</strong></p>`
      : html`<p class="balance"><span>Balance unavailable</span></p>`;
  const link = (to: 'rewards' | 'history', label: string) =>
    html`<a href=${`${base}${to}`} aria-current=${here === to ? 'page' : undefined}>${label}</a>`;
  return html`
    ${balance}
    <nav aria-label="Portal">
      ${link('rewards', 'Rewards')} ${link('history', 'History')}
      <form method="post" action=${`${base}end`}><button class="plain">End visit</button></form>
    </nav>
  `;
}

export const kindOf = ({ product_type }: Pick<Reward, 'product_type'>): string =>
  product_type === 'EGV' ? 'Gift voucher' : 'Product';

/** Renders what the customer has earned and redeemed. */
export function totals({ totalEarned, totalRedeemed }: Points) {
  return html`
    <dl class="figures">
      <div><dt>Total earned</dt><dd>${points(totalEarned)}</dd></div>
      <div><dt>Total redeemed</dt><dd>${points(totalRedeemed)}</dd></div>
    </dl>
  `;
}

/** Renders the parts of a cost, without parts of 0 points. */
export function costs(cost: LinePoints) {
  const tax = tdsPoints(cost);
  const row = (label: string, count: number) => html`<div><dt>${label}</dt><dd>${points(count)}</dd></div>`;
  return html`
    <dl class="costs">
      ${row('Reward', cost.redeemPoints)} ${tax > 0 && row('Tax (TDS)', tax)}
      ${cost.processingFee > 0 && row('Processing fee', cost.processingFee)}
      <div class="total"><dt>Total</dt><dd>${points(cost.totalPointWithProcessingFee)}</dd></div>
    </dl>
  `;
}

/** Returns the tax and the fee included in a total, as text; empty if there are none (OP-124). */
export function taxAndFee(cost: LinePoints): string {
  const tax = tdsPoints(cost);
  const parts = [
    ...(tax > 0 ? [`${points(tax)} tax (TDS)`] : []),
    ...(cost.processingFee > 0 ? [`${points(cost.processingFee)} processing fee`] : []),
  ];
  return parts.length === 0 ? '' : ` (including ${parts.join(' and ')})`;
}

/** Labels of the states for customers: the interface's labels, and `Rejected` before `Reversed`. */
const labels: Record<State, string> = {
  Pending: 'Pending',
  Redeemed: 'Redeemed',
  Reversing: 'Rejected',
  Reversed: 'Reversed',
  Stuck: 'Rejected',
};

/** Renders the state of a redemption, by default with its usual label. */
export function badge(state: State, words = labels[state]) {
  return html`<span class=${`badge ${state.toLowerCase()}`}>${words}</span>`;
}

/** Returns an explanation of a redemption's state for the customer. */
export function explanation({ state, product_type, expired }: PortalRedemption): string {
  if (expired !== null) return `Your voucher expired on ${when(expired)}.`;
  return state === 'Redeemed' && product_type === 'PHYSICAL' ? 'Your order was delivered.' : explanations[state];
}

const explanations: Record<State, string> = {
  Pending: 'Your order is with the vendor.',
  Redeemed: 'Your voucher has been issued. Your rewards programme sends it to you.',
  Reversing: 'Your points are being refunded.',
  Reversed: 'Your points were refunded.',
  Stuck: 'Your rewards programme has not confirmed the refund of your points yet.',
};

/** Renders a progress bar. It is hidden from screen readers, because the text next to it has the same number. */
export function bar(part: number, whole: number) {
  const filled = whole === 0 ? 0 : Math.min(100, Math.round((1000 * part) / whole) / 10);
  return html`
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width=${String(filled)} height="1" />
    </svg>
  `;
}

/** Renders a cost compared with the balance: the share it uses and the remaining points, or the available share and the missing points. */
export function afterwards(cost: number, balance: number) {
  if (cost > balance) {
    const share = Math.floor((100 * balance) / cost);
    return html`
      <div class="reach short">
        <p class="quiet">You have ${share}% of these points, <strong>${points(cost - balance)} to go</strong></p>
        ${bar(balance, cost)}
      </div>
    `;
  }
  const share = Math.ceil((100 * cost) / Math.max(1, balance));
  return html`
    <div class="reach">
      <p class="quiet">${share}% of your balance, <strong>you keep ${points(balance - cost)}</strong></p>
      ${bar(cost, balance)}
    </div>
  `;
}

/** A catalogue card: a brand with its vouchers, or a product with its colours. */
export interface Brand {
  readonly name: string;
  /** In catalogue order; never empty. */
  readonly rewards: readonly Reward[];
}

/**
 * Splits a name into the brand or product, and the variant, which is empty if there is none: `X e-gift voucher 500` is
 * a voucher of X, `X, indigo` is the product X in indigo (OP-183).
 */
export function brandOf({ name, product_type }: Pick<Reward, 'name' | 'product_type'>) {
  const parts =
    product_type === 'EGV'
      ? /^(\S.*?) (?:e-gift voucher|gift voucher|gift card|voucher) (\d[\d,.]*)$/i.exec(name)
      : /^(\S.*), ([^,]+)$/.exec(name);
  const [, brand = name, choice = ''] = parts ?? [];
  return { brand, choice };
}

/** Groups rewards into cards, each at the position of its first reward. A card of one reward shows that reward's full name. */
export function brandsIn(rewards: readonly Reward[]): Brand[] {
  const cards = Map.groupBy(rewards, (reward) => `${reward.product_type} ${brandOf(reward).brand}`);
  return [...cards.values()].map((card) => {
    const [first] = card as [Reward];
    return { name: card.length === 1 ? first.name : brandOf(first).brand, rewards: card };
  });
}
