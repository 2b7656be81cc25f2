import { clientTable } from '../../contract/failure-tables.ts';
import { validityWords } from '../../domain/otp.ts';
import { once } from '../../runtime/caches.ts';
import { html, notice, page, type TemplatePart } from '../site.ts';
import { type Microsite, resendIn, type SignedIn, type Visit } from './microsite.ts';

const whole = once(() => new Intl.NumberFormat('en-IN'));

/** Renders the first page. `problem` is the client's message about the previous id. */
export function signInPage(microsite: Microsite, customer_id: string, problem?: string): string {
  const { site, addresses } = microsite;
  const wrong = problem === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'problem' };
  const main = html`
    <div class="columns">
    <form class="panel" method="post" action=${addresses.codes}>
      <h1>Sign in</h1>
      <div class="field">
        <label for="customer_id">Customer ID</label>
        <input id="customer_id" name="customer_id" value=${customer_id} required maxlength="64" autocomplete="username" autocapitalize="characters" spellcheck="false" ...${wrong} />
        ${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
      </div>
      <button data-once>Send code</button>
      <p class="quiet">We send a one-time password to your registered mobile number.</p>
    </form>
    ${whoCanSignIn(microsite)}
    </div>
  `;
  return page(site, { title: 'Sign in', main, tellsOrigin: true, ...site.assets.shared.microsite });
}

/** The state of a sign-in after a refusal, derived from the client's message. */
type CodeState = 'wrong' | 'new_code' | 'limited' | 'locked' | 'other';
const needNewCode = ['otp_expired', 'otp_used', 'otp_replaced', 'otp_tries_exceeded', 'otp_unknown_reference'] as const;
const states: Record<string, CodeState> = {
  [clientTable.otp_wrong.message]: 'wrong',
  [clientTable.otp_limit_reached.message]: 'limited',
  [clientTable.customer_locked.message]: 'locked',
  ...Object.fromEntries(needNewCode.map((kind) => [clientTable[kind].message, 'new_code'])),
};

/** Returns whether the client's message means that the code was wrong, which uses up an attempt. */
export const wasWrong = (message: string): boolean => states[message] === 'wrong';

/** Renders the form for the code. `problem` is the client's message about the previous code. */
export function codePage(microsite: Microsite, visit: Visit, problem?: string): string {
  const state = problem === undefined ? undefined : (states[problem] ?? 'other');
  const { otp_lifetime, otp_tries } = microsite.settings();
  const left = otp_tries - visit.wrong;
  const main = html`
    <div class="columns">
    <section class="panel">
      <h1>${state === 'locked' ? 'Your account is locked' : 'Enter your code'}</h1>
      ${state !== 'locked' && html`<p>We sent it to ${visit.mobile}. It is valid for ${validityWords(otp_lifetime)}.</p>`}
      ${codeForm(state, problem, left)}
      ${state !== 'locked' && state !== 'limited' && resendForm(resendIn(microsite, visit))}
      <p><a href=${microsite.addresses.home}>Use another customer ID</a></p>
    </section>
    ${state !== 'locked' && state !== 'new_code' && whereTheCodeIs(microsite, visit)}
    </div>
  `;
  const { site } = microsite;
  return page(site, { title: 'Enter your code', main, ...site.assets.shared.microsite });
}

function codeForm(state: CodeState | undefined, problem: string | undefined, left: number) {
  if (state === 'locked')
    return html`<p role="alert">${problem} You can sign in with this ID again after 15 minutes.</p>`;
  if (state === 'new_code') return html`<p class="problem" role="alert">${problem} Request a new code.</p>`;
  const wrong = problem === undefined ? {} : { 'aria-invalid': 'true' };
  return html`
    <form method="post" action="code">
      <div class="field">
        <label for="otp">One-time password</label>
        <input id="otp" class="digits" name="otp" required inputmode="numeric" autocomplete="one-time-code" maxlength="6" autofocus data-digits aria-describedby="attempts" ...${wrong} />
        ${problem && html`<p class="problem" role="alert">${problem}${state === 'limited' && ' Until then, use the last code we sent you.'}</p>`}
        <p class="quiet" id="attempts">${left === 1 ? '1 attempt left' : `${left} attempts left`}</p>
      </div>
      <p class="field"><button data-once>Sign in</button></p>
    </form>
  `;
}

function resendForm(seconds: number) {
  return html`
    <form method="post" action="resend">
      <button class="quiet" data-wait=${seconds > 0 ? String(seconds) : undefined}>Send new code</button>
      ${seconds > 0 && html`<noscript><p class="quiet">You can request a new code in ${seconds} seconds.</p></noscript>`}
    </form>
  `;
}

