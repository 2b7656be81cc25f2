import { dirname } from 'node:path';
import {
  damagedError,
  type Entry,
  type FileLine,
  headerLine,
  lineOf,
  linesIn,
  orDamaged,
  readHeader,
  slicesIn,
  textsOf,
} from '../store/encoding.ts';
import { draftOf, type Files, type OpenFile, writeAll } from '../store/files.ts';
import type { Seal, Sealer } from '../store/seal.ts';
import type { Slice, Slices } from '../store/view.ts';
import type { StoragePlace } from './storage.ts';

/** A part of a backup: where its content belongs. */
export interface BackupPart {
  readonly place: StoragePlace;
}

/** The places that `export` writes, as JSON: those of workspaces, and of their snapshots. */
const placeForm =
  /^\[(?:"workspaces","ws_[0-9a-f]{16}"|(?:"workspaces","ws_[0-9a-f]{16}",)?"snapshots","SNP-\d{6,15}")?\]$/;

/**
 * Longest line of a backup in bytes. `export` writes lines of about 64 KiB, which only a single larger record exceeds.
 * A line beyond the bound comes from elsewhere and would fill the memory.
 */
const longestLine = 16 * 1024 * 1024;

/** Receives the content of one part after the other. */
export type WritePart = (part: BackupPart, content: Slices) => Promise<void>;

/**
 * All stores of a sandbox in one file: a header, sealed lines, each the begin of a part or records of it, and a last line
 * with their number, without which the file counts as cut short.
 */
export class BackupFile {
  readonly #files: Files;
  readonly #path: string;
  readonly #sealer: Sealer;

  constructor(files: Files, path: string, sealer: Sealer) {
    this.#files = files;
    this.#path = path;
    this.#sealer = sealer;
  }

  /**
   * Writes what `fill` hands over. It is there under its name once it is whole and on the disk. Resolves with its size in
   * bytes; rejects with the system's error, and with what `fill` does.
   */
  async write(fill: (write: WritePart) => Promise<void>): Promise<number> {
    const temporary = draftOf(this.#path);
    const file = await this.#files.create(temporary);
    let size: number;
    try {
      size = await this.#fill(file, fill);
      await file.sync();
    } catch (error) {
      await file.close();
      await this.#files.remove(temporary);
      throw error;
    }
    await file.close();
    await this.#files.rename(temporary, this.#path);
    await this.#files.syncDir(dirname(this.#path));
    return size;
  }

  async #fill(file: OpenFile, fill: (write: WritePart) => Promise<void>): Promise<number> {
    const { seal, label } = this.#sealer.fresh();
    let [size, lines] = [0, 0];
    const append = async (line: string): Promise<void> => {
      const bytes = Buffer.from(line);
      await writeAll(file, bytes, size);
      size += bytes.length;
    };
    const sealed = async (text: string): Promise<void> => {
      lines += 1;
      await append(lineOf(seal.close(text, lineNumber(lines))));
    };
    await append(headerLine({ kind: 'backup', seq: 0, label }));
    await fill(async ({ place }, content) => {
      await sealed(JSON.stringify({ place }));
      for await (const text of textsOf(content)) await sealed(text);
    });
    await append(lineOf(seal.close(String(lines), lineNumber('end'))));
    return size;
  }

  /**
   * Reads it to its end, one part after the other; what `take` leaves of a part is passed over. Rejects with `damaged` or
   * `wrong_key`, or with `undefined` if there is no such file, before any workspace is written.
   *
   * @returns whether there is such a file
   */
  async read(take: (part: BackupPart, content: Slices) => Promise<void>): Promise<boolean> {
    const file = await this.#files.openToRead(this.#path);
    if (file === undefined) return false;
    try {
      await this.#take(this.#texts(file), take);
    } finally {
      await file.close();
    }
    return true;
  }

  async #take(texts: AsyncGenerator<string>, take: (part: BackupPart, content: Slices) => Promise<void>) {
    let next = await texts.next();
    while (!next.done) {
      const part = this.#part(next.value);
      next = await texts.next();
      const content = this.#contentOf(texts, next, (later) => {
        next = later;
      });
      await take(part, content);
      for await (const _rest of content);
    }
  }

  /** The records of a part: all texts up to the begin of the next one. */
  async *#contentOf(
    texts: AsyncGenerator<string>,
    first: IteratorResult<string>,
    left: (next: IteratorResult<string>) => void,
  ): AsyncGenerator<Slice, void, void> {
    let next = first;
    while (!next.done && next.value.startsWith('[')) {
      yield* slicesIn(this.#parsed(next.value) as Entry[]);
      next = await texts.next();
      left(next);
    }
  }

  async *#texts(file: OpenFile): AsyncGenerator<string, void, void> {
    const lines = linesIn(file, longestLine);
    const first = await lines.next();
    const { label } = readHeader(first.done ? undefined : first.value, 'backup', this.#path);
    const seal = this.#sealer.existing(label, this.#path);
    let count = 0;
    for await (const line of lines) {
      if (line.isLast) {
        if (this.#opened(line, seal, 'end') === String(count)) return;
        break;
      }
      count += 1;
      yield this.#opened(line, seal, count);
    }
    throw damagedError(this.#path, 'its end is missing');
  }

  #opened({ body, start }: FileLine, seal: Seal, number: number | 'end'): string {
    return orDamaged(this.#path, `byte ${start}`, () => {
      if (body === undefined) throw new Error('The line is incomplete');
      return seal.open(body, lineNumber(number));
    });
  }

  /** A place is used as a path: one of another form may lead anywhere. */
  #part(text: string): BackupPart {
    const { place } = this.#parsed(text) as BackupPart;
    const form = `${JSON.stringify(place)}`;
    if (!placeForm.test(form)) throw damagedError(this.#path, `a part for ${form.slice(0, 100)}`);
    return { place };
  }

  #parsed(text: string): unknown {
    return orDamaged(this.#path, 'a line', () => JSON.parse(text));
  }
}

function lineNumber(line: number | 'end'): string {
  return `backup ${line}`;
}
