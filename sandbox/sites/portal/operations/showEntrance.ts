import { html } from '../../html.ts';
import { page } from '../../site.ts';
import type { Portal, PortalCall, PortalReply } from '../portal.ts';

/** The portal without a token: where to get one. */
export async function showEntrance(
  { site, microsite }: Portal,
  _: PortalCall<'showEntrance'>,
): Promise<PortalReply<'showEntrance'>> {
  const main = html`
    <section class="notice">
      <h1>Open the portal from a sign-in</h1>
      <p>The portal opens with a token that your rewards programme issues when you sign in.</p>
      <p><a class="button" href=${microsite}>Go to the microsite</a></p>
    </section>
  `;
  return { status: 200, type: 'text/html', text: page(site, { title: 'Portal', main }) };
}
