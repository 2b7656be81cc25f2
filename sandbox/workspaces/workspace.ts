import { type CallLog, forgetfulCallLog } from '../activity-log/call-log.ts';
import { Feed } from '../activity-log/feed.ts';
import { findApi } from '../apis/registry.ts';
import { faultTargets, type Hosts } from '../assembly/apis.ts';
import { Certificates } from '../assembly/certificates.ts';
import { Certifications } from '../assembly/certifications.ts';
import type { Meta, SnapshotRecord, WorkspaceCollections } from '../assembly/collections.ts';
import { creatorOf, isOutdated, type Life } from '../assembly/life.ts';
import { makeParties, type Parties } from '../assembly/parties.ts';
import { PartnerCount } from '../assembly/partner-figures.ts';
import { Directory } from '../client/directory.ts';
import { flatEnvelope, type Rendered } from '../contract/envelopes.ts';
import type { RequestFailure } from '../contract/failure-tables.ts';
import type { FaultPort } from '../contract/faults.ts';
import { isUnder } from '../contract/routes.ts';
import type { Control } from '../control/control.ts';
import { once } from '../runtime/caches.ts';
import { Waiting } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import { makeHosts } from './hosts.ts';
import { bytesOfWorkspace } from './process-memory.ts';
import { continueStored, seedEmpty, seedWorkspace } from './seed.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import { type Damaged, Snapshots } from './snapshots.ts';
import type { StoragePlace } from './storage.ts';
import { Usage } from './usage.ts';
import {
  changeMeta,
  type DormantWorkspace,
  type Identity,
  identityOf,
  nextDueAt,
  type WorkspaceSummary,
  writeLastUse,
} from './workspace-record.ts';

/** A running workspace, with its own store, clock, parties and faults. */
export class Workspace {
  readonly id: string;
  readonly parties: Parties;
  readonly snapshots: Snapshots;
  readonly certificates: Certificates;
  readonly place: StoragePlace;
  /** The parties that host its operations. */
  readonly hosts: Hosts;
  /** The faults that are injected into calls to it. */
  readonly faults: FaultPort;
  readonly #services: SharedServices;
  readonly #store: Store<WorkspaceCollections>;
  readonly #calls: CallLog;
  readonly #directory: Directory;
  readonly #waiting: Waiting;
  readonly #feed: Feed;
  readonly #certifications: Certifications;
  readonly #partner: PartnerCount;
  readonly usage: Usage;
  /** Returns the data that identifies its credentials. */
  readonly identity: () => Identity;
  #meta: Meta;

