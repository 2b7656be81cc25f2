import type { Portal, PortalCall, PortalReply } from '../portal.ts';

/** Ends the visit, in every tab. */
export async function leavePortal(
  { portalOrders }: Portal,
  { caller, trace }: PortalCall<'leavePortal'>,
): Promise<PortalReply<'leavePortal'>> {
  await portalOrders.end(caller, trace);
  return { status: 303, location: '/portal/ended' };
}
