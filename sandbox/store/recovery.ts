import { dirname, join } from 'node:path';
import { removeSegments, segmentsName } from './archiving.ts';
import type { Content } from './document.ts';
import { type Files, writeAll } from './files.ts';
import { type FilePlace, isLeftover, journalNames, segmentNumbers } from './generation.ts';
import { Journal, type JournalScan, scanJournal } from './journal.ts';
import { damaged, newestJournal } from './lines.ts';
import { Segment, type SegmentNote } from './segment.ts';
import type { Slice } from './view.ts';
import type { WorkingSet } from './working-set.ts';

/** What recovery works on. */
export interface DataFolder extends FilePlace {
  readonly warn: (message: string) => void;
}

/** What was read of the journals. */
export interface Journals {
  readonly scans: readonly JournalScan[];
  /** All names that the folder had. */
  readonly names: readonly string[];
}

/**
 * Reads the journals of the place's generation. To be called before the document is read: a fold that another process
 * still makes removes journals once the document holds them, and so no transaction is in neither.
 */
export async function readJournals({ dir, files, sealer, generation }: DataFolder): Promise<Journals> {
  const names = await files.list(dir);
  const scans: JournalScan[] = [];
  for (const name of journalNames(names, generation)) {
    const path = join(dir, name);
    const bytes = await files.read(path);
    if (bytes) scans.push(scanJournal(bytes, path, sealer));
  }
  scans.sort((one, other) => one.base - other.base);
  return { scans, names };
}

/** Brings back in `working` what the document and the journals hold. Returns the number of the last batch. */
export async function restore<Books>(
  place: DataFolder,
  { scans, names }: Journals,
  document: Content,
  working: WorkingSet<Books>,
): Promise<number> {
  const counted = counting(scans, document.seq);
  judgeTorn(counted);
  for (const number of segmentNumbers(names, place.generation)) working.history.reserve(number);
  for await (const slice of document.slices) {
    if (slice.collection === segmentsName) await attach(place, slice, working);
    else working.load(slice);
  }
  return replay(counted, document.seq, working);
}

/** Opens the segments that the document lists. */
async function attach<Books>(place: DataFolder, { rows }: Slice, working: WorkingSet<Books>): Promise<void> {
  for (const { record } of rows) {
    const note = record as SegmentNote;
    await working.attach(await Segment.open(place, note, working.history.cache), note);
  }
}

/**
 * The journals without the beginning of a replacement whose document did not take its place: nothing in it has
 * happened.
 */
export function counting(scans: readonly JournalScan[], folded: number): JournalScan[] {
  return scans.filter((scan) => !isUnfinished(scan, folded));
}

/**
 * Brings back in `working` what the document and the journals hold and returns the journal to go on with. Everything is
 * read and judged before the first byte is changed.
 */
export async function recover<Books>(
  place: DataFolder,
  journals: Journals,
  document: Content,
  working: WorkingSet<Books>,
): Promise<Journal> {
  const { dir, files, generation } = place;
  const { scans, names } = journals;
  const seq = await restore(place, journals, document, working);
  const counted = counting(scans, document.seq);
  const active = counted.findLast((scan) => endOf(scan) === seq);
  const isNew = document.seq === 0 && scans.length === 0 && segmentNumbers(names, generation).length === 0;
  if (!active && !isNew) {
    throw damaged(dir, `the journal after transaction ${seq} is missing`);
  }
  // A killed process may have renamed without syncing: what is built on these names, and removed because of them,
  // relies on their being there after a power cut too.
  await files.syncDir(dir);
  await keepTorn(place, names, counted);
  warnOfCut(place, counted, seq);
  await cutTorn(place, counted);
  for (const scan of scans) if (scan !== active && isSpent(scan, document.seq)) await files.remove(scan.path);
  for (const name of names) if (isLeftover(name, generation)) await files.remove(join(dir, name));
  await removeSegments(place, working.history.held);
  if (!active) return Journal.create(place, seq);
  const journal = await Journal.resume(files, active);
  return active.version === newestJournal ? journal : followed(place, journal);
}

