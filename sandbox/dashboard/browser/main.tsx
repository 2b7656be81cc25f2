// @ts-check
/** The dashboard: finds the screen that the address names, and draws it. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { adminToken, signInWith } from './api.js';
import { html } from './html.js';
import { Keyboard } from './keyboard/keyboard.js';
import { followActivity, useFeed } from './live.js';
import { followLinks, useRoute } from './route.js';
import { zone } from './times.js';

/** @typedef {(given: { route: import('./route.js').Route }) => import('preact').VNode} Screen */

/** @returns {Promise<Screen>} */
const overview = async () => (await import('./overview/overview.js')).Overview;

/**
 * The other screens, each loaded when it is gone to.
 * @type {Readonly<Record<string, () => Promise<Screen>>>}
 */
const screens = {
  server: async () => (await import('./server/server.js')).YourServer,
  simulation: async () => (await import('./simulation/simulation.js')).Simulation,
  traffic: async () => (await import('./traffic.js')).Traffic,
  redemptions: async () => (await import('./redemptions.js')).Redemptions,
  outbox: async () => (await import('./outbox.js')).Outbox,
  ledger: async () => (await import('./ledger.js')).Ledger,
};

/**
 * Those that were gone to.
 * @type {Map<string, Screen>}
 */
const loaded = new Map();

/** @param {string} name */
async function load(name) {
  try {
    loaded.set(name, await (screens[name] ?? overview)());
  } catch (error) {
    console.error(error);
    loaded.set(name, Missing);
  }
}

/** In place of a screen whose script is not there any more, as after an upgrade, or while the sandbox is stopped. */
function Missing() {
  return html`
    <div class="notice bad" role="alert">
      <p>This screen could not be loaded. Is the sandbox running? <a href=${location.href} target="_self">Reload</a>.</p>
    </div>
  `;
}

const statusTexts = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Disconnected, reconnecting',
  refused: 'Not signed in',
};

/**
 * Says once that the sandbox does not respond, and from when the greyed data is.
 * @param {{ lastHeard: Date | undefined }} given
 */
function Stopped({ lastHeard }) {
  return html`
    <div class="notice bad stopped" role="alert">
      <p><strong>The sandbox is not responding.</strong> ${lastHeard && `This page shows data from ${lastHeard.toLocaleTimeString()}. `}It reconnects automatically when the sandbox is back.</p>
    </div>
  `;
}

/** Asks for the admin token of a workspace (OP-68). */
function SignIn() {
  const [token, setToken] = useState('');
  const wrong = adminToken() !== '';
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    signInWith(token.trim());
  };
  return html`
    <h1>Open a workspace</h1>
    <form class="panel narrow" onSubmit=${submit}>
      <p>
        ${wrong ? 'No workspace has this admin token.' : 'From another machine, the dashboard requires an admin token.'}
        ${' '}It is in the response of <code>GET /sandbox/v1/workspace</code> and of the call that created the workspace.
      </p>
      <label class="field">
        <span>Admin token</span>
        <input
          name="token" type="password" autocomplete="off" required
          aria-invalid=${wrong ? 'true' : undefined}
          value=${token} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <div class="ways">
        <button>Open workspace</button>
        ${wrong && html`<button type="button" class="quiet" onClick=${() => signInWith('')}>Clear token</button>`}
      </div>
    </form>
  `;
}

function App() {
  const route = useRoute();
  const { status, lastHeard } = useFeed();
  const [, draw] = useState(0);
  useEffect(() => {
    if (!loaded.has(route.screen)) load(route.screen).then(() => draw((count) => count + 1));
  }, [route.screen]);
  useEffect(() => {
    for (const link of document.querySelectorAll('[data-screen]')) {
      const here = /** @type {HTMLElement} */ (link).dataset.screen === route.screen;
      if (here) {
        link.setAttribute('aria-current', 'page');
        // On a phone the screens are one row, of which a part is seen.
        link.scrollIntoView({ block: 'nearest', inline: 'center' });
        document.title = `${link.textContent} · Sandbox dashboard`;
      } else link.removeAttribute('aria-current');
    }
  }, [route.screen]);
  useEffect(() => {
    const live = document.querySelector('#live');
    if (live === null) return;
    live.textContent = `${statusTexts[status]}${adminToken() === '' ? '' : ' (admin token)'}`;
    live.className = `feed ${status}`;
    const label = document.querySelector('#zone');
    if (label !== null) label.textContent = `Times in ${zone()}`;
  }, [status]);
  if (status === 'refused') return html`<${SignIn} />`;
  const Screen = loaded.get(route.screen);
  const isStopped = status === 'lost';
  // A sandbox that never responded has left nothing to show.
  const hasData = !isStopped || lastHeard !== undefined;
  return html`
    ${isStopped && html`<${Stopped} lastHeard=${lastHeard} />`}
    ${Screen && hasData && html`<div class=${isStopped ? 'screen stale' : 'screen'} key=${route.screen}><${Screen} route=${route} /></div>`}
  `;
}

followLinks();
followActivity();
const place = /** @type {Element} */ (document.querySelector('#screen'));
const here = /** @type {HTMLElement | null} */ (document.querySelector('[data-screen][aria-current]'));
await load(here?.dataset.screen ?? 'overview');
place.replaceChildren();
render(html`<${App} />`, place);
const dialogs = document.createElement('div');
document.body.append(dialogs);
render(html`<${Keyboard} />`, dialogs);
