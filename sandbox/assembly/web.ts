import { registry } from '../apis/registry.ts';
import { validatingContract } from '../conformance/own-traffic.ts';
import type { IdempotencyStore } from '../contract/api.ts';
import { type ServedApi, serve } from '../contract/binder.ts';
import { loadContract } from '../contract/schemas.ts';
import { type Dashboard, dashboardHandlers } from '../dashboard/operations/screens.ts';
import type { Waiting } from '../runtime/waiting.ts';
import { pageAssets as assets } from '../sites/assets.ts';
import { pageEnvelope, type WebFailure } from '../sites/failures.ts';
import {
  AuthGateway,
  guestOf,
  type Microsite,
  type MicrositeCollections,
  type MicrositeHandlers,
  stranger,
} from '../sites/microsite/microsite.ts';
import * as customerPages from '../sites/microsite/operations/customer-pages.ts';
import * as signInPages from '../sites/microsite/operations/sign-in-pages.ts';
import * as portalEntry from '../sites/portal/operations/portal.ts';
import * as portalPages from '../sites/portal/operations/portal-pages.ts';
import { nobody, type Portal, type PortalHandlers } from '../sites/portal/portal.ts';
import { pageHeaders, type Site } from '../sites/site.ts';
import { type StartPage, startHandlers } from '../sites/start/operations/start-page.ts';
import type { Store } from '../store/store.ts';
import type { Parties } from './parties.ts';
import { project } from './settings.ts';

/** The dependencies of a workspace's pages. */
export interface Pages {
  readonly portal: Portal & { readonly replies: IdempotencyStore };
  readonly microsite: Microsite;
  readonly dashboard: Dashboard;
  readonly start: StartPage;
}

/** Creates the pages of a workspace, with the parts of its parties that they can access. */
export function makePages(
  store: Store<MicrositeCollections>,
  parties: Parties,
  waiting: Waiting,
  { docs, publicOrigin }: { readonly docs: boolean; readonly publicOrigin: () => string },
): Pages {
  const { portalOrders, client, ownPath, isReachedByOthers, handles, workspace, toClient, clock, platform } = parties;
  const frameAncestors = () => workspace.settings().frame_ancestors;
  // A framing site could trick a user into clicking something that they cannot see.
  const framedByNobody = { assets, frameAncestors: () => [] };
  const home = `${ownPath}${registry.microsite.prefix}/`;
  const auth = {
    baseUrl: () => workspace.settings().client_url,
    outgoing: toClient,
    get basic() {
      return client.basic;
    },
  };
  return {
    portal: {
      // The name is the same for all workspaces, so that a refused token does not reveal whether a workspace exists
      // (OP-63).
      site: { name: project.projectName, assets, frameAncestors, start: ['/', 'Open the start page'] },
      portalOrders,
      waiting,
      microsite: home,
      replies: platform.replies,
    },
    microsite: {
      site: { name: 'My account', assets, frameAncestors, start: [home, 'Sign in'] },
      addresses: { home, codes: `${home}codes`, portal: `${ownPath}${registry.portal.prefix}` },
      gateway: new AuthGateway(validatingContract(loadContract('auth', 'interface')), parties, auth),
      settings: () => workspace.settings(),
      store,
      clock,
      handles,
      partnerUrl: platform.partnerUrl,
      isDemo: ownPath === '',
    },
    dashboard: {
      site: {
        ...framedByNobody,
        name: 'Sandbox dashboard',
        start: [`${registry.dashboard.prefix}/`, 'Open the overview'],
      },
      docs,
    },
    start: {
      site: { ...framedByNobody, name: 'Rewards sandbox', start: ['/', 'Open the start page'] },
      docs,
      isShared: isReachedByOthers,
      origin: publicOrigin,
    },
  };
}

/** Creates the envelope of a party's pages, with the page for a caller without a session. */
const pagesThat =
  (unauthenticated: WebFailure) =>
  ({ site }: { readonly site: Site }) =>
    pageEnvelope(site, unauthenticated);
const pagesOfSession = pagesThat({ kind: 'session_ended' });
const pagesOfAnyone = pagesThat({ kind: 'not_found' });
const startPages = ({ site }: { readonly site: Site }) => ({
  ...pagesOfAnyone({ site }),
  headers: () => ({ ...pageHeaders(site), Vary: 'Accept' }),
});

const portalHandlers: PortalHandlers = { ...portalEntry, ...portalPages };
const micrositeHandlers: MicrositeHandlers = { ...signInPages, ...customerPages };

const portal = serve({
  party: ({ portal }: Pages) => portal,
  handlers: portalHandlers,
  envelope: pagesOfSession,
  authenticators: {},
  anyone: nobody,
  session: ({ portalOrders }, handle) => portalOrders.visitor(handle),
  idempotency: ({ replies }) => replies,
  identity: ({ id }) => id,
  keepsEffectsOnly: true,
});

const microsite = serve({
  party: ({ microsite }: Pages) => microsite,
  handlers: micrositeHandlers,
  envelope: pagesOfSession,
  authenticators: {},
  anyone: stranger,
  session: guestOf,
});

const dashboard = serve({
  party: ({ dashboard }: Pages) => dashboard,
  handlers: dashboardHandlers,
  envelope: pagesOfAnyone,
  authenticators: {},
  anyone: { kind: 'anyone' } as const,
});

const start = serve({
  party: ({ start }: Pages) => start,
  handlers: startHandlers,
  envelope: startPages,
  authenticators: {},
  anyone: { kind: 'anyone' } as const,
});

/** The APIs that serve pages. */
export const webApis = {
  portal: { portal },
  microsite: { microsite },
  dashboard: { dashboard },
  start: { start },
} satisfies Record<string, ServedApi<Pages>>;
