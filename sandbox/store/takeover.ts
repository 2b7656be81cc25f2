import { join } from 'node:path';
import type { Low } from 'lowdb';
import type { Content } from './document.ts';
import { isLeftover } from './generation.ts';
import { Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import { type Journals, keepTorn, type Place, restore } from './recovery.ts';
import type { WorkingSet } from './working-set.ts';

/** What is taken over, and where it goes. */
export interface Takeover<Books> {
  readonly lock: Lock;
  /** The generation that was read, which the earlier holder may still write to. */
  readonly journals: Journals;
  readonly document: Content;
  /** The generation to go on with, and its document. */
  readonly place: Place;
  readonly low: Low<Content>;
  readonly working: WorkingSet<Books>;
}

/**
 * Recovers from a generation whose holder may wake up, without changing a byte of it, into a generation of its own. The
 * new document is written last: until it is there the old generation counts, and from then on nothing of the old does.
 * Returns the journal to go on with.
 */
export async function takeOver<Books>(takeover: Takeover<Books>): Promise<Journal> {
  const { lock, journals, document, place, low, working } = takeover;
  const { dir, files, generation } = place;
  const seq = restore(journals.scans, document, working);
  await keepTorn(place, journals.names, journals.scans);
  const journal = await Journal.create(place, seq);
  try {
    low.data = { seq, collections: working.snapshot() };
    await low.write();
    await lock.check();
    lock.settle();
    for (const name of await files.list(dir)) if (isLeftover(name, generation)) await files.remove(join(dir, name));
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}
