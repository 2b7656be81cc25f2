import type { Books, Meta } from './books.ts';
import type { Directory } from './client/directory.ts';
import { seedCustomers, seedMagicCustomers } from './client/seed.ts';
import { magicCustomers, magicItems } from './magic/table.ts';
import type { Parties } from './parties.ts';
import { seedCatalogue } from './platform/seed.ts';
import { seedMagicItems } from './platform/seed-magic.ts';
import { type ClockMode, freshClock, resumeClock } from './runtime/clock.ts';
import { clearBooks } from './snapshots.ts';
import type { Store, Tx } from './store/store.ts';
import { ruleOf } from './vendors/outcomes.ts';
import { demoRoot } from './workspace.ts';

/** What a start asks for. */
export interface StartWish {
  readonly seed?: string;
  readonly clock?: ClockMode;
  readonly adminToken: string;
  /** Settings that were given at the start; they count over what the data says. */
  readonly given: Meta['settings'];
}

/** Where this start begins: with what the data says, or anew. */
export function startOf(
  stored: Meta | undefined,
  wish: StartWish,
  realTime: number,
  warn: (message: string) => void,
): Meta {
  if (stored === undefined) {
    const clock = freshClock(wish.clock ?? 'running');
    const { seed = 'demo', adminToken, given } = wish;
    return { id: 'demo', root: demoRoot(seed), adminToken, seed, starts: 1, clock, settings: given, given };
  }
  if (wish.seed !== undefined && wish.seed !== stored.seed) {
    warn(`This data was made with seed ${stored.seed}; the seed ${wish.seed} is ignored.`);
  }
  const { adminToken, given } = wish;
  return { ...resumed(stored, realTime, wish.clock), adminToken, given, settings: { ...stored.settings, ...given } };
}

/** Where a workspace goes on after a restart, with its clock in the stored mode or another. */
export function resumed(stored: Meta, realTime: number, mode: ClockMode = stored.clock.mode): Meta {
  return { ...stored, starts: stored.starts + 1, clock: resumeClock(stored.clock, mode, realTime) };
}

/**
 * Drops everything and fills the workspace as the seed says: clock, randomness, catalogue and customers, all in one
 * transaction. The settings go back to the defaults and what was given at the start.
 */
export function seedWorkspace(
  store: Store<Books>,
  { clock, random, traces }: Pick<Parties, 'clock' | 'random' | 'traces'>,
  directory: Directory,
  meta: Meta,
): Promise<void> {
  return store.transact((tx) => {
    random.resume({ seed: `${meta.seed}#1`, drawn: 0 });
    traces.resume({ seed: `${meta.seed}#1#traces`, drawn: 0 });
    clock.restart();
    clearBooks(tx);
    tx.put('meta', 'workspace', { ...meta, starts: 1, clock: clock.state(), settings: meta.given });
    seedCatalogue(tx, random);
    seedCustomers(tx, directory, random);
    seedMagic(tx, directory);
  });
}

/** Puts in what is missing of the magic values (OP-72); what somebody changed stays changed until a reset. */
export function seedMagic(tx: Tx<Books>, directory: Directory): void {
  for (const { value, vendor } of seedMagicItems(tx, magicItems)) {
    if (vendor !== undefined) tx.put('outcomes', value, ruleOf(value, vendor));
  }
  seedMagicCustomers(tx, directory, magicCustomers);
}
