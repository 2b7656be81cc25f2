import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { components } from '../../generated/sandbox/types.ts';
import type { Books, Meta } from '../assembly/books.ts';
import { endOf, isOver, newLife, usualLife } from '../assembly/life.ts';
import { secretsOf, settingsWith, streamsOf } from '../assembly/settings.ts';
import type { Control } from '../control/control.ts';
import { freshClock, standing } from '../runtime/clock.ts';
import { moveTallies } from '../runtime/numbering.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import { placeStream } from '../runtime/random.ts';
import { repeatedly } from '../runtime/timer.ts';
import type { Store, Tx } from '../store/store.ts';
import { Credentials } from './credentials.ts';
import type { StoragePlace } from './storage.ts';
import { type OpenedStore, type SharedServices, Workspace } from './workspace.ts';

type WorkspaceInput = components['schemas']['WorkspaceInput'];
type Made = components['schemas']['Workspace'];
type Summary = components['schemas']['WorkspaceSummary'];

const below = 'workspaces';
/** How often it is looked whether the life of any is over. */
const sweepMilliseconds = 60_000;

/** A new admin token. */
export function newAdminToken(): string {
  return `at_sandbox_${randomBytes(24).toString('hex')}`;
}

/** A new root of secrets. */
export function newRoot(): string {
  return randomBytes(32).toString('hex');
}

/** All workspaces of a sandbox, whose a call is (OP-63), and when one ends (OP-54). */
export class Workspaces {
  readonly #services: SharedServices;
  readonly #workspaces = new Map<string, Workspace>();
  readonly #credentials = new Credentials<Workspace>();
  /** Deletions that wait for calls under way. */
  readonly #leaving = new Set<Promise<void>>();
  #making = 0;
  #endSweeping = () => Promise.resolve();

  constructor(services: SharedServices) {
    this.#services = services;
  }

  get all(): readonly Workspace[] {
    return [...this.#workspaces.values()];
  }

  /** How they are now, for whoever runs the sandbox. */
  measured(): WorkspacesMeasured {
    const { all } = this;
    return {
      count: all.length,
      limit: this.#services.most,
      gaveUp: all.filter(({ gaveUp }) => gaveUp).length,
      paused: all.filter(({ paused }) => paused).length,
      dueLag: all.reduce((longest, { dueLag }) => Math.max(longest, dueLag), 0) / 1000,
    };
  }

  /** Moves a workspace in whose store is open. */
  add(opened: OpenedStore): Workspace {
    const workspace = this.#build(opened);
    this.#register(workspace);
    return workspace;
  }

  #build(opened: OpenedStore): Workspace {
    return new Workspace(opened, this.#services, (self) => this.#control(self));
  }

  /** From now on calls with its credentials reach it. */
  #register(workspace: Workspace): void {
    const { id, root, adminToken } = workspace.meta;
    const { companySecret, serviceToken, basic, general, gatewayToken, ownCalls, ...ofPages } = secretsOf(root);
    this.#workspaces.set(id, workspace);
    const secrets = [
      adminToken,
      companySecret,
      serviceToken,
      basic.password,
      general.password,
      gatewayToken,
      ofPages.micrositeEntry,
      ofPages.pagePlace,
    ];
    this.#credentials.add(workspace, id, secrets, ownCalls);
  }

