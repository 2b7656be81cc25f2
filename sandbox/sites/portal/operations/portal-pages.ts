import type { Work } from '../../../jobs/work.ts';
import { html, notice, page } from '../../site.ts';
import { cataloguePage } from '../catalogue-page.ts';
import { checkoutPage, ownAddress, problemsOf, written } from '../checkout-page.ts';
import { historyPage, statementOf } from '../history-page.ts';
import { orderPage, standingOf } from '../order-page.ts';
import { brandsIn } from '../parts.ts';
import type { NotPlaced } from '../portal.ts';
import { lost, type Portal, type PortalCall, type PortalReply } from '../portal.ts';
import { costOf, rewardPage } from '../reward-page.ts';

/** Explains how to get a token. Shown when the portal is opened without one. */
export function showEntrance({ site, microsite }: Portal): PortalReply<'showEntrance'> {
  const text = 'The portal opens with a token that your rewards programme issues when you sign in.';
  const main = notice(html`<h1>Open the portal from a sign-in</h1>`, text, [microsite, 'Go to the microsite']);
  return { status: 200, type: 'text/html', text: page(site, { title: 'Portal', main }) };
}

/** Shows the page after the customer has left the portal. */
export function showPortalEnd({ site }: Portal): PortalReply<'showPortalEnd'> {
  const text = 'To return, open your rewards from your rewards programme again.';
  const main = notice(html`<h1>Your visit has ended</h1>`, text);
  return { status: 200, type: 'text/html', text: page(site, { title: 'Your visit has ended', main }) };
}

/** Number of cards per page. */
const limit = 12;

/** Shows profile, balance and one page of the catalogue (G10). */
export async function showRewards(
  portal: Portal,
  call: PortalCall<'showRewards'>,
): Promise<PortalReply<'showRewards'>> {
  const { portalOrders } = portal;
  const account = await portalOrders.readAccount(call.caller, call.trace);
  if (account.kind !== 'signed_in') return lost(account);
  const { type = '', q = '', within = '', page = 1 } = call.query;
  const { rewards, total } = portalOrders.rewards({ type: type === '' ? 'all' : type, q });
  const { balance } = account.points;
  const reached = rewards.filter((reward) => reward.available > 0 && costOf(reward) <= balance);
  const brands = brandsIn(within === 'balance' ? reached : rewards);
  const cards = brands.slice((page - 1) * limit, page * limit);
  const pages = Math.ceil(brands.length / limit);
  const shelf = { type, q, within, page, cards, total, looked: rewards.length, reached: reached.length, pages };
  return { status: 200, type: 'text/html', text: cataloguePage(portal, account, shelf) };
}

/** Shows a reward with a form to order it. */
export async function showReward(portal: Portal, call: PortalCall<'showReward'>): Promise<PortalReply<'showReward'>> {
  const { portalOrders } = portal;
  const { caller, trace, path } = call;
  const account = await portalOrders.readAccount(caller, trace);
  if (account.kind !== 'signed_in') return lost(account);
  const reward = portalOrders.reward(path.sku);
  if (reward === undefined) return { kind: 'not_found' };
  const { sku } = reward;
  const brands = brandsIn(portalOrders.rewards({ type: 'all', q: '' }).rewards);
  const brand = brands.find((each) => each.rewards.some((other) => other.sku === sku));
  const view = { reward, siblings: brand?.rewards ?? [], formKey: portalOrders.formKey(caller, sku) };
  return { status: 200, type: 'text/html', text: rewardPage(portal, account, view) };
}

/** Shows the cost and the delivery address of an order before it is placed. */
export async function showCheckout(
  portal: Portal,
  call: PortalCall<'showCheckout'>,
): Promise<PortalReply<'showCheckout'>> {
  const { portalOrders } = portal;
  const { sku, quantity, form_key: formKey } = call.query;
  const account = await portalOrders.readAccount(call.caller, call.trace);
  if (account.kind !== 'signed_in') return lost(account);
  const reward = portalOrders.reward(sku);
  if (reward === undefined) return { kind: 'not_found' };
  const basket = { reward, quantity, formKey, address: ownAddress(account.profile), problems: {} };
  return { status: 200, type: 'text/html', text: checkoutPage(portal, account, basket) };
}