/** Renders the customer's points and the buttons that open the rewards. */
export function homePage(microsite: Microsite, { customer_id }: Visit, signedIn: SignedIn): string {
  const { totalEarned, totalRedeemed, balance } = signedIn.points;
  const main = html`
    <h1>Your points</h1>
    <dl class="account">
      <div><dt>Balance</dt><dd>${whole().format(balance)}</dd></div>
      <div><dt>Total earned</dt><dd>${whole().format(totalEarned)}</dd></div>
      <div><dt>Total redeemed</dt><dd>${whole().format(totalRedeemed)}</dd></div>
      <div><dt>Signed in as</dt><dd>${customer_id}</dd></div>
    </dl>
    <p class="quiet">Points at the time you signed in.</p>
    ${signedIn.entered ? enteredBefore(microsite) : ways()}
  `;
  const { site } = microsite;
  return page(site, { title: 'Your points', masthead: signOut, main, style: site.assets.shared.microsite.style });
}

const signOut = html`
  <nav aria-label="Account">
    <form method="post" action="end"><button class="plain">Sign out</button></form>
  </nav>
`;

function ways() {
  return html`
    <section class="panel">
      <h2>Redeem your points</h2>
      <form class="ways" method="post" action="rewards">
        <button name="view" value="page">Open portal</button>
        <button class="quiet" name="view" value="frame">Open in this page</button>
      </form>
      <p class="quiet">“Open in this page” shows the portal in a frame, as inside your own site.</p>
    </section>
  `;
}

function enteredBefore({ addresses }: Microsite) {
  const text = 'Each sign-in opens the rewards once. Sign in again to return to them.';
  return notice(html`<h2>You already opened your rewards</h2>`, text, [addresses.home, 'Sign in again']);
}

/** Renders a page that shows the portal in a frame. */
export function framePage({ site }: Microsite, entry: string): string {
  const main = html`
    <h1>Your rewards</h1>
    <iframe class="frame" src=${entry} title="Rewards"></iframe>
  `;
  return page(site, { title: 'Your rewards', masthead: signOut, main, style: site.assets.shared.microsite.style });
}

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
function whoCanSignIn({ partnerUrl, isDemo }: Microsite) {
  const url = partnerUrl();
  if (url !== undefined) {
    const text = html`<p><code>${url}</code> generates and verifies the codes. Enter a customer ID that exists there.</p>`;
    return card('Sign-in runs on your own server', text);
  }
  if (!isDemo) {
    const text = html`<p>Any of them can sign in. The <a href="/dashboard/ledger">dashboard</a> lists them; it requires the admin token of the workspace.</p>`;
    return card('Customers of this workspace', text);
  }
  const skeleton = html`<li class="customer skeleton" aria-hidden="true"></li>`;
  return card(
    'Demo customers',
    html`
      <p class="quiet">Any of them can sign in, such as CUST0001.</p>
      <ul class="customers" data-customers=${String(customerCount)} aria-busy="true">${Array(customerCount).fill(skeleton)}</ul>
      <p class="quiet"><a href="/sandbox/v1/customers">List all customers</a></p>
    `,
  );
}

/** Explains where to find the code: in the outbox, which the script watches, or wherever the partner's own server sent it. */
function whereTheCodeIs({ partnerUrl, isDemo }: Microsite, visit: Visit) {
  const { customer_id: uid, mobile } = visit;
  const query = new URLSearchParams({ uid });
  const outbox = html`<a href=${`/dashboard/outbox?${query}`}>outbox</a>`;
  const url = partnerUrl();
  if (url === undefined) {
    const sent = html`The sandbox sends no SMS. You’ll find the code in the ${outbox}`;
    if (!isDemo) return card('Find your code', html`<p>${sent} of this workspace, which requires its admin token.</p>`);
    const contents = html`
      ${live(visit)}
      <p class="quiet">${sent}.</p>
      <noscript><p class="quiet"><a href=${`/sandbox/v1/messages?${query}`}>Messages as JSON</a></p></noscript>
    `;
    return card('Your one-time password', contents);
  }
  const asked = html`The microsite asked <code>${url}</code> to send it to ${mobile}.`;
  if (!isDemo) {
    const text = html`<p>${asked} The ${outbox} shows it only if that server uses the message gateway.</p>`;
    return card('Find your code', text);
  }
  const contents = html`
    <p>${asked}</p>
    ${live(visit)}
    <p class="quiet">It appears here and in the ${outbox} if that server uses the message gateway.</p>
  `;
  return card('Your own server sends the code', contents);
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
