import { join } from 'node:path';
import type { Low } from 'lowdb';
import { listOf } from './archiving.ts';
import type { Content } from './document.ts';
import { writeAll } from './files.ts';
import { isLeftover, journalNames, segmentName } from './generation.ts';
import type { Lock } from './held-lock.ts';
import { noteOf } from './history.ts';
import { Journal } from './journal.ts';
import { type DataFolder, type Journals, keepTorn, readJournals, restore, warnOfCut } from './recovery.ts';
import type { Segment } from './segment.ts';
import { StoreError } from './store.ts';
import type { Slice, Slices } from './view.ts';
import type { WorkingSet } from './working-set.ts';

/** What a generation holds, as of batch `seq`. */
export interface GenerationContent<Books> {
  readonly working: WorkingSet<Books>;
  readonly journals: Journals;
  readonly seq: number;
}

/** What is taken over, and where it goes. */
export interface Takeover<Books> {
  readonly lock: Lock;
  /** The generation that was read, which the earlier holder may still write to. */
  readonly held: GenerationContent<Books>;
  /** The generation to go on with, and its document. */
  readonly place: DataFolder;
  readonly low: Low<Content>;
}

/** How often a generation is read that changes meanwhile. */
const mostReadings = 5;

/**
 * Reads a generation whose holder may wake up: again where it was folded or replaced meanwhile, of which half may have
 * been read. What the holder appends after its journals were read was not acknowledged.
 *
 * @param empty makes what it is read into
 * @param read reads the document, of which the slices are read when they are asked for
 */
export async function readAsOne<Books>(
  place: DataFolder,
  empty: () => WorkingSet<Books>,
  read: () => Promise<Content>,
): Promise<GenerationContent<Books>> {
  for (let readings = 1; ; readings += 1) {
    const working = empty();
    const journals = await readJournals(place);
    const document = await read();
    const isAsRead = async () => {
      const names = journalNames(await place.files.list(place.dir), place.generation);
      return (
        (await read()).seq === document.seq && names.join() === journalNames(journals.names, place.generation).join()
      );
    };
    try {
      const seq = await restore(place, journals, document, working);
      if (await isAsRead()) return { working, journals, seq };
    } catch (error) {
      if (await isAsRead()) {
        await working.history.close();
        throw error;
      }
    }
    await working.history.close();
    if (readings === mostReadings) {
      throw new StoreError('locked', `${place.dir} is changed by another process while it is read: stop it first`);
    }
  }
}

/** Writes a segment anew in the generation of `place`: the earlier holder may still remove its own. */
async function copySegment(segment: Segment, { dir, files, generation }: DataFolder): Promise<void> {
  const file = await files.create(join(dir, segmentName(generation, segment.number)));
  try {
    let size = 0;
    for await (const piece of segment.bytes()) {
      await writeAll(file, piece, size);
      size += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await files.syncDir(dir);
}

async function* inTurn(slices: Slices, last: Slice): AsyncGenerator<Slice, void, void> {
  yield* slices;
  yield last;
}

/**
 * Goes on from a generation whose holder may wake up, without changing a byte of it, in a generation of its own. The
 * new document is written last: until it is there the old generation counts, and from then on nothing of the old does.
 * Returns the journal to go on with.
 */
export async function takeOver<Books>({ lock, held, place, low }: Takeover<Books>): Promise<Journal> {
  const { dir, files, generation } = place;
  const { working, journals, seq } = held;
  await keepTorn(place, journals.names, journals.scans);
  warnOfCut(place, journals.scans, seq);
  const journal = await Journal.create(place, seq);
  const view = working.memoryView();
  try {
    const { held } = working.history;
    for (const { segment } of held) await copySegment(segment, place);
    low.data = { seq, slices: inTurn(view.slices(), listOf(held.map(noteOf))) };
    await low.write();
    await lock.check();
    lock.settle();
    for (const name of await files.list(dir)) if (isLeftover(name, generation)) await files.remove(join(dir, name));
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  } finally {
    await view.close();
  }
}
