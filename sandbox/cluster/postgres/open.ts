import type { ByteBudget } from '../../store/byte-budget.ts';
import type { CommitObserver } from '../../store/commit-log.ts';
import { type BatchEntries, batchOf, damagedError, type Entry, orDamaged, slicesIn } from '../../store/encoding.ts';
import { placeName, type Seal, type Sealer } from '../../store/seal.ts';
import { OwnedElsewhere, type Reader, type Store, StoreError, type StoreSchema } from '../../store/store.ts';
import { Transactor } from '../../store/transactor.ts';
import { WorkingSet } from '../../store/working-set.ts';
import { partPlace } from './checkpoints.ts';
import { type Claim, claim, claimColumns, claimOf, releaseClaim } from './claims.ts';
import type { Database } from './database.ts';
import { type Instance, leaseMilliseconds } from './instance.ts';
import { batchPlace, type LogParts, PostgresLog } from './log.ts';

/** The options for opening the collections of one workspace. */
export interface PostgresOptions<Collections> {
  readonly database: Database;
  readonly instance: Instance;
  /** The name of the collections; '' for those of the demo workspace. */
  readonly place: string;
  readonly schema: StoreSchema<Collections>;
  readonly sealer: Sealer;
  /** Reports problems that the operator should know about, although the store continues. */
  readonly warn: (message: string) => void;
  /** Counts the bytes of the collections. If they cannot be opened, the bytes are released. */
  readonly budget?: ByteBudget | undefined;
  /** Observes writes, for metrics. */
  readonly observer?: CommitObserver | undefined;
  /** Whether to wait for the lease of a possibly dead owner to end. */
  readonly isPatient: boolean;
}

/** Rows per query. A part has about 64 KB, and a batch has up to a few megabytes. */
const rowsAtOnce = 16;

/**
 * Opens the collections of a workspace in PostgreSQL. Rejects with `locked` if another instance still owns them.
 * Rejects with `wrong_key` if they were written with another key, and with `damaged` if any data is missing or changed.
 */
export async function openPostgresStore<Collections>(
  options: PostgresOptions<Collections>,
): Promise<Store<Collections>> {
  const { database, place, sealer, schema, warn, budget } = options;
  const claim = await takeOwnership(options);
  try {
    const seal = sealer.existing(claim.label, placeName(place));
    const working = new WorkingSet(schema, budget);
    const sizes = await readAll({ database, place, claim, seal, working });
    const log = new PostgresLog({ ...options, ...sizes, claim, seal, working });
    return new Transactor(working, log, warn, options.observer);
  } catch (error) {
    budget?.release();
    await releaseClaim(database, place, claim.fence);
    throw error;
  }
}

/** Claims the collections. If `isPatient`, first waits for the lease of a dead owner to end. */
async function takeOwnership<Collections>(options: PostgresOptions<Collections>): Promise<Claim> {
  const { database, instance, place, sealer, isPatient } = options;
  const until = isPatient ? instance.now() + leaseMilliseconds + 500 : Number.NEGATIVE_INFINITY;
  for (;;) {
    const found = await claim(database, instance, place, sealer.fresh().label);
    if ('fence' in found) return found;
    if (instance.now() > until) throw new OwnedElsewhere(placeName(place), found.address);
    await database.rest();
  }
}

/**
 * Reads collections without claiming them. Returns undefined if there are none yet. The content is a consistent state
 * at some point in time. Rejects with `wrong_key` or `damaged`, as `openPostgresStore` does.
 */
export async function peekPostgresStore<Collections>(
  { database, place, schema, sealer }: Pick<PostgresOptions<Collections>, 'database' | 'place' | 'schema' | 'sealer'>,
  tries = 5,
): Promise<Reader<Collections> | undefined> {
  const [row] = await database.rows(`select ${claimColumns} from stores where place = $1`, [place]);
  const stored = row && claimOf(row);
  if (stored === undefined || stored.head === 0) return undefined;
  const working = new WorkingSet(schema);
  try {
    const seal = sealer.existing(stored.label, placeName(place));
    await readAll({ database, place, claim: stored, seal, working });
    return working;
  } catch (error) {
    // The owner may have moved the checkpoint meanwhile.
    if (tries > 1 && error instanceof StoreError && error.code === 'damaged') {
      return peekPostgresStore({ database, place, schema, sealer }, tries - 1);
    }
    throw error;
  }
}

type Source<Collections> = Pick<LogParts<Collections>, 'database' | 'place' | 'claim' | 'seal' | 'working'>;

/** Reads the documents, and then the later batches. Resolves with the sizes of both, in bytes. */
async function readAll<Collections>(source: Source<Collections>) {
  return { documentBytes: await readDocuments(source), logBytes: await readLog(source) };
}

async function readDocuments<Collections>({ database, place, claim, seal, working }: Source<Collections>) {
  const { checkpoint } = claim;
  let [count, bytes] = [0, 0];
  for (;;) {
    const rows = await database.rows(
      'select part, body from documents where place = $1 and number = $2 and part > $3 order by part limit $4',
      [place, checkpoint, count, rowsAtOnce],
    );
    for (const { part, body } of rows as { part: number; body: Buffer }[]) {
      count += 1;
      bytes += body.length;
      if (part !== count) throw damagedError(placeName(place), `part ${count} of its content`);
      const text = openBody(seal, body, partPlace(place, checkpoint, part), placeName(place));
      for (const slice of slicesIn(text as Entry[])) working.load(slice);
    }
    if (rows.length < rowsAtOnce) return bytes;
  }
}

async function readLog<Collections>({ database, place, claim, seal, working }: Source<Collections>) {
  const { checkpoint, head } = claim;
  let [last, bytes] = [checkpoint, 0];
  while (last < head) {
    const rows = await database.rows(
      'select number, body from commit_log where place = $1 and number > $2 order by number limit $3',
      [place, last, rowsAtOnce],
    );
    for (const { number, body } of rows as { number: string; body: Buffer }[]) {
      last += 1;
      bytes += body.length;
      if (Number(number) !== last) throw damagedError(placeName(place), `batch ${last}`);
      const batch = batchOf(openBody(seal, body, batchPlace(place, last), placeName(place)) as BatchEntries);
      for (const changes of batch) working.restore(changes);
    }
    if (rows.length === 0) throw damagedError(placeName(place), `batch ${last + 1}`);
  }
  return bytes;
}

/** Opens a sealed JSON text. Throws `damaged`, with this name, if it was moved or changed. */
export function openBody(seal: Seal, body: Buffer, sealedAs: string, name: string): unknown {
  return orDamaged(name, sealedAs, () => JSON.parse(seal.openBytes(body, sealedAs).toString()));
}
