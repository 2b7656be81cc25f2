import { html } from '../sites/html.ts';
import { page } from '../sites/site.ts';
import type { Dashboard, ScreenName } from './dashboard.ts';

/** What the screens are called, in the order of the way around. */
const titles: Readonly<Record<ScreenName, string>> = {
  overview: 'Overview',
  traffic: 'Traffic',
  redemptions: 'Redemptions',
  outbox: 'Outbox',
  ledger: 'Ledger and orders',
  simulation: 'Simulation',
  server: 'Your server',
};

/** The module of the script that draws a screen. */
const parts: Readonly<Record<ScreenName, string>> = {
  overview: 'overview-overview',
  traffic: 'traffic',
  redemptions: 'redemptions',
  outbox: 'outbox',
  ledger: 'ledger',
  simulation: 'simulation-simulation',
  server: 'server-server',
};

/** The page of a screen as it is before its script fills it. */
export function shell({ site, docs }: Dashboard, screen: ScreenName): string {
  const { style, modules } = site.assets.dashboard;
  const link = ([name, title]: readonly [string, string]) => html`
    <a
      href=${name === 'overview' ? '/dashboard/' : `/dashboard/${name}`}
      aria-current=${name === screen ? 'page' : undefined}
      data-screen=${name}
    >${title}</a>
  `;
  const masthead = html`
    <nav class="screens" aria-label="Screens">
      ${Object.entries(titles).map(link)}
      ${docs && html`<a href="/docs/">Documentation</a>`}
    </nav>
    <p class="zone" id="zone" title="Point at a time to see it in UTC."></p>
    <p class="feed" role="status" id="live">Connecting</p>
  `;
  const main = html`
    <div id="screen">
      <h1>${titles[screen]}</h1>
      <noscript>
        <p class="notice">
          The dashboard needs JavaScript. The control API under /sandbox/v1 returns the same data.
        </p>
      </noscript>
    </div>
  `;
  return page(site, { title: titles[screen], main, masthead, wide: true, style, modules: modules.with(parts[screen]) });
}
