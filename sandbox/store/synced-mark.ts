import { lineOf } from './lines.ts';
import { plainSeal } from './seal.ts';

/**
 * The second line of a journal, which says up to which batch it was synced. It is overwritten in place after each sync
 * and reaches the disk with the next one, so it never says too much: a journal that ends before it was cut.
 */
export function syncedMark(seq: number): Buffer {
  return Buffer.from(lineOf(plainSeal.close(String(seq).padStart(digits, '0'), place)));
}

/** What it says; undefined where a power cut left half of it. */
export function readSyncedMark(line: Buffer): number | undefined {
  try {
    const seq = Number(plainSeal.open(line.toString('latin1', prefix, line.length - 1), place));
    return line.equals(syncedMark(seq)) ? seq : undefined;
  } catch {
    return undefined;
  }
}

const place = 'synced';
/** As many as the largest whole number has. */
const digits = 16;
const prefix = lineOf('').length - 1;

/** The same length each time. */
export const syncedMarkBytes = syncedMark(0).length;
