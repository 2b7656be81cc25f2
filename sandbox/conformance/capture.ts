import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pick } from 'stream-json/filters/pick.js';
import { parser } from 'stream-json/parser.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { streamValues } from 'stream-json/streamers/stream-values.js';
import { ActivityEntries, operationsOf } from './activity-entries.ts';
import { CaptureError } from './capture-error.ts';
import type { Checker } from './checker.ts';
import type { Exchange } from './exchange.ts';
import { FindingBook, type Report } from './finding-book.ts';
import { fromHar, type ServerAddresses, type UnmatchedCall } from './har.ts';
import { k6Beginning, k6Entry } from './k6.ts';
import { lackingOf } from './lacking.ts';
import { newmanEntry } from './newman.ts';
import { withRecorded } from './recorded-findings.ts';

export { CaptureError };

export interface CaptureOptions {
  readonly version: string;
  readonly addresses: ServerAddresses;
  /** The contracts whose coverage counts. */
  readonly apis?: readonly string[];
  /** Whether the capture holds every call about its customers, measured by one clock. */
  readonly complete?: boolean;
}

type Form = Exclude<Report['source'], 'proxy'>;

/** Where each form of a capture has its list of calls; k6 has one on each line instead. */
const lists: Readonly<Record<string, Form>> = { 'log.entries': 'har', items: 'activity', 'run.executions': 'newman' };
const known = 'a HAR (log.entries), an activity export (items), a newman export (run.executions) or k6 JSON';

/** An entry as an exchange, or why it is none; undefined where there is nothing to say about it. */
type Read = Exchange | UnmatchedCall | 'outside' | 'unreadable' | undefined;

/**
 * Checks a capture, entry by entry as they are read: memory does not grow with their number. Rejects with a CaptureError
 * when it has no form that is known.
 */
export async function checkCapture(source: Readable, checker: Checker, options: CaptureOptions): Promise<FindingBook> {
  const { addresses, version, apis, complete = false } = options;
  const nature = { complete, oneClock: complete };
  let number = 0;
  const activity = new ActivityEntries(operationsOf(checker.contracts));
  const readers: Readonly<Record<Form, (value: unknown) => Read>> = {
    har: (value) => fromHar(value, addresses),
    activity: (value) => activity.read(value),
    newman: (value) => fromHar(newmanEntry(value, ++number), addresses),
    k6: (value) => {
      const entry = k6Entry(value);
      return entry === undefined ? undefined : fromHar(entry, addresses);
    },
  };
  let form: Form | undefined;
  const listed = (stack: readonly unknown[]): boolean => {
    const found = lists[stack.join('.')];
    form ??= found;
    return found !== undefined && found === form;
  };
  let book: FindingBook | undefined;
  const noted = (as: Form) => (book ??= new FindingBook(checker, as, version, apis, nature));
  let failure: unknown;
  const take = async (read: AsyncIterable<{ value: unknown }>) => {
    for await (const { value } of read) {
      try {
        const as = form ?? 'har';
        note(readers[as](value), value, noted(as), checker, as);
      } catch (error) {
        failure = error;
        throw error;
      }
    }
  };
  try {
    const { beginning, all } = await opened(source);
    if (k6Beginning.test(beginning)) {
      form = 'k6';
      const lines = parser.asStream({ streamValues: false, jsonStreaming: true });
      await pipeline(all, lines, streamValues.asStream(), take);
    } else {
      const tokens = parser.asStream({ streamValues: false });
      await pipeline(all, tokens, pick.asStream({ filter: listed }), streamArray.asStream(), take);
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    throw new CaptureError(`it is unreadable, not JSON, or truncated: ${(error as Error).message}`);
  }
  if (form === undefined) throw new CaptureError(`it is neither ${known}`);
  return noted(form);
}

function note(entry: Read, value: unknown, book: FindingBook, checker: Checker, form: Form): void {
  if (entry === undefined) return;
  if (typeof entry === 'string') return book.skip(entry);
  if ('kind' in entry) return book.skipCall(entry.method, entry.address);
  const verdict = checker.check(entry);
  // The log never has headers, and tells itself what it leaves out.
  if (form === 'activity') book.add(entry, withRecorded(verdict, entry, value));
  else {
    book.add(entry, verdict);
    book.lack(lackingOf(entry, verdict));
  }
}

/** Enough to tell in which form a capture is. */
const bytesOfBeginning = 64;

/** The beginning of a stream, and all of it, as it comes. */
async function opened(source: Readable) {
  const chunks: AsyncIterator<Buffer | string> = source[Symbol.asyncIterator]();
  let beginning = Buffer.alloc(0);
  while (beginning.length < bytesOfBeginning) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    beginning = Buffer.concat([beginning, Buffer.from(value as string)]);
  }
  async function* all() {
    yield beginning;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { beginning: beginning.toString('utf8'), all: all() };
}
