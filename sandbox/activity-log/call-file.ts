import { join } from 'node:path';
import { attempt } from '../store/attempt.ts';
import { type Files, type OpenFile, writeAll } from '../store/files.ts';
import type { Seal, SealLabel, StoreSealer } from '../store/seal.ts';
import type { CallEntry } from './activity-entry.ts';
import type { Accepted, CallLog, SavedWithCalls } from './call-log.ts';
import type { FittedCall } from './entry-size.ts';

/** The names of the current file, to which calls are appended, and the previous one. */
export const callFileNames = { current: 'calls.jsonl', earlier: 'calls.1.jsonl' } as const;

/** Maximum content of a file before the next one begins. Two files contain as much as the log shows (OP-57). */
const mostOfFile = { calls: 10_000, bytes: 16 * 1024 * 1024 };

/** The location of the file and the means to write it. */
interface CallFilePlace {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: StoreSealer;
  readonly warn: (message: string) => void;
  /** Returns the number of resets of the activity log. Calls from before the last reset are ignored. */
  readonly log: () => number;
  readonly most?: typeof mostOfFile;
}

/** The first line of a file, which is never sealed. */
interface Header extends SealLabel {
  readonly kind: 'calls';
  readonly log: number;
}

/** Any other line of a file. */
interface Line {
  readonly call?: CallEntry;
  /** The instants of accepted requests, and their numbers. */
  readonly accepted?: readonly (readonly [at: number, requests: number])[];
}

/** An open file; without a key it has no seal. */
interface OpenCallFile {
  readonly file: OpenFile;
  readonly seal: Seal | undefined;
}

/** The content of a file, and the offset of the next line. */
interface ReadFile {
  readonly seal: Seal | undefined;
  readonly lines: readonly Line[];
  readonly count: number;
  readonly end: number;
}

/**
 * Calls in a file of the workspace's folder, one JSON text per line. With a key, the lines of each write are sealed
 * together. Lines are written but not synced: a killed process loses no answered call, and a power failure loses only
 * the last few. A full file replaces the previous one. Each file begins with the complete quota hour, so the previous
 * file can be deleted.
 */
export class CallFile implements CallLog {
  readonly saved: CallLog['saved'];
  readonly #place: CallFilePlace;
  readonly #most: typeof mostOfFile;
  #followed: SavedWithCalls | undefined;
  #open: OpenCallFile | undefined;
  #isClosed = false;
  #calls = 0;
  /** The number of lines in a sealed file: one per write. */
  #lines = 0;
  #end = 0;
  /** Whether the next line must contain the whole quota, because an earlier write failed. */
  #owesQuota = false;
  /** The calls of the queued write that has not started; further calls can join it. */
  #batch: string[] | undefined;
  /** Resolves when the last queued step has ended. */
  #steps: Promise<void> = Promise.resolve();

  private constructor(place: CallFilePlace, saved: CallLog['saved']) {
    this.#place = place;
    this.#most = place.most ?? mostOfFile;
    this.saved = saved;
  }

  /** Opens the files and reads their calls. Unreadable parts are skipped with a warning, because only the log depends on them. */
  static async open(place: CallFilePlace): Promise<CallFile> {
    const earlier = await readCalls(place, callFileNames.earlier);
    const current = await readCalls(place, callFileNames.current);
    const lines = [...(earlier?.lines ?? []), ...(current?.lines ?? [])];
    const accepted = lines.flatMap((line) => line.accepted ?? []).map(([at, requests]) => ({ at, requests }));
    const opened = new CallFile(place, { calls: lines.flatMap(({ call }) => call ?? []), accepted });
    if (current !== undefined) await opened.#goOn(current);
    return opened;
  }

  follow(saved: SavedWithCalls): void {
    this.#followed = saved;
  }

  async room(): Promise<void> {}

