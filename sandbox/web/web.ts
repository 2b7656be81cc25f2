import type { IdempotencyStore, Watch } from '../contract/api.ts';
import { bind } from '../contract/binder.ts';
import type { Mount } from '../contract/mount.ts';
import { type LoadedContract, loadContract } from '../contract/schemas.ts';
import type { Activity } from '../runtime/activity.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Handles } from '../runtime/handles.ts';
import type { SeededRandom } from '../runtime/random.ts';
import type { Waiting } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import { assetEnvelope, assetHandlers } from './asset-site.ts';
import { dashboardHandlers } from './dashboard/handlers.ts';
import { pageEnvelope } from './failures.ts';
import type { MicrositeBooks } from './microsite/books.ts';
import { type AuthAddress, AuthGateway } from './microsite/gateway.ts';
import { micrositeHandlers } from './microsite/handlers.ts';
import { guestOf, stranger } from './microsite/microsite.ts';
import { type Assets, assetsByName, readAssets } from './page-assets.ts';
import { portalHandlers } from './portal/handlers.ts';
import { nobody } from './portal/portal.ts';
import type { PortalOrders } from './portal/portal-orders.ts';
import type { Site } from './site.ts';

/** What the pages of one workspace work with. */
export interface WebOptions {
  /** The name that the programme has for its customers. */
  readonly programme: string;
  readonly portalOrders: PortalOrders;
  readonly waiting: Waiting;
  readonly store: Store<MicrositeBooks>;
  /** Where replies to forms are kept (OP-20). */
  readonly keptReplies: IdempotencyStore;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly activity: Activity;
  /** Where the microsite finds the client's sign-in. */
  readonly auth: AuthAddress;
  /** Draw the handles of visits to the microsite. */
  readonly handles: Handles;
  readonly frameAncestors: () => readonly string[];
  /** Whether the documentation is served. */
  readonly docs: boolean;
  /** What leads to the microsite of this workspace, behind its address; empty where nothing has to. */
  readonly micrositeEntry: string;
}

/** What all workspaces share: the contracts of the pages, that of the client's sign-in, and style and script. */
export interface WebParts {
  readonly portal: LoadedContract;
  readonly microsite: LoadedContract;
  readonly dashboard: LoadedContract;
  readonly assetFiles: LoadedContract;
  readonly auth: LoadedContract;
  readonly assets: Assets;
}

/** Reads what all workspaces share. `auth` is the contract of the client's sign-in. */
export function loadWeb(auth: LoadedContract): WebParts {
  return {
    portal: loadContract('portal'),
    microsite: loadContract('microsite'),
    dashboard: loadContract('dashboard'),
    assetFiles: loadContract('assets'),
    auth,
    assets: readAssets(),
  };
}

/**
 * Binds the pages of a workspace, each site under its own address (OP-01). Throws when a contract and its handlers
 * differ.
 */
export function makeWeb(parts: WebParts, around: WebOptions, watch: Watch): Mount[] {
  return [portalMount, micrositeMount, dashboardMount, assetMount].map((make) => make(parts, around, watch));
}

function portalMount({ portal: contract, assets }: WebParts, around: WebOptions, watch: Watch): Mount {
  const { portalOrders, waiting, keptReplies: idempotency, frameAncestors, programme: name } = around;
  const site: Site = { name, assets, frameAncestors };
  const envelope = pageEnvelope(site, { kind: 'session_ended' });
  const operations = bind(
    {
      contract,
      handlers: portalHandlers({ site, portalOrders, waiting }),
      envelope,
      authenticators: {},
      anyone: nobody,
      session: (handle) => portalOrders.visitor(handle),
      idempotency,
      identity: ({ id }) => id,
      keepsEffectsOnly: true,
    },
    watch,
  );
  return { prefix: '/portal', operations, envelope };
}

function micrositeMount(parts: WebParts, around: WebOptions, watch: Watch): Mount {
  const { store, clock, random, activity, auth, handles, frameAncestors, micrositeEntry } = around;
  const site: Site = {
    name: 'My account',
    assets: parts.assets,
    start: [`/microsite${micrositeEntry || '/'}`, 'Sign in'],
    frameAncestors,
  };
  const gateway = new AuthGateway(parts.auth, activity, random, auth);
  const codes = `/microsite/codes${micrositeEntry.slice(1)}`;
  const microsite = { site, codes, gateway, store, clock, handles };
  const envelope = pageEnvelope(site, { kind: 'session_ended' });
  const handlers = micrositeHandlers(microsite);
  const session = (handle: string) => guestOf(microsite, handle);
  const { microsite: contract } = parts;
  const operations = bind({ contract, handlers, envelope, authenticators: {}, anyone: stranger, session }, watch);
  return { prefix: '/microsite', operations, envelope };
}

function dashboardMount({ dashboard: contract, assets }: WebParts, { docs }: WebOptions, watch: Watch): Mount {
  // Whoever could frame it could have somebody click what they do not see.
  const site: Site = {
    name: 'Sandbox dashboard',
    assets,
    start: ['/dashboard/', 'To the overview'],
    frameAncestors: () => [],
  };
  const envelope = pageEnvelope(site, { kind: 'not_found' });
  const handlers = dashboardHandlers({ site, docs });
  const anyone = { kind: 'anyone' } as const;
  const operations = bind({ contract, handlers, envelope, authenticators: {}, anyone }, watch);
  return { prefix: '/dashboard', operations, envelope };
}

function assetMount({ assetFiles: contract, assets }: WebParts, around: WebOptions, watch: Watch): Mount {
  const { programme: name, frameAncestors } = around;
  const envelope = assetEnvelope({ name, assets, frameAncestors });
  const handlers = assetHandlers({ assets: assetsByName(assets) });
  const anyone = { kind: 'anyone' } as const;
  const operations = bind({ contract, handlers, envelope, authenticators: {}, anyone }, watch);
  return { prefix: '/assets', operations, envelope };
}
