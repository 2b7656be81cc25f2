import { type Books, booksSpec, type Meta } from './books.ts';
import type { Directory } from './client/directory.ts';
import { seedCustomers, seedMagicCustomers } from './client/seed.ts';
import { magicCustomers, magicItems } from './magic/table.ts';
import type { Parties } from './parties.ts';
import { seedCatalogue } from './platform/seed.ts';
import { seedMagicItems } from './platform/seed-magic.ts';
import { type ClockMode, freshClock, resumeClock } from './runtime/clock.ts';
import type { Store, Tx } from './store/store.ts';
import { ruleOf } from './vendors/outcomes.ts';

/** What a start asks for. */
export interface StartWish {
  readonly seed?: string;
  readonly clock?: ClockMode;
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
    return { seed: wish.seed ?? 'demo', starts: 1, clock, settings: wish.given };
  }
  if (wish.seed !== undefined && wish.seed !== stored.seed) {
    warn(`This data was made with seed ${stored.seed}; the seed ${wish.seed} is ignored.`);
  }
  const clock = resumeClock(stored.clock, wish.clock ?? stored.clock.mode, realTime);
  return { ...stored, starts: stored.starts + 1, clock, settings: { ...stored.settings, ...wish.given } };
}

/**
 * Drops everything and fills the workspace as the seed says: clock, randomness, catalogue and customers, all in one
 * transaction. The settings go back to the defaults and what was given at the start.
 */
export function seedWorkspace(
  store: Store<Books>,
  { clock, random }: Pick<Parties, 'clock' | 'random'>,
  directory: Directory,
  meta: Meta,
  given: Meta['settings'],
): Promise<void> {
  return store.transact((tx) => {
    random.reseed(`${meta.seed}#1`);
    clock.restart();
    for (const collection of Object.keys(booksSpec) as (keyof Books)[]) {
      for (const id of tx.ids(collection)) tx.remove(collection, id);
    }
    tx.put('meta', 'workspace', { ...meta, starts: 1, clock: clock.state(), settings: given });
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
