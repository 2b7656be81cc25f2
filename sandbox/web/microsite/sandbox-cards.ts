import { html, type TemplatePart } from '../html.ts';
import type { Visit } from './books.ts';
import type { Microsite } from './microsite.ts';

/** Demo customers that the first page shows. */
const customersShown = 6;

/** What only a sandbox would show, beside what a microsite does. */
function card(title: string, contents: TemplatePart) {
  return html`
    <aside class="sandbox-card" aria-label="Sandbox">
      <p class="tag">Sandbox</p>
      <h2>${title}</h2>
      ${contents}
    </aside>
  `;
}

/** Who can sign in: demo customers, whom the script fetches from the control API, or those of the client's own server. */
export function whoCanSignIn({ partnerUrl, isDemo }: Microsite) {
  const url = partnerUrl();
  if (url !== undefined) {
    return card(
      'Your own server signs in',
      html`<p>The codes are made and checked by <code>${url}</code>. Enter the ID of a customer that it knows.</p>`,
    );
  }
  if (!isDemo) {
    return card(
      'Customers of this workspace',
      html`<p>Any of them can sign in. <a href="/dashboard/ledger">The dashboard</a> lists them, with the admin token of the workspace.</p>`,
    );
  }
  const empty = Array.from(
    { length: customersShown },
    () => html`<li class="customer skeleton" aria-hidden="true"></li>`,
  );
  return card(
    'Demo customers',
    html`
      <p class="quiet">Any of them can sign in, CUST0001 for one.</p>
      <ul class="customers" data-customers=${String(customersShown)} aria-busy="true">${empty}</ul>
      <p class="quiet"><a href="/sandbox/v1/customers">List all of them</a></p>
    `,
  );
}

/** Where the code went: to the outbox, which the script watches, or to whom the client's own server sent it. */
export function whereTheCodeIs(microsite: Microsite, visit: Visit) {
  const { customer_id: uid, mobile } = visit;
  const url = microsite.partnerUrl();
  const outbox = html`<a href=${`/dashboard/outbox?${new URLSearchParams({ uid })}`}>outbox</a>`;
  if (!microsite.isDemo) {
    const where =
      url === undefined
        ? html`No SMS is sent. The code lies in the ${outbox} of this workspace, which opens with its admin token.`
        : html`<code>${url}</code> was asked to send it to ${mobile}. It is in the ${outbox} only if that server sends through the message gateway.`;
    return card('Where the code is', html`<p>${where}</p>`);
  }
  if (url === undefined) {
    return card(
      'Your one-time password',
      html`
        ${live(visit)}
        <p class="quiet">No SMS is sent. The code lies in the ${outbox}.</p>
        <noscript><p class="quiet"><a href=${`/sandbox/v1/messages?${new URLSearchParams({ uid })}`}>The messages as JSON</a></p></noscript>
      `,
    );
  }
  return card(
    'Your own server sent the code',
    html`
      <p><code>${url}</code> was asked to send it to ${mobile}.</p>
      ${live(visit)}
      <p class="quiet">It shows here, and in the ${outbox}, if that server sends through the message gateway.</p>
    `,
  );
}

/** What the script fills with the code once it is in the outbox. */
function live({ customer_id, reference_id, mobile, sentAt }: Visit) {
  return html`
    <div
      class="code-card" data-code=${reference_id} data-uid=${customer_id} data-mobile=${mobile.slice(-4)}
      data-since=${new Date(sentAt).toISOString()} aria-live="polite" aria-busy="true"
    >
      <p class="digits skeleton" aria-hidden="true"></p>
    </div>
  `;
}
