import type { CallLog, SavedWithCalls } from '../activity-log/call-log.ts';
import type { WorkspaceCollections } from '../assembly/collections.ts';
import { reservedTally } from '../platform/quota.ts';
import type { Store, Tx } from '../store/store.ts';

/**
 * Calls and quota of a workspace in PostgreSQL. Its owner writes both into the store with each renewal of its lease, and when it
 * gives the workspace back, so calls wait for no transaction. The store also says how many requests the owner may accept until it
 * writes again. An owner that has used them up writes first; one that takes over counts all of them as accepted (OP-30).
 */
export class LeasedCalls implements CallLog {
  readonly saved: CallLog['saved'] = { calls: [], accepted: [] };
  readonly #store: Store<WorkspaceCollections>;
  readonly #endRenewals: () => void;
  #followed: SavedWithCalls | undefined;
  /** How many requests may be accepted before the next save, and how many were since the last one began. */
  #left = 0;
  #accepted = 0;
  #isChanged = false;
  /** Whether a save failed, so that the next one writes all of the quota. */
  #owesQuota = false;
  #saving: Promise<void> | undefined;

  /** @param onRenewed calls a listener after each renewal of the lease, and returns the undo */
  constructor(store: Store<WorkspaceCollections>, onRenewed: (listener: () => void) => () => void) {
    this.#store = store;
    this.#endRenewals = onRenewed(() => {
      // A store that refuses says so itself, and the next renewal tries again.
      if (this.#isChanged) void this.#saveOnce().catch(() => {});
    });
  }

  follow(saved: SavedWithCalls): void {
    this.#followed = saved;
  }

  async room(): Promise<void> {
    while (this.#left <= 0) await this.#saveOnce();
    this.#left -= 1;
    this.#accepted += 1;
    this.#isChanged = true;
  }

  async append(): Promise<void> {
    this.#isChanged = true;
  }

  restart(): void {
    this.#left = 0;
  }

  async close(): Promise<void> {
    this.#endRenewals();
    await this.#saving?.catch(() => {});
    // Where the workspace is somebody else's by now, they counted the reserve.
    await this.#save(0).catch(() => {});
  }

  #saveOnce(): Promise<void> {
    this.#saving ??= this.#save(this.#followed?.quota.reserve ?? 0).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #save(reserve: number): Promise<void> {
    this.#isChanged = false;
    try {
      await this.#store.transact((tx) => {
        this.#followed?.activity.save(tx);
        this.#saveQuota(tx);
        if (tx.get('tallies', reservedTally) !== reserve) tx.put('tallies', reservedTally, reserve);
        this.#accepted = 0;
      });
      this.#left = reserve - this.#accepted;
      this.#owesQuota = false;
    } catch (error) {
      [this.#isChanged, this.#owesQuota] = [true, true];
      throw error;
    }
  }

  #saveQuota(tx: Tx<WorkspaceCollections>): void {
    if (this.#owesQuota) for (const id of tx.ids('acceptedAt')) tx.remove('acceptedAt', id);
    const rows = this.#owesQuota ? this.#followed?.quota.all() : this.#followed?.quota.changed();
    for (const { at, requests } of rows ?? []) {
      if (requests === 0) tx.remove('acceptedAt', String(at));
      else tx.put('acceptedAt', String(at), { at, requests });
    }
  }
}
