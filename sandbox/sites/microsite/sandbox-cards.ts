import { html, type TemplatePart } from '../html.ts';
import type { Microsite, Visit } from './microsite.ts';

/** Number of demo customers on the first page. */
const customerCount = 6;

/** Renders sandbox-only content, in addition to the content of a real microsite. */
function card(title: string, contents: TemplatePart) {
  return html`
    <aside class="sandbox-card" aria-label="Sandbox">
      <p class="tag">Sandbox</p>
      <h2>${title}</h2>
      ${contents}
    </aside>
  `;
}

/** Explains who can sign in: demo customers, which the script fetches from the control API, or customers of the partner's own server. */
export function whoCanSignIn({ partnerUrl, isDemo }: Microsite) {
  const url = partnerUrl();
  if (url !== undefined) {
    return card(
      'Sign-in runs on your own server',
      html`<p><code>${url}</code> generates and verifies the codes. Enter a customer ID that exists there.</p>`,
    );
  }
  if (!isDemo) {
    return card(
      'Customers of this workspace',
      html`<p>Any of them can sign in. The <a href="/dashboard/ledger">dashboard</a> lists them; it requires the admin token of the workspace.</p>`,
    );
  }
  const empty = Array.from(
    { length: customerCount },
    () => html`<li class="customer skeleton" aria-hidden="true"></li>`,
  );
  return card(
    'Demo customers',
    html`
      <p class="quiet">Any of them can sign in, such as CUST0001.</p>
      <ul class="customers" data-customers=${String(customerCount)} aria-busy="true">${empty}</ul>
      <p class="quiet"><a href="/sandbox/v1/customers">List all customers</a></p>
    `,
  );
}

/** Explains where to find the code: in the outbox, which the script watches, or wherever the partner's own server sent it. */
export function whereTheCodeIs(microsite: Microsite, visit: Visit) {
  const { customer_id: uid, mobile } = visit;
  const url = microsite.partnerUrl();
  const outbox = html`<a href=${`/dashboard/outbox?${new URLSearchParams({ uid })}`}>outbox</a>`;
  if (!microsite.isDemo) {
    const where =
      url === undefined
        ? html`The sandbox sends no SMS. You’ll find the code in the ${outbox} of this workspace, which requires its admin token.`
        : html`The microsite asked <code>${url}</code> to send it to ${mobile}. The ${outbox} shows it only if that server uses the message gateway.`;
    return card('Find your code', html`<p>${where}</p>`);
  }
  if (url === undefined) {
    return card(
      'Your one-time password',
      html`
        ${live(visit)}
        <p class="quiet">The sandbox sends no SMS. You’ll find the code in the ${outbox}.</p>
        <noscript><p class="quiet"><a href=${`/sandbox/v1/messages?${new URLSearchParams({ uid })}`}>Messages as JSON</a></p></noscript>
      `,
    );
  }
  return card(
    'Your own server sends the code',
    html`
      <p>The microsite asked <code>${url}</code> to send it to ${mobile}.</p>
      ${live(visit)}
      <p class="quiet">It appears here and in the ${outbox} if that server uses the message gateway.</p>
    `,
  );
}

/** Renders the placeholder that the script fills in once the code is in the outbox. */
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