  constructor(
    { place, store, meta, calls = forgetfulCallLog }: OpenedStore,
    services: SharedServices,
    others: (workspace: Workspace) => Pick<Control, 'workspaces' | 'partners'>,
  ) {
    const { apis, memory, storage, timer, warn, realTime } = services;
    this.id = meta.id;
    this.#meta = meta;
    this.place = place;
    this.#store = store;
    this.#calls = calls;
    this.usage = new Usage(meta.life.used, realTime, services.whenIdle);
    this.identity = once(() => identityOf(meta));
    this.#services = services;
    const besideData = store.countIn(memory.of(creatorOf(meta.id, meta.life)));
    besideData.add(bytesOfWorkspace);
    const log = { mostBytes: memory.mostLogBytes, memory: besideData };
    this.parties = makeParties(store, { ...services, meta, calls, log, faultTargets: faultTargets(apis) });
    const { client, activity } = this.parties;
    this.#directory = new Directory(client, services.project, meta);
    this.#waiting = new Waiting(store, activity, timer);
    this.#feed = new Feed(activity, timer);
    this.#certifications = new Certifications({
      ...services,
      store,
      workspace: this.parties.workspace,
      queue: services.certifying,
      addressProblem: this.parties.addressProblem,
      share: () => creatorOf(this.id, this.#meta.life),
    });
    const counted = { store, activity, workspace: this.parties.workspace, realTime };
    this.certificates = new Certificates(counted);
    this.#partner = new PartnerCount({ ...counted, certificates: this.certificates });
    this.snapshots = new Snapshots({ ...this.parties, store, storage, memory: besideData, place, warn });
    this.refused = services.observer?.refused;
    this.faults = this.parties.faults.at('served');
    this.hosts = makeHosts(this, store, services, {
      meta,
      directory: this.#directory,
      waiting: this.#waiting,
      feed: this.#feed,
      certifications: this.#certifications,
      ...others(this),
    });
  }

  /** Observes calls that are refused before the application sees them. */
  readonly refused: ((status: number) => void) | undefined;

  /** Whether another instance may already own the workspace. While that is uncertain, nothing is served (OP-199). */
  get paused(): boolean {
    return this.#store.paused;
  }

  /** Whether writes are rejected until a restart (OP-94). */
  get gaveUp(): boolean {
    return this.#store.gaveUp !== undefined;
  }

  /** Returns a trace id for a reply that the application does not create (OP-42). */
  readonly newTrace = (): string => this.parties.traces.hex(16);

  /** Returns the reply to a call that never reaches the application, in the format of the API to which the path belongs. */
  readonly refusal = (path: string, failure: RequestFailure): Rendered => {
    const [place = ''] = path.split('?', 1);
    const api = findApi(this.#services.apis)(place);
    const envelope =
      api !== undefined && isUnder(api.prefix, place) ? api.envelope(api.party(this.hosts)) : flatEnvelope;
    const { headers, ...rendered } = envelope.render(failure);
    return { ...rendered, headers: { ...envelope.headers?.(), ...headers } };
  };

  /** Fills the empty store of a new workspace from its seed. */
  seed(): Promise<void> {
    return seedEmpty(this.#store, this.parties, this.#directory, this.#meta);
  }

  /** Resets the workspace to its seed. */
  async reset(): Promise<void> {
    await this.#partner.count();
    const { line } = this.parties.listener;
    // Keep the server of a connected listener as the client URL, like a URL given at the start.
    const given = { ...this.#meta.given, ...(line !== undefined && { client_url: line.forwardTo }) };
    await seedWorkspace(this.#store, this.parties, this.#directory, { ...this.#meta, given });
    this.#forget();
  }

  /** Restores a snapshot. Returns undefined if there is none with this id. */
  async restore(id: string): Promise<SnapshotRecord | Damaged | undefined> {
    if (this.snapshots.get(id) === undefined) return undefined;
    await this.#partner.count();
    const restored = await this.snapshots.restore(id);
    if (restored !== undefined && !('kind' in restored)) this.#forget();
    return restored;
  }

  /** Continues with stored data: records the start, and adds missing magic values. */
  resume(): Promise<void> {
    return this.#store.transact((tx) => continueStored(tx, this.#meta, this.#directory, this.parties.clock.now()));
  }

  /** Marks the workspace as deleted, so that a restart does not restore it. */
  async markDeleted(): Promise<void> {
    await changeMeta(this.#store, this.#meta, () => ({ deleted: true }));
  }

  /** Its lifetime and name. A workspace counts as used while it serves a call. */
  get life(): Life {
    return { ...this.#meta.life, used: this.usage.lastUsed };
  }

  /** Changes the name or expiry of the workspace. */
  async changeLife(change: (life: Life) => Life): Promise<void> {
    const { life } = await changeMeta(this.#store, this.#meta, (meta) => ({ life: change(meta.life) }));
    this.#meta = { ...this.#meta, life };
  }

  /** Whether the workspace has no call, no work and no certification in progress, and need not stay in memory. */
  get isIdle(): boolean {
    return this.usage.open === 0 && !this.#certifications.isRunning && this.parties.runner.nextAt !== undefined;
  }

  /** Resolves with whether every acknowledged change is durable. */
  async isFlushed(): Promise<boolean> {
    if (this.paused || this.gaveUp) return false;
    // The caller of a failed write already has the error.
    const [flushed] = await Promise.allSettled([this.#store.flush()]);
    return flushed.status === 'fulfilled';
  }

  /** Returns the record that describes the workspace while it is not in memory. */
  record(): DormantWorkspace {
    const dueAt = nextDueAt(this.parties, this.#services.realTime());
    const figures = this.#partner.figures();
    return { id: this.id, ...this.identity(), life: this.life, dueAt, figures };
  }

  /** Returns the workspace for a list, with its figures up to now. */
  async listed(): Promise<WorkspaceSummary> {
    // If that fails, list the workspace anyway, with the figures of its last count.
    await this.usage
      .during(() => this.#partner.count())
      .catch(({ message }) => this.#services.warn(`Cannot count the calls of workspace ${this.id}: ${message}`));
    return { id: this.id, life: this.life, figures: this.#partner.figures() };
  }

  /** Stops its background work, stores everything, and returns its record. */
  async unload(): Promise<DormantWorkspace> {
    await this.quiet();
    if (!this.paused && !this.gaveUp) {
      try {
        const stored = this.parties.workspace.meta();
        const { used } = this.place.length > 0 ? this.life : stored.life;
        await writeLastUse(this.#store, stored, used, this.parties.clock.state());
        await this.#partner.count();
      } catch (error) {
        // Only the time of the last use is lost. Calls of the last minute are counted after the next start.
        this.#services.warn(`Cannot store when workspace ${this.id} was last used: ${(error as Error).message}`);
      }
    }
    const dormant = this.record();
    await this.close();
    return dormant;
  }

  /** Counts its calls, and stores the time of its last use if the stored one is outdated. Resolves with whether its record changed. */
  async noteUse(): Promise<boolean> {
    const isCounted = await this.#partner.count();
    const stored = this.parties.workspace.meta();
    if (!isOutdated(stored.life, this.life.used)) return isCounted;
    await writeLastUse(this.#store, stored, this.life.used, this.parties.clock.state());
    return true;
  }

  /** Starts due work. */
  start(): void {
    this.parties.runner.start();
  }

  /** Ends long polls, and stops due work after the running jobs. Calls are still served. */
  async quiet(): Promise<void> {
    // Stop certifications first, because they need all other services to finish.
    await this.#certifications.stop();
    this.#waiting.stop();
    this.#feed.stop();
    this.parties.faults.stop();
    await this.parties.runner.stop();
    await this.parties.listener.stop();
  }

  /** Aborts all outgoing calls. */
  cut(): void {
    this.#certifications.cut();
    for (const calls of outgoingCalls(this.parties)) calls.cut();
  }

  /** Closes connections and stores everything. */
  async close(): Promise<void> {
    await Promise.all(outgoingCalls(this.parties).map((calls) => calls.close()));
    await this.#store.flush();
    await this.#calls.close();
    await this.#store.close();
  }

  /** Discards circuit states, tokens and reads from before a reset or restore. */
  #forget(): void {
    const { outgoing, itself, client } = this.parties;
    for (const calls of [outgoing, itself, client.platform, client.walletReads]) calls.forget();
  }
}

/** Returns everything that makes calls on behalf of a workspace. */
function outgoingCalls({ outgoing, itself, agentCalls }: Parties) {
  return [outgoing, itself, agentCalls];
}
