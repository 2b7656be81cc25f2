import { join } from 'node:path';
import { type Batch, type BatchEntries, batchOf, damagedError, linesIn, orDamaged, readHeader } from './encoding.ts';
import { type OpenFile, writeAll } from './files.ts';
import { type DataFolder, entryPlace, type LogParts, logName, readMark, WriteAheadLog } from './wal.ts';

/** What was read of a log. */
interface LogScan extends LogParts {
  /** Whether a crash tore the last entry, which is not counted. */
  readonly isTorn: boolean;
}

/**
 * Reads the log and hands over its entries in order; undefined where there is none. Throws `damaged` for anything but a
 * last entry that a crash tore, and where entries before `base` are missing.
 *
 * @param from the last entry that need not be in the log
 */
export async function readLog(
  { dir, files, sealer }: DataFolder,
  from: number,
  take: (sequence: number, batch: Batch) => void,
): Promise<LogScan | undefined> {
  const path = join(dir, logName);
  const file = await files.openToRead(path);
  if (file === undefined) return undefined;
  try {
    const lines = linesIn(file);
    const header = (await lines.next()).value ?? undefined;
    const { seq: base, label } = readHeader(header, 'log', path);
    if (base > from) throw damagedError(path, `entries ${from + 1} to ${base} are missing before it`);
    const seal = sealer.existing(label, 'log', path);
    const mark = (await lines.next()).value ?? undefined;
    if (mark === undefined) throw damagedError(path, 'line 2 is missing');
    const synced = orDamaged(path, 'line 2', () => readMark(seal, mark.body ?? ''));
    let end = { sequence: base, length: mark.end };
    let isTorn = false;
    for await (const line of lines) {
      const sequence = end.sequence + 1;
      const entry = openEntry(() => seal.open(line.body ?? '', entryPlace(sequence)));
      isTorn = entry === undefined && line.isLast && line.torn;
      if (isTorn) break;
      const batch = orDamaged(path, `entry ${sequence}`, () => batchOf(JSON.parse(entry ?? '') as BatchEntries));
      take(sequence, batch);
      end = { sequence, length: line.end };
    }
    if (synced > end.sequence)
      throw damagedError(path, `entries ${end.sequence + 1} to ${synced} are missing at its end`);
    return { label, seal, markAt: mark.start, end, isTorn };
  } finally {
    await file.close();
  }
}

function openEntry(open: () => string): string | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** Most bytes of a torn entry that are saved. */
const mostTorn = 1024 * 1024;

/** Continues a log that was read. A torn last entry is truncated, and saved in a file of its own. */
export async function resumeLog(folder: DataFolder, scan: LogScan): Promise<WriteAheadLog> {
  const { dir, files, warn } = folder;
  const path = join(dir, logName);
  const file = await files.open(path);
  try {
    if (scan.isTorn) {
      const tornPath = join(dir, 'wal.torn');
      await keepTorn(folder, file, scan.end.length, tornPath);
      await file.truncate(scan.end.length);
      warn(
        `${path} ended in a torn write. It was truncated after byte ${scan.end.length}; the rest is saved in ${tornPath}`,
      );
    }
    // A killed process may have left writes unsynced. Callers see them from now on, so a power cut must not lose them.
    await file.sync();
    return new WriteAheadLog(file, scan);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function keepTorn({ dir, files }: DataFolder, log: OpenFile, from: number, path: string): Promise<void> {
  const torn = Buffer.alloc(mostTorn);
  const read = await log.read(torn, from);
  const file = await files.create(path);
  try {
    await writeAll(file, torn.subarray(0, read), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.syncDir(dir);
}
