import type { operations } from '../../generated/dashboard/types.ts';
import type { Call, DocumentedFailure, Reply } from '../contract/types.ts';
import type { pageTable, WebFailure } from '../sites/failures.ts';
import { html } from '../sites/html.ts';
import { page, type Site } from '../sites/site.ts';

/** Everything that the pages of the dashboard work with. */
export interface Dashboard {
  readonly site: Site;
  /** Whether the documentation is served, and can be linked to. */
  readonly docs: boolean;
}

/** The screens, in the order of the navigation. */
export const screenNames = ['overview', 'traffic', 'redemptions', 'outbox', 'ledger', 'simulation', 'server'] as const;
export type ScreenName = (typeof screenNames)[number];

/** Everybody may have the empty pages; what fills them is behind the control API. */
export type DashboardCaller = { readonly kind: 'anyone' };
export type DashboardCall<Id extends keyof operations> = Call<operations[Id], DashboardCaller>;
export type DashboardReply<Id extends keyof operations> =
  | Reply<operations[Id]>
  | DocumentedFailure<operations[Id], WebFailure, typeof pageTable>;

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

/** The module in `browser/` that draws a screen. */
const parts: Readonly<Record<ScreenName, string>> = {
  overview: 'overview/overview.tsx',
  traffic: 'traffic.tsx',
  redemptions: 'redemptions.tsx',
  outbox: 'outbox.tsx',
  ledger: 'ledger.tsx',
  simulation: 'simulation/simulation.tsx',
  server: 'server/server.tsx',
};

/** The page of a screen as it is before its script fills it; undefined while the dashboard is not built. */
export function shell({ site, docs }: Dashboard, screen: ScreenName): string | undefined {
  const build = site.assets.dashboard;
  if (build === undefined) return undefined;
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
  const { style } = build;
  const modules = build.scriptsOf(parts[screen]);
  return page(site, { title: titles[screen], main, masthead, wide: true, style, modules });
}