/** Places the order of a form, only once, and redirects to the order's page (OP-20, OP-96). */
export async function placePortalOrder(
  portal: Portal,
  call: PortalCall<'placePortalOrder'>,
): Promise<PortalReply<'placePortalOrder'>> {
  const { portalOrders } = portal;
  const { form_key: formKey, sku, quantity: count, address = '', pincode = '', state = '' } = call.body;
  const quantity = Number.parseInt(count, 10);
  const reward = portalOrders.reward(sku);
  if (reward === undefined) return { kind: 'not_found' };
  const shipping = { address, pincode, state };
  const shipped = reward.product_type === 'PHYSICAL';
  const problems = shipped ? problemsOf(shipping) : {};
  if (Object.keys(problems).length > 0) {
    const account = await portalOrders.readAccount(call.caller, call.trace);
    if (account.kind !== 'signed_in') return lost(account);
    const basket = { reward, quantity, formKey, address: shipping, problems };
    return { status: 422, type: 'text/html', text: checkoutPage(portal, account, basket) };
  }
  const wish = { sku, quantity, ...(shipped && { shipping_address: written(shipping) }) };
  const placed = await portalOrders.place(
    call.caller,
    wish,
    (tx, decided) => call.keep(tx, typeof decided === 'string' ? goOn(decided) : refused(decided)),
    call.trace,
  );
  return placed.kind === 'placed' ? goOn(placed.order_id) : refused(placed);
}

function goOn(order_id: string) {
  return { status: 303, location: `orders/${order_id}` } as const;
}

/**
 * Converts an order failure to a page failure. The address was already validated, so a problem with it means that the
 * item has become a product.
 */
function refused(why: NotPlaced) {
  return why.kind === 'invalid_request' ? ({ kind: 'incomplete_link' } as const) : why;
}

const unknown = { kind: 'no_answer', reason: 'nobody waits for it' } as const;

/** Shows an order: immediately, or as soon as its state differs from the one on the caller's page (OP-96). */
export async function showPortalOrder(
  portal: Portal,
  call: PortalCall<'showPortalOrder'>,
): Promise<PortalReply<'showPortalOrder'>> {
  const { portalOrders, waiting } = portal;
  const { caller, trace, path, query, gone, patience } = call;
  const { seen, wait: seconds = 0 } = query;
  const look = () => portalOrders.order(caller, path.order_id);
  if (seen !== undefined && seconds > 0) {
    const codes = look()?.lines.map(({ redeemCode }) => redeemCode) ?? [];
    await waiting.first(
      {
        // Every change of an order's state finishes or schedules a job.
        collection: 'due',
        matches: (work) => codes.includes((work as Work).payload.redeemCode ?? ''),
        look: () => [look()].flatMap((order) => (order === undefined || standingOf(order) !== seen ? [order] : [])),
      },
      patience(seconds),
    );
  }
  const order = look();
  if (order === undefined) return { kind: 'not_found' };
  // Do not read the balance if the visitor has left.
  const account = seen !== undefined && gone().aborted ? unknown : await portalOrders.readAccount(caller, trace);
  if (account.kind === 'refused') return { kind: 'session_ended' };
  return { status: 200, type: 'text/html', text: orderPage(portal, account, order) };
}

/** Cancels the pending lines of an order and redirects to its page (OP-127, OP-129). */
export async function cancelPortalOrder(
  { portalOrders }: Portal,
  { caller, trace, path }: PortalCall<'cancelPortalOrder'>,
): Promise<PortalReply<'cancelPortalOrder'>> {
  const { order_id } = path;
  const refusal = await portalOrders.cancel(caller, order_id, trace);
  return refusal ?? { status: 303, location: `../${order_id}` };
}

/** Shows the history of the customer's points, from the platform's own records. */
export async function showHistory(
  portal: Portal,
  call: PortalCall<'showHistory'>,
): Promise<PortalReply<'showHistory'>> {
  const { portalOrders } = portal;
  const { caller, trace, query } = call;
  const account = await portalOrders.readAccount(caller, trace);
  if (account.kind === 'refused') return { kind: 'session_ended' };
  const { before } = query;
  const part = portalOrders.history(caller, before);
  if (part === undefined) return { kind: 'incomplete_link' };
  const balance = account.kind === 'signed_in' ? account.points.balance : undefined;
  const { rows, left } = statementOf(part.happened, before === undefined ? balance : part.left);
  const { ordered, earned, older } = part;
  const past = { rows, isNewest: before === undefined, older: older?.(left), ordered, earned };
  return { status: 200, type: 'text/html', text: historyPage(portal, account, past) };
}

/** Ends the visit in every tab. */
export async function leavePortal(
  { portalOrders }: Portal,
  { caller, trace }: PortalCall<'leavePortal'>,
): Promise<PortalReply<'leavePortal'>> {
  await portalOrders.end(caller, trace);
  return { status: 303, location: '/portal/ended' };
}
