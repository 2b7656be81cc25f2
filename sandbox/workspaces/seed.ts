import { beginLog } from '../activity-log/stored-log.ts';
import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import { newLife, usualLife } from '../assembly/life.ts';
import type { Parties } from '../assembly/parties.ts';
import { rootOf, streamsOf } from '../assembly/settings.ts';
import type { Directory } from '../client/directory.ts';
import type { DemoData } from '../client/profiles.ts';
import { seedCustomers, seedCustomersWithPast, seedMagicCustomers } from '../client/seed.ts';
import type { Answers } from '../conformance/answers.ts';
import { magicCustomers, magicItems } from '../magic/table.ts';
import { OptionError } from '../options.ts';
import { seedCatalogue, seedMagicItems, seedUncommon } from '../platform/seed.ts';
import { type ClockMode, freshClock, resumeClock } from '../runtime/clock.ts';
import { placeStream, SeededRandom } from '../runtime/ids.ts';
import { nothing } from '../store/row.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { ruleOf } from '../vendors/outcomes.ts';
import { seedHistory } from './history.ts';
import { carryOver } from './snapshots.ts';

/** The stored record of a workspace. It has no `life` if an older version wrote it. */
type Stored = Omit<Meta, 'life'> & Partial<Pick<Meta, 'life'>>;

/** The options of a start. */
export interface StartWish {
  readonly seed?: string;
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  /** Answers to open points. They replace the answers in the data. */
  readonly answers?: Answers | undefined;
  readonly adminToken: string;
  /** Settings given at the start. They override the settings in the data. */
  readonly given: Meta['settings'];
  /** The host and a random root for secrets, if other machines can reach the sandbox (OP-55). */
  readonly exposed: { readonly host: string; readonly root: string } | undefined;
  /** The time of the newest entry in the data. See `resumedMeta`. */
  readonly newest?: number | undefined;
}

/** Minimum length of a seed that counts as a secret. */
const secretLength = 16;

/**
 * Returns the state in which the demo workspace starts: continued from stored data, or new. Throws `OptionError` if
 * others could compute the secrets.
 */
export function startOf(
  stored: Stored | undefined,
  wish: StartWish,
  realTime: number,
  warn: (message: string) => void,
): Meta {
  if (stored === undefined) {
    const clock = freshClock(wish.clock ?? 'running');
    const { seed = 'demo', demoData, answers, adminToken, given } = wish;
    const begins = {
      starts: 1,
      clock,
      settings: given,
      given,
      life: newLife(realTime, null),
      ...(demoData && { demoData }),
      ...(answers && { answers }),
    };
    return { id: 'demo', root: newRoot(wish, warn), adminToken, seed, ...begins };
  }
  const { root, seed } = stored;
  if (wish.exposed !== undefined && root === rootOf(seed) && seed.length < secretLength) {
    const reached = `other machines can reach ${wish.exposed.host}`;
    const remedy = 'use another data folder (--data), or a loopback address';
    throw new OptionError(`The secrets in this data are derived from the seed ${seed}, and ${reached}: ${remedy}.`);
  }
  if (wish.seed !== undefined && wish.seed !== stored.seed) {
    warn(`This data was created with seed ${stored.seed}; the seed ${wish.seed} is ignored.`);
  }
  const { demoData: kind = 'impossible' } = stored;
  if (wish.demoData !== undefined && wish.demoData !== kind) {
    warn(`This data was created with ${kind} demo data; --demo-data ${wish.demoData} is ignored.`);
  }
  const { answers, adminToken, given } = wish;
  return {
    ...resumedMeta(stored, realTime, wish.newest, wish.clock),
    ...{ adminToken, given, settings: { ...stored.settings, ...given } },
    ...(answers && { answers }),
  };
}

/**
 * Returns the root of secrets for new data. It is derived from the seed if the sandbox listens on loopback only, or if
 * the seed is itself a secret.
 */
