/**
 * Replies of page handlers that the types must reject. Nothing here runs, because `npm run typecheck` is the test. If
 * the types accept such a mistake, its `@ts-expect-error` becomes an error.
 */

import type { MicrositeReply } from '../../sandbox/sites/microsite/microsite.ts';
import type { PortalCall, PortalReply } from '../../sandbox/sites/portal/portal.ts';

/** Replies of page handlers, most of them wrong. */
export const replies = [
  { status: 303, location: 'orders/ORD-1' } satisfies PortalReply<'placePortalOrder'>,
  { status: 422, type: 'text/html', text: '<!doctype html>' } satisfies PortalReply<'placePortalOrder'>,
  // @ts-expect-error showReward has no 422
  { status: 422, type: 'text/html', text: '<!doctype html>' } satisfies PortalReply<'showReward'>,
  // @ts-expect-error showReward does not redirect
  { status: 303, location: 'rewards' } satisfies PortalReply<'showReward'>,
  // @ts-expect-error a redirect has a location
  { status: 303 } satisfies MicrositeReply<'checkCode'>,
  // @ts-expect-error a page is HTML
  { status: 200, type: 'text/css', text: '' } satisfies PortalReply<'showRewards'>,
  // @ts-expect-error showHistory orders nothing
  { kind: 'insufficient_balance', needed: 1, available: 0 } satisfies PortalReply<'showHistory'>,
];

export function unknownField({ body }: PortalCall<'placePortalOrder'>): string {
  // @ts-expect-error the form has no such field
  return body.coupon;
}
