import { clientTable } from '../../contract/failure-tables.ts';
import { validityWords } from '../../domain/otp.ts';
import { once } from '../../runtime/once.ts';
import { html } from '../html.ts';
import { page } from '../site.ts';
import { type Microsite, resendIn, type SignedIn, type Visit } from './microsite.ts';
import { whereTheCodeIs, whoCanSignIn } from './sandbox-cards.ts';

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
  return page(site, { title: 'Sign in', main, tellsOrigin: true, ...site.assets.microsite });
}

/** The state of a sign-in after a refusal, derived from the client's message. */
type CodeState = 'wrong' | 'new_code' | 'limited' | 'locked' | 'other';
const states: Record<string, CodeState> = {
  [clientTable.otp_wrong.message]: 'wrong',
  [clientTable.otp_expired.message]: 'new_code',
  [clientTable.otp_used.message]: 'new_code',
  [clientTable.otp_replaced.message]: 'new_code',
  [clientTable.otp_tries_exceeded.message]: 'new_code',
  [clientTable.otp_limit_reached.message]: 'limited',
  [clientTable.otp_unknown_reference.message]: 'new_code',
  [clientTable.customer_locked.message]: 'locked',
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
  return page(site, { title: 'Enter your code', main, ...site.assets.microsite });
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
  return page(site, { title: 'Your points', masthead: signOut(''), main, style: site.assets.microsite.style });
}

function signOut(base: string) {
  return html`
    <nav aria-label="Account">
      <form method="post" action=${`${base}end`}><button class="plain">Sign out</button></form>
    </nav>
  `;
}

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
  return html`
    <section class="notice">
      <h2>You already opened your rewards</h2>
      <p>Each sign-in opens the rewards once. Sign in again to return to them.</p>
      <p><a class="button" href=${addresses.home}>Sign in again</a></p>
    </section>
  `;
}

/** Renders a page that shows the portal in a frame. */
export function framePage({ site }: Microsite, entry: string): string {
  const main = html`
    <h1>Your rewards</h1>
    <iframe class="frame" src=${entry} title="Rewards"></iframe>
  `;
  return page(site, { title: 'Your rewards', masthead: signOut(''), main, style: site.assets.microsite.style });
}
