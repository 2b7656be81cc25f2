import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Activity, keyOf } from '../activity-log/activity.ts';
import { type CallLog, forgetfulCallLog } from '../activity-log/call-log.ts';
import { Feed } from '../activity-log/feed.ts';
import { makeAgents } from '../assembly/agents.ts';
import { faultTargets, hostedOperations, makeMounts } from '../assembly/apis.ts';
import { makeApplication } from '../assembly/application.ts';
import { Certifications } from '../assembly/certifications.ts';
import type { Meta, SnapshotRecord, WorkspaceCollections } from '../assembly/collections.ts';
import { makeControl } from '../assembly/control.ts';
import { moveEarlier } from '../assembly/earlier-collections.ts';
import { creatorOf, isOutdated, type Life } from '../assembly/life.ts';
import { ObservedCalls } from '../assembly/observed-calls.ts';
import { makePages } from '../assembly/pages.ts';
import { makeParties, type Parties } from '../assembly/parties.ts';
import { streamsOf } from '../assembly/settings.ts';
import { Directory } from '../client/directory.ts';
import { ActivityFindings } from '../conformance/activity-findings.ts';
import { flatEnvelope, type Rendered } from '../contract/envelopes.ts';
import type { RequestFailure } from '../contract/failures.ts';
import { type Mount, mountOf } from '../contract/mount.ts';
import type { Control } from '../control/control.ts';
import { stampKeptReplies } from '../platform/idempotent-replies.ts';
import { once } from '../runtime/once.ts';
import { placeStream } from '../runtime/random.ts';
import { Waiting } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import { digestsOf, type SecretDigests } from './credentials.ts';
import { seedEmpty, seedMagic, seedWorkspace } from './seed.ts';
import type { OpenedStore, SharedServices } from './services.ts';
import { type Damaged, mostSnapshots, Snapshots } from './snapshots.ts';
import type { StoragePlace } from './storage.ts';
import type { DormantWorkspace } from './workspace-record.ts';

/** What answers the calls of a workspace. */
interface Application {
  readonly mounts: readonly Mount[];
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** One workspace as it runs: its own store, clock, parties, faults and application. */
export class Workspace {
  readonly id: string;
  readonly parties: Parties;
  readonly snapshots: Snapshots;
  readonly place: StoragePlace;
  readonly #application: () => Application;
  readonly #store: Store<WorkspaceCollections>;
  readonly #calls: CallLog;
  readonly #directory: Directory;
  readonly #waiting: Waiting;
  readonly #feed: Feed;
  readonly #certifications: Certifications;
  readonly #realTime: () => number;
  readonly #digests: () => SecretDigests;
  readonly #whenIdle: (() => void) | undefined;
  readonly #warn: (message: string) => void;
  #meta: Meta;
  #open = 0;
  #used: number;
  #idle: (() => void) | undefined;

