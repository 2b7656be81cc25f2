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
import type { Reader, Store, Tx } from '../store/store.ts';
import { nothing } from '../store/view.ts';
import { ruleOf } from '../vendors/outcomes.ts';
import { seedHistory } from './history.ts';
import { carryOver } from './snapshots.ts';

/** The record of a workspace as it was stored, perhaps before workspaces had an end. */
type Stored = Omit<Meta, 'life'> & Partial<Pick<Meta, 'life'>>;

/** What a start asks for. */
export interface StartWish {
  readonly seed?: string;
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  /** Answers to open points; they replace those in the data. */
  readonly answers?: Answers | undefined;
  readonly adminToken: string;
  /** Settings that were given at the start; they count over what the data says. */
  readonly given: Meta['settings'];
  /** Set where other machines can reach the sandbox: where it listens, and a random root for secrets (OP-55). */
  readonly exposed: { readonly host: string; readonly root: string } | undefined;
  /** The newest instant in the data, see `resumedMeta`. */
  readonly newest?: number | undefined;
}

/** Shortest seed that counts as a secret. */
const secretLength = 16;

/**
 * Where this start begins: with what the data says, or again. Throws `OptionError` where others could compute the
 * secrets.
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

/** The root of new data: it follows from the seed on loopback, and where the seed is a secret itself. */
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
 * Where a workspace continues after a restart, with its clock in the stored mode or another.
 *
 * @param newest the newest instant in the data: sandbox time does not go back behind it
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

/** The parts of a workspace that a seed is for. */
type Seeded = Pick<Parties, 'clock' | 'random' | 'traces'>;

/**
 * Drops everything and fills the workspace as the seed says: clock, catalogue and customers, all in one step. The
 * settings go back to the defaults and what was given at the start, the streams of randomness to where they began.
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
    // That it is to go, and when it was used last, is no part of what a reset drops.
    fill(tx, parts.clock, directory, before.get('meta', 'workspace') ?? meta, meta);
  };
  await store.replace({ content: nothing, change });
  begin(parts, meta);
}

/** Fills a workspace in whose collections there is nothing yet as the seed says, in one step. */
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
  // Demo data is no secret, and the documentation names it: it follows from the seed alone.
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

/** Puts the streams in memory to where they begin. */
function begin({ random, traces }: Seeded, meta: Meta): void {
  const streams = streamsOf(meta, 1);
  random.resume(streams.spans);
  traces.resume(streams.traces);
}

/** Adds missing magic values (OP-72); changed ones stay changed until a reset. */
function seedMagic(tx: Tx<WorkspaceCollections>, directory: Directory, at: number): void {
  for (const { value, vendor } of seedMagicItems(tx, magicItems)) {
    if (vendor !== undefined) tx.put('outcomes', value, ruleOf(value, vendor));
  }
  seedMagicCustomers(tx, directory, magicCustomers, at);
}

/** Continues with stored data: records the start, and adds magic values that were not there. */
export function continueStored(tx: Tx<WorkspaceCollections>, meta: Meta, directory: Directory, now: number): void {
  tx.put('meta', 'workspace', meta);
  seedMagic(tx, directory, now);
}