function newRoot({ seed, exposed }: StartWish, warn: (message: string) => void): string {
  if (exposed === undefined) return rootOf(seed ?? 'demo');
  if (seed === undefined) {
    const means = 'read them with GET /sandbox/v1/workspace and the admin token';
    warn(`The secrets of the demo workspace are private: ${means}.`);
    return exposed.root;
  }
  if (seed.length >= secretLength) return rootOf(seed);
  const reached = `other machines can reach ${exposed.host}`;
  const remedy = `use an unguessable seed of at least ${secretLength} characters, or none`;
  throw new OptionError(`Secrets are derived from --seed, and ${reached}: ${remedy}.`);
}

/**
 * Returns the state in which a workspace continues after a restart. By default, its clock stays in the stored mode.
 *
 * @param newest the time of the newest entry in the data; sandbox time never starts before it
 */
export function resumedMeta(
  stored: Stored,
  realTime: number,
  newest: number | undefined,
  mode: ClockMode = stored.clock.mode,
): Meta {
  const { life = newLife(realTime, stored.id === 'demo' ? null : usualLife) } = stored;
  return { ...stored, starts: stored.starts + 1, clock: resumeClock(stored.clock, mode, realTime, newest), life };
}

/** The parts of a workspace that a seed determines. */
type Seeded = Pick<Parties, 'clock' | 'random' | 'traces'>;

/**
 * Replaces everything in the workspace with seeded data, in one step: clock, catalogue and customers. The settings
 * return to the defaults and the values given at the start. The random streams return to their beginning.
 */
export async function seedWorkspace(
  store: Store<WorkspaceCollections>,
  parts: Seeded,
  directory: Directory,
  meta: Meta,
): Promise<void> {
  const change = (tx: Tx<WorkspaceCollections>, before: Reader<WorkspaceCollections>) => {
    carryOver(before, tx);
    beginLog(tx, before);
    // A reset preserves the deletion mark and the time of the last use.
    fill(tx, parts.clock, directory, before.get('meta', 'workspace') ?? meta, meta);
  };
  await store.replace({ content: nothing, change });
  begin(parts, meta);
}

/** Fills a workspace with empty collections from its seed, in one step. */
export async function seedEmpty(
  store: Store<WorkspaceCollections>,
  parts: Seeded,
  directory: Directory,
  meta: Meta,
): Promise<void> {
  await store.transact((tx) => fill(tx, parts.clock, directory, meta, meta));
  begin(parts, meta);
}

function fill(
  tx: Tx<WorkspaceCollections>,
  clock: Parties['clock'],
  directory: Directory,
  stored: Meta,
  meta: Meta,
): void {
  const fresh = freshClock(clock.mode);
  const at = clock.now(fresh.value);
  // Demo data is not secret, and the documentation refers to it, so it depends only on the seed.
  const drawn = new SeededRandom(`${meta.seed}#1`);
  tx.put('meta', 'workspace', { ...stored, starts: 1, clock: fresh, settings: meta.given });
  placeStream(tx, streamsOf(meta, 1).records);
  seedCatalogue(tx, drawn);
  seedCustomers(tx, directory, drawn, at);
  seedMagic(tx, directory, at);
  seedUncommon(tx);
  seedCustomersWithPast(tx, directory);
  seedHistory(tx, new SeededRandom(`${meta.seed}#past`), at);
}

/** Resets the random streams in memory to their beginning. */
function begin({ random, traces }: Seeded, meta: Meta): void {
  const streams = streamsOf(meta, 1);
  random.resume(streams.spans);
  traces.resume(streams.traces);
}

/** Adds missing magic values (OP-72). Changed values stay changed until a reset. */
function seedMagic(tx: Tx<WorkspaceCollections>, directory: Directory, at: number): void {
  for (const { value, vendor } of seedMagicItems(tx, magicItems)) {
    if (vendor !== undefined) tx.put('outcomes', value, ruleOf(value, vendor));
  }
  seedMagicCustomers(tx, directory, magicCustomers, at);
}

/** Continues with stored data: records the start, and adds missing magic values. */
export function continueStored(tx: Tx<WorkspaceCollections>, meta: Meta, directory: Directory, now: number): void {
  tx.put('meta', 'workspace', meta);
  seedMagic(tx, directory, now);
}
