import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { pick } from 'stream-json/filters/pick.js';
import { parser, type Token } from 'stream-json/parser.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { streamValues } from 'stream-json/streamers/stream-values.js';
import { accessLogEntry, isAccessLog, k6Beginning, k6Entry } from './access-log.ts';
import { ActivityEntries, operationsOf, withRecorded } from './activity-entries.ts';
import type { Checker, Verdict } from './checker.ts';
import { mostCheckedBytes } from './decoding.ts';
import type { Exchange } from './exchange.ts';
import { FindingCollector, type Report } from './finding-collector.ts';
import { captureGaps, fromHar, type ServerAddresses, type UnmatchedCall } from './har.ts';
import { newmanEntry, pactEntry, pactVerdict } from './test-exports.ts';

/** How a capture is read. */
export interface CaptureOptions {
  readonly version: string;
  readonly addresses: ServerAddresses;
  /** The contracts whose coverage counts. */
  readonly apis?: readonly string[];
  /** Whether the capture holds every call about its customers, measured by one clock. */
  readonly complete?: boolean;
  /** Called with each exchange in its turn, and with the verdict on it. */
  readonly onExchange?: (exchange: Exchange, verdict: Verdict) => void;
}

type Form = Exclude<Report['source'], 'proxy' | 'folder'>;

/** Where each form of a capture has its list of calls; k6 and access logs have one on each line instead. */
const lists: Readonly<Record<string, Form>> = {
  'log.entries': 'har',
  items: 'activity',
  'run.executions': 'newman',
  interactions: 'pact',
};
const formats =
  'a HAR (log.entries), an activity export (items), a newman export (run.executions), k6 JSON, a Pact file (interactions) or an access log with one JSON object per line';

/** Texts and keys in pieces, which `boundedTexts` joins. */
const unpacked = { packKeys: false, packStrings: false, streamNumbers: false };

/** An entry as an exchange, or why it is none; undefined if there is nothing to say about it. */
type Read = Exchange | UnmatchedCall | 'outside' | 'unreadable' | undefined;

/** A capture by its name, which is opened when its turn comes. */
interface NamedCapture {
  readonly name: string;
  readonly open: () => Readable;
}

/**
 * Checks a capture, entry by entry as they are read: memory does not grow with their number. Rejects with a CaptureError
 * if its format is not supported.
 */
export async function checkCapture(
  source: Readable,
  checker: Checker,
  options: CaptureOptions,
): Promise<FindingCollector> {
  const reader = new CaptureReader(checker, options);
  return reader.bookOf(await reader.read(source));
}

/** Checks the captures of a folder one after the other, each in its own form. Rejects with a CaptureError that names the file. */
export async function checkCaptures(
  captures: readonly NamedCapture[],
  checker: Checker,
  options: CaptureOptions,
): Promise<FindingCollector> {
  const reader = new CaptureReader(checker, options);
  const book = reader.bookOf('folder');
  for (const { name, open } of captures) {
    try {
      await reader.read(open());
    } catch (error) {
      throw error instanceof CaptureError ? new CaptureError(`${name}: ${error.message}`) : error;
    }
  }
  return book;
}

/** Reads captures into one book. */
class CaptureReader {
  readonly #checker: Checker;
  readonly #options: CaptureOptions;
  readonly #activity: ActivityEntries;
  #number = 0;
  #book: FindingCollector | undefined;

  constructor(checker: Checker, options: CaptureOptions) {
    this.#checker = checker;
    this.#options = options;
    this.#activity = new ActivityEntries(operationsOf(checker.contracts));
  }

