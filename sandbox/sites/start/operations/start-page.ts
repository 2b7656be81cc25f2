import type { operations } from '../../../../generated/start/types.ts';
import type { Call, Handlers, ReplyOrFailure } from '../../../contract/types.ts';
import type { pageTable, WebFailure } from '../../failures.ts';
import { html, page, type Site } from '../../site.ts';

/** The properties of the start page. */
export interface StartPage {
  readonly site: Site;
  /** Whether the documentation is served. */
  readonly docs: boolean;
  /** Whether other machines can reach the sandbox. If so, page addresses contain a workspace key, and the control API requires a token. */
  readonly isShared: boolean;
  /** Returns the sandbox's address without any workspace key, because anyone may see the page. */
  readonly origin: () => string;
}

/** Anyone may see the page: it contains no workspace data. */
type StartCaller = { readonly kind: 'anyone' };
type StartCall<Id extends keyof operations> = Call<operations[Id], StartCaller>;
type StartReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], WebFailure, typeof pageTable>;

/** Returns links to the parts of the sandbox: a page for browsers, JSON for programs. */
export function showStart(
  { site, docs, isShared, origin: originOf }: StartPage,
  { prefersPage }: StartCall<'showStart'>,
): StartReply<'showStart'> {
  const origin = originOf();
  const documentation = docs ? `${origin}/docs/` : null;
  if (!prefersPage()) {
    const microsite = isShared ? null : `${origin}/microsite`;
    const [dashboard, control_api] = [`${origin}/dashboard`, `${origin}/sandbox/v1`];
    return { status: 200, body: { service: 'rewards-sandbox', dashboard, microsite, control_api, documentation } };
  }
  const doors = [
    [
      '/dashboard/',
      'Dashboard',
      'See every call and status change, add faults, advance the clock, certify your server.',
    ],
    isShared
      ? ['/dashboard/', 'Microsite', 'Each workspace has its own. The dashboard links to it.']
      : ['/microsite/', 'Microsite', 'Sign in as a demo customer and redeem points in the portal.'],
    ...(docs
      ? [
          ['/docs/', 'Documentation', 'Quickstart, guides and the open points of the interface.'],
          ['/docs/reference/', 'Reference', 'Every operation with its fields, errors and examples.'],
        ]
      : []),
  ];
  const main = html`
    <h1>Rewards sandbox</h1>
    <p>
      A mock of the rewards redemption platform, with a reference client and simulated vendors. Connect your own server, redeem points
      end to end, and check both sides against the contracts.
    </p>
    <ul class="doors">
      ${doors.map(
        ([href, title, text]) => html`
          <li class="panel"><h2><a href=${href}>${title}</a></h2><p class="quiet">${text}</p></li>
        `,
      )}
    </ul>
    <section class="panel first-call" aria-label="Make a first call">
      <h2>Make a first call</h2>
      <p class="quiet">
        Place an order as the client does. ${isShared ? 'Set ADMIN_TOKEN, and paste into a shell:' : 'Paste into a shell on this machine:'}
      </p>
      <pre tabindex="0" aria-label="Commands that place an order"><code>${firstOrder(origin, isShared)}</code></pre>
      <p class="quiet">Then open the <a href="/dashboard/redemptions">redemption</a> and deliver it.</p>
    </section>
  `;
  return { status: 200, type: 'text/html', text: page(site, { title: 'Start', main }) };
}

/** Returns commands for a POSIX shell. They read the company secret from the control API, so the page does not contain it. */
function firstOrder(origin: string, isShared: boolean): string {
  const [sandbox, rewards] = [`${origin}/sandbox/v1`, `${origin}/rewards`];
  const token = isShared ? '-H "Authorization: Bearer $ADMIN_TOKEN" ' : '';
  return `SECRET=$(curl -s ${token}${sandbox}/workspace | sed 's/.*"company_secret":"\\([^"]*\\)".*/\\1/')
TOKEN=$(curl -s -H 'Content-Type: application/json' -d "{\\"secret\\":\\"$SECRET\\"}" \\
  ${rewards}/v1/company/auth | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s -H "Authorization: $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"uid":"CUST0007","line_items":[{"sku":"EGV-SPICE-500","quantity":1}]}' \\
  ${rewards}/v1/partner/redeemptiononskus`;
}

/** One handler per operation of start.yaml. */
export const startHandlers: Handlers<operations, StartPage, StartCaller, WebFailure, typeof pageTable> = { showStart };
