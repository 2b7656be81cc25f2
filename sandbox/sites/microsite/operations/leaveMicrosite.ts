import type { Microsite, MicrositeCall, MicrositeReply } from '../microsite.ts';

/** Ends the visit; the JWT is forgotten. */
export async function leaveMicrosite(
  { store, addresses }: Microsite,
  { caller }: MicrositeCall<'leaveMicrosite'>,
): Promise<MicrositeReply<'leaveMicrosite'>> {
  await store.transact((tx) => tx.remove('visits', caller.id));
  return { status: 303, location: addresses.home };
}
