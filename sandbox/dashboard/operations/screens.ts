import type { operations } from '../../../generated/dashboard/types.ts';
import type { Call, Handlers, ReplyOrFailure } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../../sites/failures.ts';
import { html, page, type Site } from '../../sites/site.ts';

/** The dependencies of the dashboard's pages. */
export interface Dashboard {
  readonly site: Site;
  /** Whether the documentation is served, so that pages can link to it. */
  readonly docs: boolean;
}

/** The title of each screen and its module in `browser/`, in navigation order. */
const screens = {
  overview: ['Overview', 'overview/overview.tsx'],
  traffic: ['Traffic', 'traffic.tsx'],
  redemptions: ['Redemptions', 'redemptions.tsx'],
  outbox: ['Outbox', 'outbox.tsx'],
  ledger: ['Ledger and orders', 'ledger.tsx'],
  'open-points': ['Open points', 'open-points.tsx'],
  simulation: ['Simulation', 'simulation/simulation.tsx'],
  server: ['Your server', 'server/server.tsx'],
  partners: ['Partners', 'partners/partners.tsx'],
} as const;
type ScreenName = keyof typeof screens;
export const screenNames = Object.keys(screens) as ScreenName[];

/** Anyone may load the empty pages. Their data comes from the control API, which controls access. */
type DashboardCaller = { readonly kind: 'anyone' };
type DashboardCall<Id extends keyof operations> = Call<operations[Id], DashboardCaller>;
type DashboardReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], WebFailure, typeof pageTable>;

/** Returns the page of a screen before its script fills it. */
function show({ site, docs }: Dashboard, screen: ScreenName) {
  const build = site.assets.dashboard;
  if (build === undefined) return { kind: 'dashboard_not_built' } as const;
  const link = ([name, [title]]: readonly [string, (typeof screens)[ScreenName]]) => html`
    <a
      href=${name === 'overview' ? '/dashboard/' : `/dashboard/${name}`}
      aria-current=${name === screen ? 'page' : undefined}
      data-screen=${name}
    >${title}</a>
  `;
  const masthead = html`
    <nav class="screens" aria-label="Screens">
      ${Object.entries(screens).map(link)}
      ${docs && html`<a href="/docs/">Documentation</a>`}
    </nav>
    <p class="zone" id="zone" title="Point at a time to see it in UTC."></p>
    <p class="feed" role="status" id="live">Connecting</p>
  `;
  const [heading, module] = screens[screen];
  const main = html`
    <div id="screen">
      <h1>${heading}</h1>
      <noscript>
        <p class="notice">
          The dashboard needs JavaScript. The control API under /sandbox/v1 returns the same data.
        </p>
      </noscript>
    </div>
  `;
  const { style } = build;
  const modules = build.scriptsOf(module);
  const text = page(site, { title: heading, main, masthead, wide: true, style, modules });
  return { status: 200, type: 'text/html', text } as const;
}

/** Shows the first screen (OP-68). */
export async function showOverview(dashboard: Dashboard): Promise<DashboardReply<'showOverview'>> {
  return show(dashboard, 'overview');
}

/** Shows a screen by name (OP-68). */
export async function showScreen(
  dashboard: Dashboard,
  call: DashboardCall<'showScreen'>,
): Promise<DashboardReply<'showScreen'>> {
  const screen = screenNames.find((name) => name === call.path.screen);
  return screen === undefined ? { kind: 'not_found' } : show(dashboard, screen);
}

/** Shows the redemptions screen with one redemption open (OP-68). */
export async function showRedemption(dashboard: Dashboard): Promise<DashboardReply<'showRedemption'>> {
  return show(dashboard, 'redemptions');
}

/** One handler per operation of dashboard.yaml. */
export const dashboardHandlers: Handlers<operations, Dashboard, DashboardCaller, WebFailure, typeof pageTable> = {
  showOverview,
  showScreen,
  showRedemption,
};