  /** Opens the workspaces that were stored, and ends what was being made or deleted when the process died. */
  async reopen(resumed: (meta: Meta) => Meta): Promise<void> {
    const names = await this.#services.storage.list([below]);
    const opened = await Promise.allSettled(names.map((name) => this.#reopenAt(name, resumed)));
    for (const result of opened) if (result.status === 'rejected') throw result.reason;
  }

  /** Opens what is under a name. What is not the workspace of this name is left as it is. */
  async #reopenAt(name: string, resumed: (meta: Meta) => Meta): Promise<void> {
    const { storage, warn } = this.#services;
    const place = [below, name];
    const store = (await storage.has(place)) ? await storage.open(place) : undefined;
    const meta = store?.get('meta', 'workspace');
    if (store !== undefined && meta?.id === name && !meta.deleted) {
      return this.add({ place, store, meta: resumed(meta) }).resume();
    }
    await store?.close();
    if (meta?.id === name) return storage.remove(place);
    const [holds, then] =
      meta === undefined
        ? ['no workspace', 'remove it where nobody needs it']
        : [`the workspace ${meta.id}`, 'a copy is opened only under that name'];
    warn(`${below}/${name} holds ${holds}: it is left as it is; ${then}`);
  }

  /** Lets due work run by itself, and workspaces go when their life is over. */
  start(): void {
    for (const workspace of this.all) workspace.start();
    this.#endSweeping = repeatedly(this.#services.timer, () => this.#sweep(), sweepMilliseconds);
  }

  /** Whose call this is, by what its head carries. */
  ofHead({ headers }: IncomingMessage): Workspace | undefined {
    return this.#credentials.ofHeaders(headers);
  }

  /** Whether a workspace makes this call to itself. */
  isOwnCall({ headers }: IncomingMessage): boolean {
    return this.#credentials.ofOwnCall(headers) !== undefined;
  }

  /** Whose credential this is. */
  ofCredential(credential: string): Workspace | undefined {
    return this.#credentials.ofCredential(credential);
  }

  /** Ends all waiting, and due work after the pieces that are running. Calls are still served. */
  async quiet(): Promise<void> {
    await this.#endSweeping();
    await Promise.all(this.all.map((workspace) => workspace.quiet()));
  }

  /** Breaks off all outgoing calls, and makes none any more. What they were to tell is told after the next start. */
  cut(): void {
    for (const workspace of this.all) workspace.cut();
  }

  /** Stores everything, after deletions under way have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#leaving);
    await Promise.all(this.all.map((workspace) => workspace.close()));
  }

  /**
   * What a workspace may do about itself and others: make them, and, where it is the demo workspace, see and remove
   * them.
   */
  #control(self: Workspace): Control['workspaces'] {
    const operator = self.place.length === 0;
    return {
      most: this.#services.most,
      // After a start they are there in the order in which they were opened, which is nobody's.
      list: () => (operator ? this.all.toSorted(byMaking) : [self]).map(summary),
      create: async ({ seed, clock = 'running', settings = {}, expires_in = usualLife }: WorkspaceInput) => {
        const refused = self.parties.workspace.refusalOf(settings);
        if (refused !== undefined) return refused;
        const given = settingsWith({}, settings);
        const chosen = seed === undefined ? { seed: 'demo' } : { seed, ownSeed: true as const };
        const start = { ...chosen, starts: 1, clock: freshClock(clock), settings: given, given };
        return this.#make(start, expires_in);
      },
      fork: async (id) => {
        const snapshot = self.snapshots.get(id);
        if (snapshot === undefined) return { kind: 'not_found' };
        return self.snapshots.read(id, async (content, meta) => {
          // Its codes come from its own root: two that draw from one stream would have the same ones.
          const { ownSeed: _, ...kept } = meta;
          const clock = standing(meta.clock.mode, snapshot.instant, this.#services.realTime());
          return this.#make({ ...kept, clock }, self.meta.life.expiresIn ?? usualLife, (store, own) => {
            const change = (tx: Tx<Books>) => {
              tx.put('meta', 'workspace', own);
              placeStream(tx, streamsOf(own, own.starts).books);
              moveTallies(tx);
            };
            return store.replace({ content, change });
          });
        });
      },
      remove: async (id) => {
        const named = operator || id === self.id ? this.#workspaces.get(id) : undefined;
        if (named === undefined || named.place.length === 0) return false;
        await this.#remove(named);
        return true;
      },
    };
  }

  /**
   * Makes a workspace with secrets of its own and lets it run; undefined when there are as many as there can be.
   *
   * @param fill fills its books; left out, they are seeded
   */
  async #make(start: Start, expiresIn: number, fill?: Fill): Promise<Made | undefined> {
    // Those whose life is over make room.
    if (this.#full()) await this.#sweep();
    if (this.#full()) return undefined;
    this.#making += 1;
    try {
      const id = `ws_${randomBytes(8).toString('hex')}`;
      const life = newLife(this.#services.realTime(), expiresIn);
      const meta = { ...start, id, root: newRoot(), adminToken: newAdminToken(), life };
      const workspace = await this.#fill([below, id], meta, fill);
      this.#register(workspace);
      workspace.start();
      return workspace.parties.workspace.shown();
    } finally {
      this.#making -= 1;
    }
  }

  #full(): boolean {
    return this.#workspaces.size + this.#making >= this.#services.most;
  }

  /** A workspace with everything in it. Where that fails, nothing of it stays. */
  async #fill(place: StoragePlace, meta: Meta, fill: Fill | undefined): Promise<Workspace> {
    const { storage, warn } = this.#services;
    let store: Store<Books> | undefined;
    try {
      store = await storage.open(place);
      const unfinished = { ...meta, deleted: true } as const;
      // Until it is whole, it is to go: a start after a crash removes nothing else.
      await store.transact((tx) => tx.put('meta', 'workspace', unfinished));
      const workspace = this.#build({ place, store, meta });
      await (fill === undefined ? workspace.seed() : this.#fillWith(fill, store, unfinished));
      return workspace;
    } catch (error) {
      const closed = store?.close() ?? Promise.resolve();
      const left = closed.finally(() => storage.remove(place));
      await left.catch((why: Error) =>
        warn(`what was made of workspace ${meta.id} could not be removed: ${why.message}`),
      );
      throw error;
    }
  }

  /** Fills the books otherwise, and notes that they are whole. */
  async #fillWith(fill: Fill, store: Store<Books>, unfinished: Meta): Promise<void> {
    await fill(store, unfinished);
    await store.transact((tx) => {
      const { deleted: _, ...whole } = tx.get('meta', 'workspace') ?? unfinished;
      tx.put('meta', 'workspace', whole);
    });
  }

  /** Removes workspaces whose life is over, and writes down when the others were used last. */
  async #sweep(): Promise<void> {
    await Promise.all(
      this.all.map((workspace) => {
        const done = isOver(workspace.life, this.#services.realTime()) ? this.#remove(workspace) : workspace.noteUse();
        return done.catch((error: Error) =>
          this.#services.warn(`the life of workspace ${workspace.id}: ${error.message}`),
        );
      }),
    );
  }

  /** Its credentials open nothing from now on; its data goes when its last call has ended. */
  async #remove(workspace: Workspace): Promise<void> {
    await workspace.markDeleted();
    // Whoever asked at the same time was quicker.
    if (!this.#workspaces.delete(workspace.id)) return;
    this.#credentials.remove(workspace);
    const left = this.#release(workspace)
      .catch((error: Error) => this.#services.warn(`workspace ${workspace.id} could not be removed: ${error.message}`))
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  async #release(workspace: Workspace): Promise<void> {
    await workspace.quiet();
    await workspace.idle();
    await workspace.close();
    await this.#services.storage.remove(workspace.place);
  }
}

/** The oldest first; those of one instant as they were. */
function byMaking(one: Workspace, other: Workspace): number {
  return one.life.made - other.life.made;
}

/** A workspace as it is listed. */
function summary({ id, life }: Workspace): Summary {
  const iso = (instant: number) => new Date(instant).toISOString();
  const end = endOf(life);
  const expires_at = end === null ? null : iso(end);
  return { id, created_at: iso(life.made), last_used_at: iso(life.used), expires_at };
}

type Start = Omit<Meta, 'id' | 'root' | 'adminToken' | 'life'>;
type Fill = (store: Store<Books>, meta: Meta) => Promise<void>;
