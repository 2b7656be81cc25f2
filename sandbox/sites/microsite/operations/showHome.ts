import type { Microsite, MicrositeCall, MicrositeReply } from '../microsite.ts';
import { homePage } from '../pages.ts';

/** The customer's points and the way to the rewards. */
export async function showHome(
  microsite: Microsite,
  { caller }: MicrositeCall<'showHome'>,
): Promise<MicrositeReply<'showHome'>> {
  const { signedIn } = caller.visit;
  if (signedIn === null) return { status: 303, location: 'code' };
  return { status: 200, type: 'text/html', text: homePage(microsite, caller.visit, signedIn) };
}