/** The journal after one of an earlier format, which gets no more lines. */
async function followed(place: DataFolder, earlier: Journal): Promise<Journal> {
  await earlier.close();
  return Journal.create(place, earlier.seq);
}

function isUnfinished({ base, after }: JournalScan, folded: number): boolean {
  return after === 'document' && base > folded;
}

function endOf({ base, batches }: JournalScan): number {
  return base + batches.length;
}

/** Only the last append of all can be torn: one that others followed was whole once. */
function judgeTorn(scans: readonly JournalScan[]): void {
  scans.forEach(({ torn, path }, at) => {
    const followed = scans.slice(at + 1).some(({ batches }) => batches.length > 0);
    if (torn !== undefined && followed) throw damaged(path, 'its last line');
  });
}

/** Applies the batches that the document does not hold yet and returns the number of the last one. */
function replay<Books>(scans: readonly JournalScan[], folded: number, working: WorkingSet<Books>): number {
  let seq = folded;
  for (const { base, batches, path } of scans) {
    if (base > seq) throw damaged(path, `transactions ${seq + 1} to ${base} are missing before it`);
    for (const [at, batch] of batches.entries()) {
      const number = base + at + 1;
      if (number <= folded) continue;
      if (number !== seq + 1) throw damaged(path, `transaction ${number} is there twice`);
      for (const changes of batch) working.restore(changes);
      seq = number;
    }
  }
  return seq;
}

/** Most files of torn bytes that are kept, and most bytes of each. */
const mostTorn = { files: 5, bytes: 1024 * 1024 };
const TORN = /^journal\.torn-(\d+)$/;

/** Keeps what torn appends left, for people who want to know what they were. */
export async function keepTorn(
  { dir, files, warn }: DataFolder,
  names: readonly string[],
  scans: readonly JournalScan[],
) {
  const kept = names.flatMap((name) => TORN.exec(name)?.[1] ?? []).map(Number);
  for (const { path, length, torn } of scans) {
    if (torn === undefined) continue;
    const number = Math.max(0, ...kept) + 1;
    kept.push(number);
    await writeTorn(files, tornPath(dir, number), torn.subarray(0, mostTorn.bytes));
    const where = `it was cut off after byte ${length} and is kept in ${tornPath(dir, number)}`;
    warn(`${path} ended in a torn write; ${where}`);
  }
  const oldest = kept.sort((one, other) => one - other).slice(0, -mostTorn.files);
  for (const number of oldest) await files.remove(tornPath(dir, number));
}

/** Tells of a journal that ends before what it says was synced: what is missing was acknowledged. `seq` is the last batch. */
export function warnOfCut({ warn }: DataFolder, scans: readonly JournalScan[], seq: number): void {
  for (const { path, base, synced = 0 } of scans) {
    // One that begins later belongs to a replacement that did not happen.
    if (base > seq || synced <= seq) continue;
    const missing = `the newest ${synced - seq} of ${synced} writes, which were on the disk, are missing`;
    warn(`${path} was cut: ${missing}; stop, and restore the folder from a backup, if you need them`);
  }
}

async function cutTorn({ files }: DataFolder, scans: readonly JournalScan[]): Promise<void> {
  for (const { path, length, torn } of scans) {
    if (torn === undefined) continue;
    const file = await files.open(path);
    try {
      await file.truncate(length);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

function tornPath(dir: string, number: number): string {
  return join(dir, `journal.torn-${number}`);
}

async function writeTorn(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const file = await files.create(path);
  try {
    await writeAll(file, bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.syncDir(dirname(path));
}

/** Nothing in it has happened, or the document holds all of it: a crash or an error kept it from being removed. */
function isSpent(scan: JournalScan, folded: number): boolean {
  return isUnfinished(scan, folded) || endOf(scan) <= folded || scan.batches.length === 0;
}