  append({ text }: FittedCall): Promise<void> {
    if (this.#batch !== undefined) {
      this.#batch.push(text);
      return this.#steps;
    }
    const calls = [text];
    this.#batch = calls;
    return this.#step(`calls were not written to ${this.#path}, so a restart loses them`, async () => {
      if (this.#batch === calls) this.#batch = undefined;
      if (this.#isClosed) return;
      if (this.#calls >= this.#most.calls || this.#end >= this.#most.bytes) await this.#rotate();
      const open = this.#open ?? (await this.#begin());
      const rows = this.#owesQuota ? this.#followed?.quota.all() : this.#followed?.quota.changed();
      this.#owesQuota = true;
      const [first, ...others] = calls;
      const lines = [`{"call":${first}${acceptedIn(rows)}}`, ...others.map((call) => `{"call":${call}}`)];
      const text = lines.join('\n');
      await this.#append(open.file, open.seal?.close(text, linePlace(this.#lines)) ?? text);
      this.#owesQuota = false;
      this.#calls += calls.length;
    });
  }

  restart(): void {
    // Later calls belong to the new log. They must not be written before the files of the old log are removed.
    this.#batch = undefined;
    void this.#step(`${this.#path} could not be removed`, async () => {
      await this.#release();
      for (const name of Object.values(callFileNames)) await this.#place.files.remove(join(this.#place.dir, name));
    });
  }

  close(): Promise<void> {
    return this.#step(`${this.#path} could not be closed`, async () => {
      this.#isClosed = true;
      await this.#release();
    });
  }

  get #path(): string {
    return join(this.#place.dir, callFileNames.current);
  }

  #step(problem: string, step: () => Promise<void>): Promise<void> {
    this.#steps = this.#steps.then(step).catch((error: Error) => this.#place.warn(`${problem}: ${error.message}`));
    return this.#steps;
  }

  /** Resumes appending to the current file. Overwrites a line that a crash truncated. */
  async #goOn({ seal, lines, count, end }: ReadFile): Promise<void> {
    const { files, warn } = this.#place;
    try {
      const file = await files.open(this.#path);
      this.#open = { file, seal };
      await file.truncate(end);
      [this.#calls, this.#lines, this.#end] = [lines.filter(({ call }) => call !== undefined).length, count, end];
    } catch (error) {
      warn(`${this.#path} cannot be written: ${(error as Error).message}`);
    }
  }

  async #rotate(): Promise<void> {
    const { dir, files } = this.#place;
    await this.#release();
    await files.rename(this.#path, join(dir, callFileNames.earlier));
  }

  async #begin(): Promise<OpenCallFile> {
    const { files, sealer, log } = this.#place;
    const { seal, label } = sealer.fresh('calls');
    const file = await files.create(this.#path);
    [this.#calls, this.#lines, this.#end] = [0, 0, 0];
    try {
      await this.#append(file, JSON.stringify({ kind: 'calls', log: log(), ...label } satisfies Header));
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#open = { file, seal: label.key === undefined ? undefined : seal };
    this.#owesQuota = true;
    return this.#open;
  }

  async #release(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    [this.#calls, this.#end] = [0, 0];
    await open?.file.close();
  }

  async #append(file: OpenFile, text: string): Promise<void> {
    const bytes = Buffer.from(`${text}\n`);
    await writeAll(file, bytes, this.#end);
    this.#end += bytes.length;
    this.#lines += 1;
  }
}

/** Returns the position to which a sealed line is bound. It can be opened at no other position. */
function linePlace(line: number): string {
  return `calls ${line}`;
}

/** Formats the JSON member of a line with the requests that the quota accepted. */
function acceptedIn(rows: readonly Accepted[] = []): string {
  return rows.length === 0 ? '' : `,"accepted":[${rows.map(({ at, requests }) => `[${at},${requests}]`).join()}]`;
}

/** Reads a file. Returns `undefined` if this log has no such file. */
async function readCalls(place: CallFilePlace, name: string): Promise<ReadFile | undefined> {
  const { dir, files, sealer, log, warn } = place;
  const path = join(dir, name);
  try {
    const bytes = await files.read(path);
    if (bytes === undefined || bytes.length === 0) return undefined;
    // Bytes after the last line break are a truncated line.
    const end = bytes.lastIndexOf('\n') + 1;
    const [first = '', ...texts] = bytes.toString('utf8', 0, Math.max(0, end - 1)).split('\n');
    const header: Header = JSON.parse(first);
    if (header.kind !== 'calls') throw new Error('it contains no calls');
    const existing = sealer.existing(header, 'calls', path);
    if (header.log !== log()) return undefined;
    const seal = header.key === undefined ? undefined : existing;
    const read = texts.map((text, at) => readLines(text, seal, at + 1));
    const unread = read.filter((lines) => lines === undefined).length;
    if (unread > 0) warn(`${path}: ${unread} lines cannot be read, and are left out of the activity log`);
    return { seal, lines: read.flatMap((lines) => lines ?? []), count: texts.length + 1, end };
  } catch (error) {
    warn(`${path} cannot be read, so its calls are left out of the activity log: ${(error as Error).message}`);
    return undefined;
  }
}

/** Parses a line of the file: a single entry, or the entries that were sealed together. */
function readLines(text: string, seal: Seal | undefined, number: number): readonly Line[] | undefined {
  // The line may be damaged, or written over a partially written one.
  return attempt(() => {
    const opened = seal === undefined ? text : seal.open(text, linePlace(number));
    return opened.split('\n').map((line) => JSON.parse(line));
  });
}
