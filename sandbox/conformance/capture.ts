import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pick } from 'stream-json/filters/pick.js';
import { parser } from 'stream-json/parser.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { ActivityEntries } from './activity-export.ts';
import type { Checker } from './checker.ts';
import type { Exchange } from './exchange.ts';
import { FindingBook } from './finding-book.ts';
import { fromHar, type ServerAddresses } from './har.ts';

/** A file that is no capture. */
export class CaptureError extends Error {}

export interface CaptureOptions {
  readonly version: string;
  readonly addresses: ServerAddresses;
  /** The contracts whose coverage counts. */
  readonly apis?: readonly string[];
}

/**
 * Checks a capture, a HAR or an export of the activity log, entry by entry as they are read: memory does not grow with
 * their number. Rejects with a CaptureError when it is neither.
 */
export async function checkCapture(source: Readable, checker: Checker, options: CaptureOptions): Promise<FindingBook> {
  const activity = new ActivityEntries(checker.contracts);
  let kind: 'har' | 'activity' | undefined;
  const entries = (stack: readonly unknown[]): boolean => {
    const place = stack.join('.');
    if (place !== 'log.entries' && place !== 'items') return false;
    kind ??= place === 'items' ? 'activity' : 'har';
    return true;
  };
  let book: FindingBook | undefined;
  const noted = () => (book ??= new FindingBook(checker, kind ?? 'har', options.version, options.apis));
  let failure: unknown;
  try {
    await pipeline(
      source,
      parser.asStream({ streamValues: false }),
      pick.asStream({ filter: entries }),
      streamArray.asStream(),
      async (read: AsyncIterable<{ value: unknown }>) => {
        for await (const { value } of read) {
          try {
            note(kind === 'activity' ? activity.read(value) : fromHar(value, options.addresses), noted(), checker);
          } catch (error) {
            failure = error;
            throw error;
          }
        }
      },
    );
  } catch (error) {
    if (failure !== undefined) throw failure;
    throw new CaptureError(`it cannot be read, is not JSON, or breaks off: ${(error as Error).message}`);
  }
  if (kind === undefined) throw new CaptureError('it is neither a HAR (log.entries) nor an activity export (items)');
  return noted();
}

function note(entry: Exchange | 'outside' | 'unreadable' | undefined, book: FindingBook, checker: Checker): void {
  if (entry === undefined) return;
  if (typeof entry === 'string') book.skip(entry);
  else book.add(entry, checker.check(entry));
}
