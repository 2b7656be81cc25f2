/**
 * Replies of page handlers that the types must reject. Nothing here runs, because `npm run typecheck` is the test. If
 * the types accept such a mistake, its `@ts-expect-error` becomes an error.
 */

import type { MicrositeReply } from '../../sandbox/sites/microsite/microsite.ts';
import type { PortalCall, PortalReply } from '../../sandbox/sites/portal/portal.ts';

export async function exact(): Promise<PortalReply<'placePortalOrder'>> {
  return { status: 303, location: 'orders/ORD-1' };
}

export async function pageThatRefuses(): Promise<PortalReply<'placePortalOrder'>> {
  return { status: 422, type: 'text/html', text: '<!doctype html>' };
}

export async function undocumentedStatus(): Promise<PortalReply<'showReward'>> {
  // @ts-expect-error showReward has no 422
  return { status: 422, type: 'text/html', text: '<!doctype html>' };
}

export async function redirectThatIsNone(): Promise<PortalReply<'showReward'>> {
  // @ts-expect-error showReward does not redirect
  return { status: 303, location: 'rewards' };
}

export async function redirectWithoutAddress(): Promise<MicrositeReply<'checkCode'>> {
  // @ts-expect-error a redirect has a location
  return { status: 303 };
}

export async function wrongMediaType(): Promise<PortalReply<'showRewards'>> {
  // @ts-expect-error a page is HTML
  return { status: 200, type: 'text/css', text: '' };
}

export async function undocumentedFailure(): Promise<PortalReply<'showHistory'>> {
  // @ts-expect-error showHistory orders nothing
  return { kind: 'insufficient_balance', needed: 1, available: 0 };
}

export function unknownField({ body }: PortalCall<'placePortalOrder'>): string {
  // @ts-expect-error the form has no such field
  return body.coupon;
}
