import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { components } from '../generated/sandbox/types.ts';
import type { Books, Meta, SnapshotRecord } from './books.ts';
import type { Control } from './control/control.ts';
import { Identities } from './identities.ts';
import { freshClock } from './runtime/clock.ts';
import { copyBooks } from './snapshots.ts';
import type { Place } from './storage.ts';
import type { Store } from './store/store.ts';
import { type House, type Lease, Tenant } from './tenant.ts';
import { secretsOf, settingsWith } from './workspace.ts';

type Wish = components['schemas']['WorkspaceInput'];
type Made = components['schemas']['Workspace'];

/** Most workspaces, the demo workspace included (OP-63). */
const most = 100;
const below = 'workspaces';

/** A new admin token. */
export function newAdminToken(): string {
  return `at_sandbox_${randomBytes(24).toString('hex')}`;
}

/** All workspaces of a sandbox, and whose a call is (OP-63). */
export class Workspaces {
  readonly #house: House;
  readonly #tenants = new Map<string, Tenant>();
  readonly #identities = new Identities<Tenant>();
  /** Deletions that wait for calls under way. */
  readonly #leaving = new Set<Promise<void>>();
  #making = 0;

  constructor(house: House) {
    this.#house = house;
  }

  get all(): readonly Tenant[] {
    return [...this.#tenants.values()];
  }

  /** Moves a workspace in whose store is open. */
  admit(lease: Lease): Tenant {
    const tenant = new Tenant(lease, this.#house, (self) => this.#control(self));
    const { id, root, adminToken } = lease.meta;
    const { companySecret, serviceToken, basic, general, ownCalls, micrositeEntry, pagePlace } = secretsOf(root);
    this.#tenants.set(id, tenant);
    const secrets = [
      adminToken,
      companySecret,
      serviceToken,
      basic.password,
      general.password,
      ownCalls,
      micrositeEntry,
      pagePlace,
    ];
    this.#identities.add(tenant, id, secrets);
    return tenant;
  }

  /** Opens the workspaces that were stored, and ends what was being made or deleted when the process died. */
  async reopen(resumed: (meta: Meta) => Meta): Promise<void> {
    const { storage } = this.#house;
    const names = await storage.list([below]);
    const opened = await Promise.allSettled(
      names.map(async (name) => {
        const place = [below, name];
        const store = await storage.open(place);
        const meta = store.get('meta', 'workspace');
        if (meta === undefined || meta.deleted) {
          await store.close();
          await storage.remove(place);
        } else await this.admit({ place, store, meta: resumed(meta) }).resume();
      }),
    );
    for (const result of opened) if (result.status === 'rejected') throw result.reason;
  }

  /** Whose call this is, by what its head carries. */
  ofHead({ headers }: IncomingMessage): Tenant | undefined {
    return this.#identities.ofHeaders(headers);
  }

  /** Whose credential this is. */
  ofCredential(credential: string): Tenant | undefined {
    return this.#identities.ofCredential(credential);
  }

  /** Ends all waiting, and due work after the pieces that are running. Calls are still served. */
  async quiet(): Promise<void> {
    await Promise.all(this.all.map((tenant) => tenant.quiet()));
  }

  /** Stores everything, after deletions under way have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#leaving);
    await Promise.all(this.all.map((tenant) => tenant.close()));
  }

  /** What a workspace may do about others: make them, and remove itself. */
  #control(self: Tenant): Control['workspaces'] {
    return {
      most,
      create: async ({ seed = 'demo', clock = 'running', settings = {} }: Wish) => {
        const refused = self.parties.workspace.refusalOf(settings);
        if (refused !== undefined) return refused;
        const given = settingsWith({}, settings);
        const start = { seed, starts: 1, clock: freshClock(clock), settings: given, given };
        return this.#make(start, async () => undefined);
      },
      fork: async (id) => {
        const snapshot = self.snapshots.get(id);
        if (snapshot === undefined) return { kind: 'not_found' };
        return self.snapshots.read(id, async (copy) => {
          const meta = copy.get('meta', 'workspace');
          if (meta === undefined) throw new Error(`snapshot ${id} is of no workspace`);
          return this.#make(meta, async (store, own) => {
            await store.transact((tx) => {
              copyBooks(copy, tx);
              tx.put('meta', 'workspace', own);
            });
            return snapshot;
          });
        });
      },
      remove: async (id) => {
        if (id !== self.id || self.place.length === 0 || !this.#tenants.has(id)) return false;
        await this.#remove(self);
        return true;
      },
    };
  }

  /**
   * Makes a workspace with secrets of its own and lets it run; undefined when there are as many as there can be.
   *
   * @param fill fills its store; where it answers a snapshot, the workspace goes on from there, else it is seeded
   */
  async #make(start: Omit<Meta, 'id' | 'root' | 'adminToken'>, fill: Fill): Promise<Made | undefined> {
    if (this.#tenants.size + this.#making >= most) return undefined;
    this.#making += 1;
    try {
      const id = `ws_${randomBytes(8).toString('hex')}`;
      const root = randomBytes(32).toString('hex');
      const meta = { ...start, id, root, adminToken: newAdminToken() };
      const place: Place = [below, id];
      const store = await this.#house.storage.open(place);
      const snapshot = await fill(store, meta);
      const tenant = this.admit({ place, store, meta });
      if (snapshot === undefined) await tenant.seed();
      else await tenant.goOnFrom(snapshot);
      tenant.start();
      return tenant.parties.workspace.shown();
    } finally {
      this.#making -= 1;
    }
  }

  /** Its credentials open nothing from now on; its data goes when its last call has ended. */
  async #remove(tenant: Tenant): Promise<void> {
    await tenant.condemn();
    this.#tenants.delete(tenant.id);
    this.#identities.remove(tenant);
    const left = this.#moveOut(tenant)
      .catch((error: Error) => this.#house.warn(`workspace ${tenant.id} could not be removed: ${error.message}`))
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  async #moveOut(tenant: Tenant): Promise<void> {
    await tenant.quiet();
    await tenant.idle();
    await tenant.close();
    await this.#house.storage.remove(tenant.place);
  }
}

type Fill = (store: Store<Books>, meta: Meta) => Promise<SnapshotRecord | undefined>;
