import type { Activity } from '../activity-log/activity.ts';
import { registry } from '../apis/registry.ts';
import type { IdempotencyStore } from '../contract/api.ts';
import { type ServedApi, serve } from '../contract/binder.ts';
import { dashboardHandlers } from '../dashboard/operations/screens.ts';
import type { ValidatingContract } from '../http-client/reply.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Spans } from '../runtime/spans.ts';
import type { Handles } from '../runtime/tokens.ts';
import type { Waiting } from '../runtime/waiting.ts';
import { type Assets, pageAssets } from '../sites/assets.ts';
import { pageEnvelope } from '../sites/failures.ts';
import {
  type AuthAddress,
  AuthGateway,
  guestOf,
  type MicrositeCollections,
  type MicrositeHandlers,
  stranger,
} from '../sites/microsite/microsite.ts';
import * as customerPages from '../sites/microsite/operations/customer-pages.ts';
import * as signInPages from '../sites/microsite/operations/sign-in-pages.ts';
import * as portalEntry from '../sites/portal/operations/portal.ts';
import * as portalPages from '../sites/portal/operations/portal-pages.ts';
import { nobody, type PortalHandlers } from '../sites/portal/portal.ts';
import type { PortalPlatform } from '../sites/portal/portal-orders.ts';
import { pageHeaders, type Site } from '../sites/site.ts';
import { startHandlers } from '../sites/start/operations/start-page.ts';
import type { Store } from '../store/store.ts';

/** What the pages of one workspace work with. */
export interface WebOptions {
  /** The name that the programme has for its customers. */
  readonly programme: string;
  readonly portalOrders: PortalPlatform;
  readonly waiting: Waiting;
  readonly store: Store<MicrositeCollections>;
  /** Where replies to forms are stored (OP-20). */
  readonly formReplies: IdempotencyStore;
  readonly clock: Clock;
  readonly spans: Spans;
  readonly activity: Activity;
  /** Where the microsite finds the client's sign-in. */
  readonly auth: AuthAddress;
  /** The address of a client server that is not the reference client; undefined where it is that. */
  readonly partnerUrl: () => string | undefined;
  /** Draw the handles of visits to the microsite. */
  readonly handles: Handles;
  readonly frameAncestors: () => readonly string[];
  /** The address that everybody finds the sandbox under. */
  readonly publicOrigin: () => string;
  /** Whether the documentation is served. */
  readonly docs: boolean;
  /** What leads to this workspace, before the paths of portal and microsite; empty for the demo workspace. */
  readonly ownPath: string;
  /** Whether other machines can reach the sandbox. */
  readonly isReachedByOthers: boolean;
}

/** What all workspaces share: the contract of the client's sign-in, and what pages load. */
export interface WebParts {
  readonly auth: ValidatingContract;
  readonly assets: Assets;
}

/** What all workspaces share. */
export function loadWeb(auth: ValidatingContract): WebParts {
  return { auth, assets: pageAssets };
}

/** What the pages of a workspace are served with. */
export function webApis(parts: WebParts, around: WebOptions) {
  return {
    portal: portalApi(parts, around),
    microsite: micrositeApi(parts, around),
    dashboard: dashboardApi(parts, around),
    start: startApi(parts, around),
  };
}

const portalHandlers: PortalHandlers = { ...portalEntry, ...portalPages };

function portalApi({ assets }: WebParts, around: WebOptions): ServedApi<'portal'> {
  const { portalOrders, waiting, formReplies: idempotency, frameAncestors, programme: name, ownPath } = around;
  const microsite = `${ownPath}${registry.microsite.prefix}/`;
  // The same for all workspaces: what refuses a token must not tell whether a workspace exists (OP-63).
  const site: Site = { name, assets, frameAncestors, start: ['/', 'Open the start page'] };
  const envelope = pageEnvelope(site, { kind: 'session_ended' });
  const portal = serve({
    party: { site, portalOrders, waiting, microsite },
    handlers: portalHandlers,
    envelope,
    authenticators: {},
    anyone: nobody,
    session: (handle) => portalOrders.visitor(handle),
    idempotency,
    identity: ({ id }) => id,
    keepsEffectsOnly: true,
  });
  return { envelope, contracts: { portal } };
}

const micrositeHandlers: MicrositeHandlers = { ...signInPages, ...customerPages };

function micrositeApi({ auth: contract, assets }: WebParts, around: WebOptions): ServedApi<'microsite'> {
  const { store, clock, spans, activity, auth, handles, frameAncestors, ownPath, partnerUrl } = around;
  const home = `${ownPath}${registry.microsite.prefix}/`;
  const portal = `${ownPath}${registry.portal.prefix}`;
  const site: Site = {
    name: 'My account',
    assets,
    start: [home, 'Sign in'],
    frameAncestors,
  };
  const gateway = new AuthGateway(contract, { activity, spans }, auth);
  const addresses = { home, codes: `${home}codes`, portal };
  const party = { site, addresses, gateway, store, clock, handles, partnerUrl, isDemo: ownPath === '' };
  const envelope = pageEnvelope(site, { kind: 'session_ended' });
  const microsite = serve({
    party,
    handlers: micrositeHandlers,
    envelope,
    authenticators: {},
    anyone: stranger,
    session: (handle) => guestOf(party, handle),
  });
  return { envelope, contracts: { microsite } };
}

function dashboardApi({ assets }: WebParts, { docs }: WebOptions): ServedApi<'dashboard'> {
  // A site that frames the page could trick a user into clicking something they cannot see.
  const site: Site = {
    name: 'Sandbox dashboard',
    assets,
    start: [`${registry.dashboard.prefix}/`, 'Open the overview'],
    frameAncestors: () => [],
  };
  const envelope = pageEnvelope(site, { kind: 'not_found' });
  const party = { site, docs };
  const dashboard = serve({
    party,
    handlers: dashboardHandlers,
    envelope,
    authenticators: {},
    anyone: { kind: 'anyone' } as const,
  });
  return { envelope, contracts: { dashboard } };
}

function startApi({ assets }: WebParts, { docs, publicOrigin, isReachedByOthers }: WebOptions): ServedApi<'start'> {
  const site: Site = { name: 'Rewards sandbox', assets, start: ['/', 'Open the start page'], frameAncestors: () => [] };
  const pages = pageEnvelope(site, { kind: 'not_found' });
  const envelope = { ...pages, headers: () => ({ ...pageHeaders(site), Vary: 'Accept' }) };
  const start = serve({
    party: { site, docs, isShared: isReachedByOthers, origin: publicOrigin },
    handlers: startHandlers,
    envelope,
    authenticators: {},
    anyone: { kind: 'anyone' } as const,
  });
  return { envelope, contracts: { start } };
}
