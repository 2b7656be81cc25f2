import { html } from '../../html.ts';
import { page } from '../../site.ts';
import type { Portal, PortalCall, PortalReply } from '../portal.ts';

/** Where the browser goes when the customer has left. */
export async function showPortalEnd(
  { site }: Portal,
  _: PortalCall<'showPortalEnd'>,
): Promise<PortalReply<'showPortalEnd'>> {
  const main = html`
    <section class="notice">
      <h1>Your visit has ended</h1>
      <p>To return, open your rewards from your rewards programme again.</p>
    </section>
  `;
  return { status: 200, type: 'text/html', text: page(site, { title: 'Your visit has ended', main }) };
}
