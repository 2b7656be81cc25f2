import { type RegisteredApi, registry, type ServerName } from '../apis/registry.ts';
import { clientApi, gatewayApi } from '../client/apis.ts';
import type { Client } from '../client/client.ts';
import { validatingContract } from '../conformance/own-traffic.ts';
import type { IdempotencyStore, Watch } from '../contract/api.ts';
import { type BoundOperation, bind, type ServedApi, type ServedContract, serve } from '../contract/binder.ts';
import type { Contract } from '../contract/document.ts';
import { Routes } from '../contract/routes.ts';
import { type LoadedContract, loadContract } from '../contract/schemas.ts';
import { controlApi } from '../control/api.ts';
import type { Control } from '../control/control.ts';
import { type Dashboard, dashboardHandlers } from '../dashboard/operations/screens.ts';
import { generalApi, rewardsApi } from '../platform/apis.ts';
import type { Platform } from '../platform/platform.ts';
import type { FaultHost } from '../runtime/faults.ts';
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

/**
 * Returns a contract without the operations in `served`, which another contract of the same API serves. Returns the
 * contract itself if no operation is removed. Only the security schemes of the remaining operations are included, so
 * that the binder requires exactly their handlers and authenticators.
 */
export function partOf<C extends Contract>(contract: C, served: ReadonlySet<string>): C {
  const operations = contract.operations.filter(({ operationId }) => !served.has(operationId));
  if (operations.length === contract.operations.length) return contract;
  return { ...contract, operations, securitySchemes: [...new Set(operations.flatMap(({ security }) => security))] };
}

/** A registered API with the operations that it serves, one part per contract. */
export interface LoadedApi extends RegisteredApi {
  readonly name: string;
  readonly parts: readonly LoadedContract[];
}

/** The parties of a workspace that host operations. */
export interface Hosts extends Pages {
  readonly platform: Platform;
  readonly client: Client;
  readonly control: Control;
}

/** A loaded API whose operations have handlers, with the rules for unknown paths. It serves all workspaces. */
export interface MountedApi extends LoadedApi, Pick<ServedContract<Hosts>, 'party' | 'envelope' | 'admit'> {
  readonly operations: readonly BoundOperation[];
  readonly routes: Routes<BoundOperation>;
}

/**
 * Loads the contracts of every registered API. If several contracts of an API define an operation, it is served from
 * the first one (OP-01).
 */
export function loadApis(apis: Readonly<Record<string, RegisteredApi>> = registry, load = loadContract): LoadedApi[] {
  return Object.entries(apis).map(([name, api]) => {
    const served = new Set<string>();
    const parts = api.contracts.map((contract) => {
      const part = partOf(load(contract), served);
      for (const { operationId } of part.operations) served.add(operationId);
      return part;
    });
    return { ...api, name, parts };
  });
}

/** The handlers of every registered API. A missing one causes a compile error. */
export const servedApis: {
  readonly [Name in ServerName]: ServedApi<Hosts, (typeof registry)[Name]['contracts'][number]>;
} = {
  rewards: rewardsApi,
  client: clientApi,
  general: generalApi,
  sandbox: controlApi,
  gateway: gatewayApi,
  portal: { portal },
  microsite: { microsite },
  dashboard: { dashboard },
  start: { start },
};

/** Binds every API to its handlers, each under its own path prefix. Throws if a contract and its handlers differ. */
export function mountApis(
  apis: readonly LoadedApi[],
  served: Readonly<Record<string, ServedApi<Hosts>>>,
  watch: Watch,
): MountedApi[] {
  return apis.map((api) => {
    const { name, parts, prefix, ofInterface: meetsFaults } = api;
    const contracts = present(served[name], `${name} has no handlers`);
    const handled = ({ api: contract }: LoadedContract) =>
      present(contracts[contract], `${name} has no handlers for ${contract}`);
    const operations = parts.flatMap((contract) => bind({ ...handled(contract), contract, meetsFaults }, watch));
    const { party, envelope, admit } = handled(present(parts[0], `${name} has no contract`));
    return {
      ...api,
      operations,
      routes: new Routes(operations, prefix),
      party,
      envelope,
      ...(admit && { admit }),
    };
  });
}

/**
 * Returns the operations of the interface that the client and the platform host, in this order, with their paths at the
 * sandbox (OP-69).
 */
export function hostedOperations(apis: readonly LoadedApi[]) {
  const hosted = (host: 'client' | 'platform') =>
    apis
      .filter((api) => api.ofInterface && api.host === host)
      .flatMap(({ prefix, parts }) =>
        parts.flatMap(({ operations }) =>
          operations.map(({ operationId: operation, api, method, path, security }) => {
            return { operation, api, hosted_by: host, method, path: `${prefix}${path}`, security: [...security] };
          }),
        ),
      );
  return [...hosted('client'), ...hosted('platform')];
}

/** Returns the operations that can have faults (of the interface, and the webhook), with the receiver of their calls. */
export function faultTargets(apis: readonly LoadedApi[]): ReadonlyMap<string, FaultHost> {
  const hosted = hostedOperations(apis).map(({ operation, hosted_by }) => [operation, hosted_by] as const);
  return new Map<string, FaultHost>([...hosted, ['catalogueUpdated', 'subscriber']]);
}

function present<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem);
  return value;
}
