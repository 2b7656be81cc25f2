import type { Work } from '../../../jobs/due.ts';
import { orderPage, standingOf } from '../order-page.ts';
import type { Portal, PortalCall, PortalReply } from '../portal.ts';

const unknown = { kind: 'no_answer', reason: 'nobody waits for it' } as const;

/** An order as it stands, at once or as soon as it stands otherwise than the page that asks (OP-96). */
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
        // Whatever changes how an order stands comes with due work that is done or left to do.
        collection: 'due',
        matches: (work) => codes.includes((work as Work).payload.redeemCode ?? ''),
        look: () => [look()].flatMap((order) => (order === undefined || standingOf(order) !== seen ? [order] : [])),
      },
      patience(seconds),
    );
  }
  const order = look();
  if (order === undefined) return { kind: 'not_found' };
  // Whoever has left while waiting reads no balance.
  const standing = seen !== undefined && gone().aborted ? unknown : await portalOrders.standing(caller, trace);
  if (standing.kind === 'refused') return { kind: 'session_ended' };
  return { status: 200, type: 'text/html', text: orderPage(portal, standing, order) };
}
