import type { MicrositeHandlers } from '../microsite.ts';
import { framePage, homePage } from '../pages.ts';

/** Shows the customer's points and the buttons that open the rewards. */
export const showHome: MicrositeHandlers['showHome'] = (microsite, { caller }) => {
  const { signedIn } = caller.visit;
  if (signedIn === null) return { status: 303, location: 'code' };
  return { status: 200, type: 'text/html', text: homePage(microsite, caller.visit, signedIn) };
};

/** Sends the customer to the portal with the JWT, once, as a page or in a frame (C1 to C3; OP-34, OP-97). */
export const enterRewards: MicrositeHandlers['enterRewards'] = async (microsite, { caller, body }) => {
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
};

/** Ends the visit and discards the JWT. */
export const leaveMicrosite: MicrositeHandlers['leaveMicrosite'] = async ({ store, addresses }, { caller }) => {
  await store.transact((tx) => tx.remove('visits', caller.id));
  return { status: 303, location: addresses.home };
};
