import type { IdempotencyStore, Watch } from '../contract/api.ts';
import { bind } from '../contract/binder.ts';
import type { Mount } from '../contract/mount.ts';
import { type LoadedContract, loadContract } from '../contract/schemas.ts';
import type { Waiting } from '../runtime/waiting.ts';
import { assetEnvelope, assetHandlers } from './asset-site.ts';
import { type Assets, readAssets } from './assets.ts';
import { pageEnvelope } from './failures.ts';
import type { PortalDesk } from './portal/desk.ts';
import { portalHandlers } from './portal/handlers.ts';
import { nobody } from './portal/portal.ts';
import type { Site } from './site.ts';

/** What the pages of one workspace work with. */
export interface WebSurroundings {
  /** The name that the programme has for its customers. */
  readonly programme: string;
  readonly desk: PortalDesk;
  readonly waiting: Waiting;
  /** Where the forms' keys are kept (OP-20). */
  readonly idempotency: IdempotencyStore;
  readonly frameAncestors: () => readonly string[];
}

/** What all workspaces share: the contracts of the pages, and their style and script. */
export interface WebParts {
  readonly portal: LoadedContract;
  readonly assetFiles: LoadedContract;
  readonly assets: Assets;
}

export function loadWeb(): WebParts {
  return { portal: loadContract('portal'), assetFiles: loadContract('assets'), assets: readAssets() };
}

/** Binds the pages of a workspace, each site under its own address (OP-01). */
export function makeWeb(parts: WebParts, around: WebSurroundings, watch: Watch): Mount[] {
  const { assets } = parts;
  const { frameAncestors, programme: name } = around;
  return [portalMount(parts, around, watch), assetMount(parts, { name, assets, frameAncestors }, watch)];
}

function portalMount({ portal: contract, assets }: WebParts, around: WebSurroundings, watch: Watch): Mount {
  const { desk, waiting, idempotency, frameAncestors, programme: name } = around;
  const site: Site = { name, assets, frameAncestors };
  const envelope = pageEnvelope(site, { kind: 'session_ended' });
  const operations = bind(
    {
      contract,
      handlers: portalHandlers({ site, desk, waiting }),
      envelope,
      authenticators: {},
      anyone: nobody,
      session: (handle) => desk.visitor(handle),
      idempotency,
      identity: ({ id }) => id,
      keepsEffectsOnly: true,
    },
    watch,
  );
  return { prefix: '/portal', operations, envelope };
}

function assetMount({ assetFiles: contract, assets }: WebParts, site: Site, watch: Watch): Mount {
  const envelope = assetEnvelope(site);
  const handlers = assetHandlers({ assets: { ...assets } });
  const anyone = { kind: 'anyone' } as const;
  return {
    prefix: '/assets',
    operations: bind({ contract, handlers, envelope, authenticators: {}, anyone }, watch),
    envelope,
  };
}
