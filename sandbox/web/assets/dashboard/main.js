// @ts-check
/** The dashboard: finds the screen that the address names, and draws it. */
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { adminToken } from './api.js';
import { html } from './html.js';
import { Ledger } from './ledger.js';
import { followActivity, useFeed } from './live.js';
import { Outbox } from './outbox.js';
import { Overview } from './overview/overview.js';
import { Redemptions } from './redemptions.js';
import { followLinks, useRoute } from './route.js';
import { YourServer } from './server/server.js';
import { SignIn } from './sign-in.js';
import { Simulation } from './simulation/simulation.js';
import { Traffic } from './traffic.js';

/** @type {Readonly<Record<string, (given: { route: import('./route.js').Route }) => unknown>>} */
const screens = {
  overview: Overview,
  server: YourServer,
  simulation: Simulation,
  traffic: Traffic,
  redemptions: Redemptions,
  outbox: Outbox,
  ledger: Ledger,
};

const told = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not connected: trying again',
  refused: 'Not signed in',
};

function App() {
  const route = useRoute();
  const { status } = useFeed();
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
    live.textContent = `${told[status]}${adminToken() === '' ? '' : ', by admin token'}`;
    live.className = `feed ${status}`;
  }, [status]);
  if (status === 'refused') return html`<${SignIn} />`;
  const Screen = screens[route.screen] ?? Overview;
  return html`<${Screen} route=${route} key=${route.screen} />`;
}

followLinks();
followActivity();
const place = /** @type {Element} */ (document.querySelector('#screen'));
place.replaceChildren();
render(html`<${App} />`, place);
