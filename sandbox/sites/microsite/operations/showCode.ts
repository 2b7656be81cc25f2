import type { Microsite, MicrositeCall, MicrositeReply } from '../microsite.ts';
import { codePage } from '../pages.ts';

/** Asks for the one-time password. */
export async function showCode(
  microsite: Microsite,
  { caller }: MicrositeCall<'showCode'>,
): Promise<MicrositeReply<'showCode'>> {
  if (caller.visit.signedIn !== null) return { status: 303, location: 'home' };
  return { status: 200, type: 'text/html', text: codePage(microsite, caller.visit) };
}
