import type { CallLog, SavedWithCalls } from '../activity-log/call-log.ts';
import { type WorkspaceCollections, workspaceSchema } from '../assembly/collections.ts';
import { reservedTally } from '../platform/quota.ts';
import type { ByteBudget } from '../store/byte-budget.ts';
import { damagedError, type Entry, slicesIn, textsOf } from '../store/encoding.ts';
import type { Slice, Slices } from '../store/row.ts';
import type { Sealer, SealLabel } from '../store/seal.ts';
import { type Store, StoreError, type Tx } from '../store/store.ts';
import { newRoot } from '../workspaces/registry.ts';
import type { Storage, StoragePlace } from '../workspaces/storage.ts';
import { partPlace } from './postgres/checkpoints.ts';
import type { Database } from './postgres/database.ts';
import type { Instance } from './postgres/instance.ts';
import { openBody, openPostgresStore, type PostgresOptions } from './postgres/open.ts';

export interface PostgresStorageOptions
  extends Pick<PostgresOptions<WorkspaceCollections>, 'warn' | 'observer' | 'isPatient'> {
  readonly database: Database;
  readonly instance: Instance;
  readonly sealer: Sealer;
  /** Creates the budget of a workspace's collections. */
  readonly newBudget?: ((maxBytes?: number) => ByteBudget) | undefined;
}

/** Returns storage with each store in a database. The database and the instance outlive it. */
export function postgresStorage({ newBudget, ...parts }: PostgresStorageOptions): Omit<Storage, 'close'> {
  const { database, instance, sealer } = parts;
  const name = (place: StoragePlace) => place.join('/');
  return {
    open: (place) =>
      openPostgresStore({ ...parts, place: name(place), schema: workspaceSchema, budget: newBudget?.() }),
    openCalls: async (_place, store) => new LeasedCalls(store, (listener) => instance.onRenewed(listener)),
    write: (place, content) => writeCopy(database, sealer, name(place), newRoot(), content),
    read: (place) => readCopy(database, sealer, name(place)),
    sizeOf: async () => 0,
    has: async (place) =>
      (await database.rows('select 1 from stores where place = $1 and head > 0', [name(place)])).length > 0,
    // Incomplete content is marked as such in the tables.
    isVacant: async () => false,
    list: (place) => namesBelow(database, name(place)),
    async remove(place) {
      await removeContent(database, name(place));
      await removeFrom(copyTables, database, name(place));
    },
    time: () => instance.clock.time(),
    measured: () => ({ lease: instance.lease, clockSkew: instance.clock.skew() }),
  };
}

/**
 * The calls and the quota of a workspace in PostgreSQL. Its owner saves both in the store with each renewal of its
 * lease, and when it releases the workspace. Calls therefore never wait for a transaction.
 *
 * The store also contains the number of requests that the owner may accept before the next save. After that many, the
 * owner saves first. A new owner counts all of them as accepted (OP-30).
 */
export class LeasedCalls implements CallLog {
  readonly saved: CallLog['saved'] = { calls: [], accepted: [] };
  readonly #store: Store<WorkspaceCollections>;
  readonly #endRenewals: () => void;
  #followed: SavedWithCalls | undefined;
  /** The number of requests that may be accepted before the next save, and of those accepted since the last one. */
  #left = 0;
  #accepted = 0;
  #isChanged = false;
  /** Whether a save failed, so that the next one writes the whole quota. */
  #owesQuota = false;
  #saving: Promise<void> | undefined;

  /** @param onRenewed adds a listener for each renewal of the lease, and returns a function that removes it */
  constructor(store: Store<WorkspaceCollections>, onRenewed: (listener: () => void) => () => void) {
    this.#store = store;
    this.#endRenewals = onRenewed(() => {
      // A failing store reports its own errors, and the next renewal tries again.
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
    // If another instance already owns the workspace, it has counted the reserve as accepted.
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

/** Writes a copy of content, in place of any copies at or below this location. Rejects with `refused` if PostgreSQL refuses it. */
async function writeCopy(database: Database, sealer: Sealer, place: string, version: string, content: Slices) {
  await removeFrom(copyTables, database, place);
  const { seal, label } = sealer.fresh();
  let parts = 0;
  try {
    for await (const text of textsOf(content)) {
      parts += 1;
      const body = seal.closeBytes(Buffer.from(text), partPlace(place, version, parts));
      await database.rows('insert into copy_parts values ($1, $2, $3, $4)', [place, version, parts, body]);
    }
    await database.rows('insert into copies values ($1, $2, $3, $4)', [place, version, parts, JSON.stringify(label)]);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('refused', `Cannot write the copy ${place}: ${String(cause)}`, { cause });
  }
}

/** Yields the content of a copy. Rejects with `damaged` if the copy is missing or was changed. */
async function* readCopy(database: Database, sealer: Sealer, place: string): AsyncGenerator<Slice, void, void> {
  const [row] = await database.rows('select version, parts, label from copies where place = $1', [place]);
  if (row === undefined) throw damagedError(place, 'it is missing');
  const { version, parts, label } = row as { version: string; parts: number; label: SealLabel };
  const seal = sealer.existing(label, place);
  for (let part = 1; part <= parts; part += 1) {
    const [found] = await database.rows(selectCopyPart, [place, version, part]);
    const name = partPlace(place, version, part);
    if (found === undefined) throw damagedError(place, name);
    yield* slicesIn(openBody(seal, found.body as Buffer, name, place) as Entry[]);
  }
}

const copyTables = ['copies', 'copy_parts'];
const selectCopyPart = 'select body from copy_parts where place = $1 and version = $2 and part = $3';

/** Deletes the rows at a location and below it. */
async function removeFrom(tables: readonly string[], database: Database, place: string): Promise<void> {
  for (const table of tables) {
    await database.rows(`delete from ${table} where place = $1 or starts_with(place, $1 || '/')`, [place]);
  }
}

/** Returns the names of the collections, copies and folders directly below a location. The root is ''. */
async function namesBelow(database: Database, place: string): Promise<readonly string[]> {
  const prefix = place === '' ? '' : `${place}/`;
  const rows = await database.rows(
    `select distinct split_part(substr(place, length($1) + 1), '/', 1) as name
      from (select place from stores union all select place from copies) as stored
      where starts_with(place, $1) and length(place) > length($1)`,
    [prefix],
  );
  return rows.map(({ name }) => String(name));
}

/** Deletes closed collections and everything below them, with their workspace records and credentials. */
async function removeContent(database: Database, place: string): Promise<void> {
  const removal = `delete from workspaces where place = $1 or starts_with(place, $1 || '/') returning id`;
  await database.rows(`with gone as (${removal}) delete from credentials where id in (select id from gone)`, [place]);
  await removeFrom(['commit_log', 'documents', 'stores'], database, place);
}
