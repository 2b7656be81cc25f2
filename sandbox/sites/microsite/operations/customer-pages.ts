import type { Microsite, MicrositeCall, MicrositeReply } from '../microsite.ts';
import { framePage, homePage } from '../pages.ts';

/** Shows the customer's points and the buttons that open the rewards. */
export function showHome(microsite: Microsite, { caller }: MicrositeCall<'showHome'>): MicrositeReply<'showHome'> {
  const { signedIn } = caller.visit;
  if (signedIn === null) return { status: 303, location: 'code' };
  return { status: 200, type: 'text/html', text: homePage(microsite, caller.visit, signedIn) };
}

/** Sends the customer to the portal with the JWT, once, as a page or in a frame (C1 to C3; OP-34, OP-97). */
export async function enterRewards(
  microsite: Microsite,
  { caller, body }: MicrositeCall<'enterRewards'>,
): Promise<MicrositeReply<'enterRewards'>> {
  const { id, visit } = caller;
  if (visit.signedIn === null) return { kind: 'session_ended' };
  const first = await microsite.store.transact((tx) => {
    const signedIn = tx.get('visits', id)?.signedIn ?? null;
    if (signedIn === null || signedIn.entered) return undefined;
    tx.put('visits', id, { ...visit, signedIn: { ...signedIn, entered: true } });
    return signedIn;
  });
  if (first === undefined) {
    const text = homePage(microsite, visit, { ...visit.signedIn, entered: true });
    return { status: 422, type: 'text/html', text };
  }
  const { portal } = microsite.addresses;
  const entry = `${portal}/signin?${new URLSearchParams({ token: first.jwt, uid: visit.customer_id })}`;
  if (body.view === 'page') return { status: 303, location: entry };
  return { status: 200, type: 'text/html', text: framePage(microsite, entry) };
}

/** Ends the visit and discards the JWT. */
export async function leaveMicrosite(
  { store, addresses }: Microsite,
  { caller }: MicrositeCall<'leaveMicrosite'>,
): Promise<MicrositeReply<'leaveMicrosite'>> {
  await store.transact((tx) => tx.remove('visits', caller.id));
  return { status: 303, location: addresses.home };
}
