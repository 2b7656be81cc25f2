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
import type { Slice, Slices } from '../store/row.ts';
import type { Seal, Sealer } from '../store/seal.ts';
import type { StoragePlace } from './storage.ts';

/** A part of a backup, with the location of its content. */
export interface BackupPart {
  readonly place: StoragePlace;
}

/** The locations that `export` writes, as JSON: those of workspaces and of their snapshots. */
const placeForm =
  /^\[(?:"workspaces","ws_[0-9a-f]{16}"|(?:"workspaces","ws_[0-9a-f]{16}",)?"snapshots","SNP-\d{6,15}")?\]$/;

/**
 * Maximum length of a line in a backup, in bytes. `export` writes lines of about 64 KiB, and only a single larger
 * record exceeds that. A longer line does not come from `export`, and would fill the memory.
 */
const longestLine = 16 * 1024 * 1024;

/** A callback that receives the content of one part after another. */
export type WritePart = (part: BackupPart, content: Slices) => Promise<void>;

/**
 * A file with all stores of a sandbox: a header, sealed lines and a last line. Each sealed line starts a part or
 * contains records of the current part. The last line states the number of sealed lines. Without that line, the file
 * counts as truncated.
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
   * Writes the parts that `fill` passes on. The file appears under its name only when it is complete and on the disk.
   * Resolves with its size in bytes. Rejects with the system's error, and with any error of `fill`.
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
   * Reads the file to its end, one part after another. Skips any content that `take` does not read. Rejects with
   * `damaged` or `wrong_key`.
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

  /** Yields the records of a part, up to the start of the next part. */
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

  /** Parses the start of a part. Its location is used as a path, so any unexpected form is refused. */
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
