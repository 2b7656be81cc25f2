import type { Portal, PortalCall, PortalReply } from '../portal.ts';

/** Signs in a customer whose token the client accepts, and removes the token from the address (C1, C2, G9; OP-34). */
export async function openPortal(
  { portalOrders }: Portal,
  { query, isAddressed, trace }: PortalCall<'openPortal'>,
): Promise<PortalReply<'openPortal'>> {
  const opened = await portalOrders.open(query.uid, query.token, trace);
  if (opened.kind === 'refused_by_client') return { kind: 'not_allowed', isAddressed };
  if (opened.kind === 'client_no_answer') return opened;
  return { status: 303, location: `/portal/s/${opened.handle}/rewards` };
}
