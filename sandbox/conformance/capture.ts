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
import { ActivityEntries, withRecorded } from './activity-entries.ts';
import type { Checker, Verdict } from './checker.ts';
import { mostCheckedBytes } from './decoding.ts';
import type { Exchange } from './exchange.ts';
import { FindingCollector, type Report } from './finding-collector.ts';
import { captureGaps, fromHar, type Read, type ServerAddresses } from './har.ts';
import { newmanEntry, pactEntry, pactVerdict } from './test-exports.ts';

/** Options for reading a capture. */
export interface CaptureOptions {
  readonly version: string;
  readonly addresses: ServerAddresses;
  /** Contracts included in the coverage. */
  readonly apis?: readonly string[];
  /** Whether the capture contains every call about its customers, timed by one clock. */
  readonly complete?: boolean;
  /** Called for each exchange, in order, with its verdict. */
  readonly onExchange?: (exchange: Exchange, verdict: Verdict) => void;
}

type Form = Exclude<Report['source'], 'proxy' | 'folder'>;

/** Paths of the call list in each capture format. k6 output and access logs have one call per line instead. */
const lists: Readonly<Record<string, Form>> = {
  'log.entries': 'har',
  items: 'activity',
  'run.executions': 'newman',
  interactions: 'pact',
};
const formats =
  'a HAR (log.entries), an activity export (items), a newman export (run.executions), k6 JSON, a Pact file (interactions) or an access log with one JSON object per line';

/** Parser options that emit strings and keys in chunks, which `boundedTexts` joins. */
const unpacked = { packKeys: false, packStrings: false, streamNumbers: false };

/**
 * Checks a capture entry by entry while reading, so memory use does not grow with the number of entries. Rejects with a
 * CaptureError if the format is not supported.
 */
export async function checkCapture(
  source: Readable,
  checker: Checker,
  options: CaptureOptions,
): Promise<FindingCollector> {
  const reader = new CaptureReader(checker, options);
  return reader.bookOf(await reader.read(source));
}

/**
 * Checks the captures of a folder one after another, each in its own format. Each is opened only when it is read. Rejects with a
 * CaptureError that names the file.
 */
export async function checkCaptures(
  captures: readonly { readonly name: string; readonly open: () => Readable }[],
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

/** Reads captures into one finding collector. */
class CaptureReader {
  readonly #checker: Checker;
  readonly #options: CaptureOptions;
  readonly #activity: ActivityEntries;
  #number = 0;
  #book: FindingCollector | undefined;

  constructor(checker: Checker, options: CaptureOptions) {
    this.#checker = checker;
    this.#options = options;
    this.#activity = new ActivityEntries(checker.operations);
  }

  /** Returns the shared collector, which is created for the first source requested. */
  bookOf(source: Form | 'folder'): FindingCollector {
    const { version, apis, complete = false } = this.#options;
    this.#book ??= new FindingCollector(this.#checker, source, version, apis, {
      complete,
      // The sandbox itself timed all calls in its log.
      oneClock: complete || source === 'activity',
    });
    return this.#book;
  }

  /** Reads a capture to its end and resolves with its format. */
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
    const book = this.bookOf(form);
    const entry = this.#read(value, form);
    if (entry === undefined) return;
    if (typeof entry === 'string') return book.skip(entry);
    if ('kind' in entry) return book.skipCall(entry.method, entry.address);
    const verdict = this.#checker.check(entry);
    this.#options.onExchange?.(entry, verdict);
    if (form === 'pact') book.add(entry, pactVerdict(verdict));
    else if (form === 'activity') book.add(entry, withRecorded(verdict, entry, value));
    else book.add(entry, verdict);
    // The activity log never contains headers, and records its own omissions.
    if (form !== 'activity' && verdict.isOutside !== true) book.addCaptureGaps(captureGaps(entry, verdict));
  }

  /** Returns `undefined` if the entry is irrelevant. */
  #read(value: unknown, form: Form): Read | undefined {
    const { addresses } = this.#options;
    if (form === 'activity') return this.#activity.read(value);
    if (form === 'har') return fromHar(value, addresses);
    this.#number += 1;
    const entry = harEntries[form](value, addresses, this.#number);
    return entry === undefined || entry === 'outside' || entry === 'unreadable' ? entry : fromHar(entry, addresses);
  }
}

/** Functions that convert an entry of a format to a HAR entry, or return the reason that there is none. */
const harEntries: Readonly<
  Record<Exclude<Form, 'activity' | 'har'>, (value: unknown, addresses: ServerAddresses, number: number) => unknown>
> = {
  newman: (value, _, number) => newmanEntry(value, number),
  k6: k6Entry,
  pact: pactEntry,
  'access-log': (value, addresses) => accessLogEntry(String(value), addresses),
};

/** Minimum number of bytes used to detect the format, if the capture has that many. */
const leastBytes = 64;
/** Number of bytes used to detect the format, unless the first line ends earlier. */
const bytesOfBeginning = 128 * 1024;

/** Resolves with the whole stream and its beginning, which includes the first line unless that is too long. */
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

/** Maximum length of a line in an access log, in characters. */
const longestLine = 64 * 1024 * 1024;

/** Yields the non-blank lines of a capture. Throws if a line is too long. */
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

/** An error for a file or folder that is not a readable capture. */
export class CaptureError extends Error {}

/** File name endings of captures. Other files in a folder are ignored. */
const endings = ['.har', '.json', '.jsonl', '.ndjson', '.log'];

/** Resolves with the sorted paths of the captures in a folder and its subfolders. Rejects with a CaptureError if there are none. */
export async function capturesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)));
  if (files.length === 0) throw new CaptureError(`the folder has no file that ends in ${endings.join(', ')}`);
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/** Maximum length of a retained string, in characters. A base64 body that is cut here still exceeds the size limit for checks. */
export const mostOfText = 2 * mostCheckedBytes;

/**
 * Joins the chunks of strings and keys that a parser emits with `packKeys` and `packStrings` off. Cuts each at
 * `mostOfText` characters, because a single string may exceed the available memory.
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
