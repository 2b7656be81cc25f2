import { join } from 'node:path';
import { type Files, type OpenFile, writeAll } from '../store/files.ts';
import type { Seal, SealLabel, StoreSealer } from '../store/seal.ts';
import type { CallEntry } from './activity-entry.ts';
import type { Accepted, CallLog, SavedWithCalls } from './call-log.ts';
import type { FittedCall } from './entry-size.ts';

/** The file that calls are appended to, and the one before it. */
export const callFileNames = { current: 'calls.jsonl', earlier: 'calls.1.jsonl' } as const;

/** How much is written to a file before the next one begins: two of them have as much as the log shows (OP-57). */
const mostOfFile = { calls: 10_000, bytes: 16 * 1024 * 1024 };

/** Where the file is, and how it is written. */
interface CallFilePlace {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: StoreSealer;
  readonly warn: (message: string) => void;
  /** How often the activity log was reset. Calls of another log are ignored. */
  readonly log: () => number;
  readonly most?: typeof mostOfFile;
}

/** The first line of a file. It is never sealed. */
interface Header extends SealLabel {
  readonly kind: 'calls';
  readonly log: number;
}

/** Every other line. */
interface Line {
  readonly call?: CallEntry;
  /** Instant and number of requests. */
  readonly accepted?: readonly (readonly [at: number, requests: number])[];
}

/** A file that is appended to; without a key it has no seal. */
interface OpenCallFile {
  readonly file: OpenFile;
  readonly seal: Seal | undefined;
}

/** What was read of a file, and where the next line goes. */
interface ReadFile {
  readonly seal: Seal | undefined;
  readonly lines: readonly Line[];
  readonly count: number;
  readonly end: number;
}

/**
 * Calls in a file of the workspace's folder, one JSON text a line; with a key, the lines of a write are sealed together as one.
 * Lines are written and not synced: a killed process loses none of the answered calls, a power cut the last few. A full file
 * replaces the earlier one. Each file begins with the whole of the quota's hour, so the earlier one can go.
 */
export class CallFile implements CallLog {
  readonly saved: CallLog['saved'];
  readonly #place: CallFilePlace;
  readonly #most: typeof mostOfFile;
  #followed: SavedWithCalls | undefined;
  #open: OpenCallFile | undefined;
  #isClosed = false;
  #calls = 0;
  /** The lines of a sealed file: one for each write. */
  #lines = 0;
  #end = 0;
  /** Whether the next line has to say all of the quota, since one before it was refused. */
  #owesQuota = false;
  /** The calls of the step that is queued but has not started; more can join it. */
  #batch: string[] | undefined;
  /** Resolves with the last step that is queued. */
  #steps: Promise<void> = Promise.resolve();

  private constructor(place: CallFilePlace, saved: CallLog['saved']) {
    this.#place = place;
    this.#most = place.most ?? mostOfFile;
    this.saved = saved;
  }

  /** Reads what is there. What cannot be read is left out with a warning: nothing but the log rests on it. */
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
    return this.#step(`calls were not written to ${this.#path}, so a restart forgets them`, async () => {
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
    // Later calls belong to the new log: they must not be written before the files of the old one are removed.
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

  /** Appends to the file that was read. A line that a crash tore is written over. */
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

/** Where a sealed line belongs: it opens nowhere else. */
function linePlace(line: number): string {
  return `calls ${line}`;
}

/** The member of a line that says what the quota accepted. */
function acceptedIn(rows: readonly Accepted[] = []): string {
  return rows.length === 0 ? '' : `,"accepted":[${rows.map(({ at, requests }) => `[${at},${requests}]`).join()}]`;
}

/** Reads a file; undefined if there is none of this log. */
async function readCalls(place: CallFilePlace, name: string): Promise<ReadFile | undefined> {
  const { dir, files, sealer, log, warn } = place;
  const path = join(dir, name);
  try {
    const bytes = await files.read(path);
    if (bytes === undefined || bytes.length === 0) return undefined;
    // What comes after the last line end is a line that was cut short.
    const end = bytes.lastIndexOf('\n') + 1;
    const [first = '', ...texts] = bytes.toString('utf8', 0, Math.max(0, end - 1)).split('\n');
    const header: Header = JSON.parse(first);
    if (header.kind !== 'calls') throw new Error('it has no calls in it');
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

/** What is in a line of the file: one line, or those that were sealed together. */
function readLines(text: string, seal: Seal | undefined, number: number): readonly Line[] | undefined {
  try {
    const opened = seal === undefined ? text : seal.open(text, linePlace(number));
    return opened.split('\n').map((line) => JSON.parse(line));
  } catch {
    // Damaged, or written over one that the disk took in part.
    return undefined;
  }
}
