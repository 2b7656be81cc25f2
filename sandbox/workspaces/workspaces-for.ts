import type { components } from '../../generated/sandbox/types.ts';
import type { CallLog } from '../activity-log/call-log.ts';
import { certificateSummary, type KnownKeys } from '../assembly/certificates.ts';
import type { CertificateFacts, Meta, WorkspaceCollections } from '../assembly/collections.ts';
import { creatorOf, inheritedLifetime, type LifeChange, usualLife } from '../assembly/life.ts';
import { partnerRow, skipEntries } from '../assembly/partner-figures.ts';
import { streamsOf } from '../assembly/settings.ts';
import type { Control, LimitReached } from '../control/control.ts';
import { clockAt, freshClock } from '../runtime/clock.ts';
import { placeStream } from '../runtime/ids.ts';
import type { Store, Tx } from '../store/store.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import type { StoragePlace } from './storage.ts';
import type { Workspace } from './workspace.ts';
import { type ListQuery, parseListQuery, selectSummaries, summary, type WorkspaceSummary } from './workspace-record.ts';

type WorkspaceInput = components['schemas']['WorkspaceInput'];

/** The initial state of a workspace. */
export type Start = Omit<Meta, 'id' | 'root' | 'adminToken' | 'life'>;

/** The lifetime of a new workspace in seconds, its name, and the workspace that answers for it. */
export interface NewLife {
  readonly expiresIn: number;
  readonly name?: string | undefined;
  readonly createdBy: string;
}

/** The operations on all workspaces of a sandbox, and the keys that apply to all of them. */
export interface WorkspacesHost {
  /** Returns the real time, in milliseconds. */
  readonly realTime: () => number;
  /** Returns the workspaces that match the query, oldest first. */
  readonly list: (ask: ListQuery) => Promise<readonly WorkspaceSummary[]>;
  /** Returns the same workspaces with their figures. */
  readonly figures: (ask: ListQuery) => Promise<readonly WorkspaceSummary[]>;
  /** Returns the key of the sandbox, and the keys that the operator trusts. */
  readonly knownKeys: () => Promise<KnownKeys>;
  /** Passes a workspace of this process to `look`. Returns undefined if there is none with this id. */
  readonly within: <T>(id: string, look: (workspace: Workspace) => Promise<T>) => Promise<T | undefined>;
  /** Changes the name or expiry of a workspace. Returns undefined if there is none with this id. */
  readonly change: (id: string, change: LifeChange) => Promise<WorkspaceSummary | undefined>;
  /**
   * Creates a workspace and starts it, unless the sandbox or its creator has reached a limit (OP-63, OP-230). Rejects
   * with `StoreFullError` if another `bytes` bytes do not fit in memory.
   *
   * @param fill fills its collections; if omitted, they are seeded
   * @param bytes the known size of its content; bytes of unknown size are counted as it is filled
   */
  readonly make: (
    start: Start,
    life: NewLife,
    fill?: Fill,
    bytes?: number,
  ) => Promise<components['schemas']['Workspace'] | LimitReached>;
  /** Removes a workspace. Returns whether it existed. */
  readonly remove: (id: string) => Promise<boolean>;
}

/**
 * Returns the operations of a workspace on itself and others. Every workspace may create workspaces. Only the demo
 * workspace may see and remove others (OP-54, OP-63).
 */
export function workspacesFor(self: Workspace, host: WorkspacesHost): Control['workspaces'] {
  const operator = self.place.length === 0;
  const createdBy = () => creatorOf(self.id, self.life);
  return {
    list: async (ask) =>
      (operator ? await host.list(parseListQuery(ask)) : selectSummaries([self], parseListQuery(ask))).map(summary),
    within: async (id, look) =>
      operator || id === self.id ? host.within(id, ({ hosts: { control } }) => look(control)) : undefined,
    change: async (id, { expires_in: expiresIn, name }) => {
      const changed = operator && id !== 'demo' ? await host.change(id, { expiresIn, name }) : undefined;
      return changed && summary(changed);
    },
    create: async (input: WorkspaceInput) => {
      const { seed, demo_data: demoData, clock = 'running', settings = {}, expires_in = usualLife, name } = input;
      const refused = self.parties.workspace.refusalOf(settings);
      if (refused !== undefined) return refused;
      const given = self.parties.workspace.settingsWith({}, settings);
      const chosen = seed === undefined ? { seed: 'demo' } : { seed, ownSeed: true as const };
      return host.make(
        { ...chosen, ...(demoData && { demoData }), starts: 1, clock: freshClock(clock), settings: given, given },
        { expiresIn: expires_in, name, createdBy: createdBy() },
      );
    },
    fork: async (id) => {
      const snapshot = self.snapshots.get(id);
      if (snapshot === undefined) return { kind: 'not_found', what: `Snapshot ${id}` };
      return self.snapshots.read(id, async (content, meta) => {
        // The fork draws its codes from its own root. From the original's stream, it would draw the same codes as the original.
        const { ownSeed: _, ...rest } = meta;
        const clock = clockAt(meta.clock.mode, snapshot.instant, host.realTime());
        return host.make(
          { ...rest, clock },
          { expiresIn: inheritedLifetime(self.life), createdBy: createdBy() },
          (store, own) => {
            const change = (tx: Tx<WorkspaceCollections>) => {
              tx.put('meta', 'workspace', own);
              placeStream(tx, streamsOf(own, own.starts).records);
            };
            return store.replace({ content, change });
          },
          await self.snapshots.sizeOf(id),
        );
      });
    },
    remove: async (id) => id !== 'demo' && (operator || id === self.id) && host.remove(id),
  };
}