  /** The book, which is opened for the first form that is seen. */
  bookOf(source: Form | 'folder'): FindingCollector {
    const { version, apis, complete = false } = this.#options;
    this.#book ??= new FindingCollector(this.#checker, source, version, apis, {
      complete,
      // The sandbox has measured all calls of its log itself.
      oneClock: complete || source === 'activity',
    });
    return this.#book;
  }

  /** Reads a capture to its end; resolves with its form. */
  async read(source: Readable): Promise<Form> {
    let form: Form | undefined;
    const listed = (stack: readonly unknown[]): boolean => {
      const found = lists[stack.join('.')];
      form ??= found;
      return found !== undefined && found === form;
    };
    let failure: unknown;
    const take = async (read: AsyncIterable<{ value: unknown }>) => {
      for await (const { value } of read) {
        try {
          this.#note(value, form ?? 'har');
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
        const lines = parser.asStream({ ...unpacked, jsonStreaming: true });
        await pipeline(all, lines, boundedTexts(), streamValues.asStream(), take);
      } else if (isAccessLog(beginning)) {
        form = 'access-log';
        await take(linesOf(all));
      } else {
        const filter = pick.asStream({ filter: listed });
        await pipeline(all, parser.asStream(unpacked), boundedTexts(), filter, streamArray.asStream(), take);
      }
    } catch (error) {
      if (failure !== undefined) throw failure;
      throw new CaptureError(`it is unreadable, not JSON, or truncated: ${(error as Error).message}`);
    }
    if (form === undefined) throw new CaptureError(`it is neither ${formats}`);
    if (form === 'newman' || form === 'k6') this.bookOf(form).addExportOf(form);
    return form;
  }

  #note(value: unknown, form: Form): void {
    note(this.#read(value, form), value, this.bookOf(form), this.#checker, form, this.#options.onExchange);
  }

  #read(value: unknown, form: Form): Read {
    const { addresses } = this.#options;
    switch (form) {
      case 'har':
        return fromHar(value, addresses);
      case 'activity':
        return this.#activity.read(value);
      case 'newman':
        this.#number += 1;
        return fromHar(newmanEntry(value, this.#number), addresses);
      case 'k6':
        return readEntry(k6Entry(value), addresses);
      case 'pact':
        return readEntry(pactEntry(value, addresses), addresses);
      case 'access-log':
        return readEntry(accessLogEntry(String(value), addresses), addresses);
    }
  }
}

/** An entry that was made of another form, or why there is none. */
function readEntry(entry: unknown, addresses: ServerAddresses): Read {
  if (entry === undefined || entry === 'outside' || entry === 'unreadable') return entry;
  return fromHar(entry, addresses);
}

function note(
  entry: Read,
  value: unknown,
  book: FindingCollector,
  checker: Checker,
  form: Form,
  onExchange: CaptureOptions['onExchange'],
): void {
  if (entry === undefined) return;
  if (typeof entry === 'string') return book.skip(entry);
  if ('kind' in entry) return book.skipCall(entry.method, entry.address);
  const verdict = checker.check(entry);
  onExchange?.(entry, verdict);
  if (form === 'pact') book.add(entry, pactVerdict(verdict));
  else if (form === 'activity') book.add(entry, withRecorded(verdict, entry, value));
  else book.add(entry, verdict);
  // The log never has headers, and records itself what it leaves out.
  if (form !== 'activity' && verdict.isOutside !== true) book.addCaptureGaps(captureGaps(entry, verdict));
}

/** How many bytes detect the format of a capture, if it has as many. */
const leastBytes = 64;
/** Enough to tell in which form a capture is, unless its first line ends earlier. */
const bytesOfBeginning = 128 * 1024;

/** The beginning of a stream, with its first line if that is not too long, and the whole stream. */
async function opened(source: Readable) {
  const chunks: AsyncIterator<Buffer | string> = source[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  for (let bytes = 0, ended = false; bytes < bytesOfBeginning && !ended; ) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    const chunk = Buffer.from(value as string);
    first.push(chunk);
    bytes += chunk.length;
    ended = bytes >= leastBytes && chunk.includes('\n');
  }
  const beginning = Buffer.concat(first);
  async function* all() {
    yield beginning;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { beginning: beginning.toString('utf8'), all: all() };
}

/** The longest line of an access log, in characters. */
const longestLine = 64 * 1024 * 1024;

/** The lines of a capture that are not blank. Throws for a line that is too long. */
async function* linesOf(all: AsyncIterable<Buffer | string>): AsyncGenerator<{ value: string }> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of all) {
    const [first = '', ...others] = decoder.write(Buffer.from(chunk as string)).split('\n');
    parts.push(first);
    length += first.length;
    if (length > longestLine) throw new Error(`a line has more than ${longestLine} characters`);
    for (const next of others) {
      const value = parts.join('');
      if (value.trim() !== '') yield { value };
      [parts, length] = [[next], next.length];
    }
  }
  const value = parts.join('');
  if (value.trim() !== '') yield { value };
}

/** A file that is not a capture. */
export class CaptureError extends Error {}

/** What the name of a capture ends in. Everything else in a folder is left alone. */
const endings = ['.har', '.json', '.jsonl', '.ndjson', '.log'];

/** The captures of a folder and the folders in it, in the order of their names. Rejects with a CaptureError if there is none. */
export async function capturesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)));
  if (files.length === 0) throw new CaptureError(`the folder has no file that ends in ${endings.join(', ')}`);
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/** Most characters of a text that are kept. A body in base64 that is cut here is still too large to be checked. */
export const mostOfText = 2 * mostCheckedBytes;

/**
 * Joins the pieces of texts and keys that a parser emits with `packKeys` and `packStrings` off, and cuts each at
 * `mostOfText` characters: one text of a capture may be larger than the memory.
 */
export function boundedTexts(): Transform {
  let text = '';
  const transform = (token: Token, _encoding: string, done: TransformCallback) => {
    switch (token.name) {
      case 'startKey':
      case 'startString':
        text = '';
        return done();
      case 'stringChunk':
        text += token.value.slice(0, mostOfText - text.length);
        return done();
      case 'endKey':
        return done(null, { name: 'keyValue', value: text });
      case 'endString':
        return done(null, { name: 'stringValue', value: text });
      default:
        return done(null, token);
    }
  };
  return new Transform({ objectMode: true, transform });
}
