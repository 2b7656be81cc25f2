import type { Microsite, MicrositeCall, MicrositeReply } from '../microsite.ts';
import { signInPage } from '../pages.ts';

/** The first page. */
export async function showSignIn(
  microsite: Microsite,
  _: MicrositeCall<'showSignIn'>,
): Promise<MicrositeReply<'showSignIn'>> {
  return { status: 200, type: 'text/html', text: signInPage(microsite, '') };
}