/** Fills the collections of a new workspace. `meta` marks the workspace as incomplete. */
export type Fill = (store: Store<WorkspaceCollections>, meta: Meta) => Promise<void>;

/** The dependencies for creating a workspace. */
interface Maker extends Pick<SharedServices, 'storage' | 'warn'> {
  readonly build: (opened: OpenedStore) => Workspace;
  /** Registers the workspace once it is complete. */
  readonly enrol: (workspace: Workspace) => Promise<void>;
}

/**
 * Creates a workspace with all of its content. If that fails, rejects and leaves nothing behind.
 *
 * @param fill fills its collections; if omitted, they are seeded
 */
export async function makeWorkspace(
  { storage, warn, build, enrol }: Maker,
  place: StoragePlace,
  meta: Meta,
  fill: Fill | undefined,
): Promise<Workspace> {
  let store: Store<WorkspaceCollections> | undefined;
  let calls: CallLog | undefined;
  try {
    store = await storage.open(place);
    const unfinished = { ...meta, deleted: true } as const;
    // Mark the workspace as deleted until it is complete, so that a start after a crash removes it.
    await store.transact((tx) => tx.put('meta', 'workspace', unfinished));
    calls = await storage.openCalls(place, store);
    const workspace = build({ place, store, calls, meta });
    await (fill === undefined ? workspace.seed() : fillWith(fill, store, unfinished));
    await enrol(workspace);
    return workspace;
  } catch (error) {
    await calls?.close();
    const closed = store?.close() ?? Promise.resolve();
    const left = closed.finally(() => storage.remove(place));
    await left.catch((why: Error) => warn(`Cannot remove the incomplete workspace ${meta.id}: ${why.message}`));
    throw error;
  }
}

/** Fills the collections with `fill`, and then marks the workspace as complete. */
async function fillWith(fill: Fill, store: Store<WorkspaceCollections>, unfinished: Meta): Promise<void> {
  await fill(store, unfinished);
  await store.transact((tx) => {
    const { deleted: _, ...whole } = tx.get('meta', 'workspace') ?? unfinished;
    tx.put('meta', 'workspace', whole);
    skipEntries(tx);
  });
}

/**
 * Returns the partner operations of a workspace. The demo workspace sees all partners, and any other workspace sees
 * only itself (OP-261).
 */
export function partnersFor(self: Workspace, host: WorkspacesHost): Control['partners'] {
  const operator = self.place.length === 0;
  const { certificates } = self;
  /** Returns a function that summarizes certificates. Loads the known keys only if a certificate has a key. */
  const reader = async (facts: readonly CertificateFacts[]) => {
    const known = facts.some(({ key }) => key !== null) ? await host.knownKeys() : { trusted: new Map() };
    return (each: CertificateFacts) => certificateSummary(each, known, host.realTime());
  };
  return {
    list: async ({ days, ...ask }) => {
      const query = parseListQuery(ask);
      const found = operator ? await host.figures(query) : selectSummaries([await self.listed()], query);
      const read = await reader(found.flatMap(({ figures }) => figures?.certificates ?? []));
      const wish = { days, now: host.realTime() };
      return found.map((one) =>
        partnerRow(summary(one), one.figures, (one.figures?.certificates ?? []).map(read), wish),
      );
    },
    submit: async (text, trace) => {
      const result = await certificates.submit(text, trace);
      return 'kind' in result ? result : (await reader([result]))(result);
    },
    certificates: async () => {
      const facts = certificates.submitted();
      return facts.map(await reader(facts));
    },
    evidence: async (clientUrl) => {
      const facts = certificates.submitted().filter(({ client_url }) => client_url === clientUrl);
      const known = facts
        .map(await reader(facts))
        .filter(({ signer, expired }) => signer !== 'self_signed' && !expired);
      const newest = known.toSorted((one, other) => other.issued_at.localeCompare(one.issued_at))[0];
      const claims = newest && certificates.claims(newest.id);
      if (newest === undefined || claims === undefined) return undefined;
      const verdicts = Object.entries(claims.verdicts).map(([id, { verdict }]) => ({ id, verdict }));
      return { id: newest.id, outcome: newest.outcome, ended_at: newest.issued_at, verdicts };
    },
    trustedKeys: () => (operator ? [...certificates.trustedKeys()] : undefined),
    trust: async (keys, trace) => (operator ? certificates.trust(keys, trace) : { kind: 'not_found' }),
  };
}