  constructor(
    { place, store, meta, calls = forgetfulCallLog }: OpenedStore,
    services: SharedServices,
    workspaces: (workspace: Workspace) => Control['workspaces'],
  ) {
    const { apis, storage, timer, watch, version, warn, realTime } = services;
    this.id = meta.id;
    this.#meta = meta;
    this.place = place;
    this.#store = store;
    this.#calls = calls;
    this.#realTime = realTime;
    this.#used = meta.life.used;
    this.#digests = once(() => digestsOf(meta));
    this.#whenIdle = services.whenIdle;
    this.#warn = warn;
    this.parties = makeParties(store, {
      ...services,
      meta,
      calls,
      faultTargets: faultTargets(apis),
    });
    const { platform, client, traces, spans, activity, faults } = this.parties;
    this.#directory = new Directory(client, services.project, meta);
    this.#waiting = new Waiting(changesOf(store, activity), timer);
    this.#feed = new Feed(activity, timer);
    this.#certifications = new Certifications({
      ...{ ...services, store, workspace: this.parties.workspace, queue: services.certifying },
      addressProblem: platform.addressProblem,
      share: () => creatorOf(this.id, this.meta.life),
    });
    this.snapshots = new Snapshots({ ...this.parties, store, storage, place, warn });
    const control = makeControl(store, this.parties, {
      version,
      customers: this.#directory,
      waiting: this.#waiting,
      feed: this.#feed,
      faults,
      findings: new ActivityFindings(activity, this.#waiting),
      reset: () => this.reset(),
      workspaces: workspaces(this),
      certifications: this.#certifications,
      agents: makeAgents({
        ...{ version, origin: services.origin, calls: this.parties.agentCalls, adminToken: meta.adminToken },
      }),
      hosted: () => hostedOperations(apis),
      snapshots: {
        most: mostSnapshots,
        list: () => this.snapshots.list(),
        take: (name, trace) => this.snapshots.take(name, trace),
        remove: (id, trace) => this.snapshots.remove(id, trace),
        restore: (id) => this.restore(id),
      },
    });
    const pages = makePages(store, this.parties, this.#waiting, services.docs !== undefined);
    const { web, serve, docs, observer } = services;
    const observed = observer && new ObservedCalls(observer, meta.id);
    this.refused = observer?.refused;
    this.#application = once(() => {
      const served = serve({ platform, client, control, adminToken: meta.adminToken, web, pages });
      const mounts = makeMounts(apis, served, watch, faults.at('served'));
      return {
        mounts,
        serve: makeApplication(apis, mounts, {
          traces,
          spans,
          now: () => activity.now(),
          log: (call) => activity.call(call),
          watch,
          docs,
          observed,
        }).callback(),
      };
    });
    // What does not fit its contract must not start; the others are made of the same, each when it is first called.
    if (place.length === 0) this.#application();
  }

  /** Observes calls that are refused before the application sees them. */
  readonly refused: ((status: number) => void) | undefined;

  /** Serves one call. Resolves when nothing is left to do but to let the reply be read. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    return this.#application().serve(request, response).finally(this.#over);
  }

  /** How it began, and how long it lives. */
  get meta(): Meta {
    return this.#meta;
  }

  /** Whether another instance may own it by now. While that is uncertain, nothing is served (OP-199). */
  get paused(): boolean {
    return this.#store.paused;
  }

  /** Whether writes are rejected until a restart (OP-94). */
  get gaveUp(): boolean {
    return this.#store.gaveUp !== undefined;
  }

  /** How long its oldest due work has been waiting, in milliseconds. */
  get dueLag(): number {
    return this.parties.runner.lag;
  }

  /** A trace id for a reply that the application does not make (OP-42). */
  readonly newTrace = (): string => this.parties.traces.hex(16);

  /** Counts work under way that does not count as use. Call the returned function when it ends. */
  begin(): () => void {
    this.#open += 1;
    return this.#left;
  }

  /** Counts a call among those that are open, until its reply is over. */
  count(response: ServerResponse): void {
    this.#used = this.#realTime();
    // The caller disconnected before the listener was added, so no close event follows.
    if (response.closed) return;
    this.#open += 1;
    response.on('close', this.#over);
  }

  /** One thing less is under way: a call is over when its reply is, and its work too. */
  readonly #over = (): void => {
    this.#used = this.#realTime();
    this.#left();
  };

  readonly #left = (): void => {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#idle?.();
    this.#whenIdle?.();
  };

  /**
   * What is answered to a call that never reaches the application, in the form of the address that its path is under.
   */
  readonly refusal = (path: string, failure: RequestFailure): Rendered => {
    const [place = ''] = path.split('?', 1);
    const envelope = mountOf(this.#application().mounts, place)?.envelope ?? flatEnvelope;
    const { headers, ...rendered } = envelope.render(failure);
    return { ...rendered, headers: { ...envelope.headers?.(), ...headers } };
  };

  /** Fills the empty store of a new workspace from its seed. */
  seed(): Promise<void> {
    return seedEmpty(this.#store, this.parties, this.#directory, this.meta);
  }

  /** Back to the seed. */
  async reset(): Promise<void> {
    await seedWorkspace(this.#store, this.parties, this.#directory, this.meta);
    this.#forget();
  }

  /** Back to a snapshot; undefined when there is none with this id. */
  async restore(id: string): Promise<SnapshotRecord | Damaged | undefined> {
    const restored = await this.snapshots.restore(id);
    if (restored !== undefined && !('kind' in restored)) this.#forget();
    return restored;
  }

  /** Continues with stored data: records the start, and adds what the stored version lacks. */
  resume(): Promise<void> {
    return this.#store.transact((tx) => {
      tx.put('meta', 'workspace', this.meta);
      // Data of an older version has no stream.
      if (tx.get('streams', 'books') === undefined) placeStream(tx, streamsOf(this.meta, this.meta.starts).books);
      const now = this.parties.clock.now();
      seedMagic(tx, this.#directory, now);
      stampKeptReplies(tx, now);
      moveEarlier(tx);
    });
  }

  /** Marks the workspace as deleted, so that a restart does not bring it back. */
  markDeleted(): Promise<void> {
    return this.#store.transact((tx) => {
      const meta = tx.get('meta', 'workspace') ?? this.meta;
      tx.put('meta', 'workspace', { ...meta, deleted: true });
    });
  }

  /** Its expiry. A workspace counts as used while it serves a call. */
  get life(): Life {
    return { ...this.meta.life, used: this.#open > 0 ? this.#realTime() : this.#used };
  }

  /** Changes name or expiry. */
  async changeLife(change: (life: Life) => Life): Promise<void> {
    const life = await this.#store.transact((tx) => {
      const meta = tx.get('meta', 'workspace') ?? this.meta;
      const changed = change(meta.life);
      tx.put('meta', 'workspace', { ...meta, life: changed });
      return changed;
    });
    this.#meta = { ...this.#meta, life };
  }

  /** Digests of its credentials. */
  get digests(): SecretDigests {
    return this.#digests();
  }

  /** Whether nothing is under way that needs it in memory: no call, no work, no certification. */
  get isIdle(): boolean {
    return this.#open === 0 && !this.#certifications.isRunning && this.parties.runner.nextAt !== undefined;
  }

  /** Resolves with whether every acknowledged change is durable. */
  async isFlushed(): Promise<boolean> {
    if (this.paused || this.gaveUp) return false;
    try {
      await this.#store.flush();
      return true;
    } catch {
      // The caller whose write failed has the error already.
      return false;
    }
  }

  /** The record that describes it while it is not in memory. */
  record(): DormantWorkspace {
    const { clock, runner } = this.parties;
    const next = runner.nextAt;
    const { mode, value } = clock.state();
    // The next due time is unknown while work runs: look again immediately.
    const dueAt = next === undefined ? this.#realTime() : mode === 'frozen' || next === null ? null : next - value;
    return { id: this.id, digests: this.digests, life: this.life, dueAt };
  }

  /** Stops its background work, stores everything, and returns its record. */
  async unload(): Promise<DormantWorkspace> {
    await this.quiet();
    if (this.place.length > 0 && !this.paused && !this.gaveUp) await this.#writeLastUse();
    const dormant = this.record();
    await this.close();
    return dormant;
  }

  /** Stores the time of its last use if the stored one is outdated. Resolves with whether it did. */
  async noteUse(): Promise<boolean> {
    if (!isOutdated(this.parties.workspace.meta().life, this.life.used)) return false;
    await this.#writeUse();
    return true;
  }

  /** Stores the last use when it unloads. A failed write loses only that time. */
  async #writeLastUse(): Promise<void> {
    try {
      await this.#writeUse();
    } catch (error) {
      this.#warn(`Cannot store when workspace ${this.id} was last used: ${(error as Error).message}`);
    }
  }

  /** Stores the time of its last use, unless it is stored already. */
  async #writeUse(): Promise<void> {
    const { life } = this;
    if (this.parties.workspace.meta().life.used === life.used) return;
    await this.#store.transact((tx) => {
      const meta = tx.get('meta', 'workspace') ?? this.meta;
      // Name and end may have been changed while this waited for its turn.
      tx.put('meta', 'workspace', { ...meta, life: { ...meta.life, used: life.used } });
    });
  }

  /** Starts due work. */
  start(): void {
    this.parties.runner.start();
  }

  /** Ends long polls, and due work once the running jobs have ended. Calls are still served. */
  async quiet(): Promise<void> {
    // A certification needs all other services to finish.
    await this.#certifications.stop();
    this.#waiting.stop();
    this.#feed.stop();
    this.parties.faults.stop();
    await this.parties.runner.stop();
  }

  /** Aborts all outgoing calls. */
  cut(): void {
    this.#certifications.cut();
    const { outgoing, itself, agentCalls } = this.parties;
    for (const calls of [outgoing, itself, agentCalls]) calls.cut();
  }

  /** Resolves when no call is being served. */
  idle(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    return promise;
  }

  /** Closes connections and stores everything. */
  async close(): Promise<void> {
    const { outgoing, itself, agentCalls } = this.parties;
    await Promise.all([outgoing.close(), itself.close(), agentCalls.close()]);
    await this.#store.flush();
    await this.#calls.close();
    await this.#store.close();
  }

  /** Clears what was learned from calls before a reset or restore. */
  #forget(): void {
    const { outgoing, itself, client } = this.parties;
    for (const calls of [outgoing, itself, client.platform, client.walletReads]) calls.forget();
  }
}

/** Changes that end a long poll: commits, and calls, which are not committed. */
function changesOf(
  store: Store<WorkspaceCollections>,
  activity: Activity,
): Pick<Store<WorkspaceCollections>, 'onCommit'> {
  return {
    onCommit: (listener) => {
      const ends = [
        store.onCommit(listener),
        activity.onUpdate((entries) => {
          if (entries === 'everything') return;
          const calls = entries.filter(({ kind }) => kind !== 'state');
          listener(calls.map((record) => ({ collection: 'activity', id: keyOf(record), record })));
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
