import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { type Entry, slicesIn, textsOf } from './encoding.ts';
import { type Files, type OpenFile, writeAll } from './files.ts';
import { damaged, type FileLine, headerLine, lineOf, linesIn, orDamaged, readHeader } from './lines.ts';
import type { Seal, Sealer } from './seal.ts';
import { nothing, type Slice, type Slices } from './view.ts';

/** What the document holds: every row as of batch `seq`. */
export interface Content {
  readonly seq: number;
  readonly slices: Slices;
}

/** The content of a store that has never been folded. */
export const NOTHING_FOLDED: Content = { seq: 0, slices: nothing };

/**
 * The lowdb adapter of the store: a header, sealed lines of many records each, and a last line with the number of
 * lines, without which the document counts as cut short. It is written and read a line at a time, and replaces the
 * earlier document in one step, once it is on the disk.
 */
export class DocumentFile implements Adapter<Content> {
  readonly #files: Files;
  readonly #path: string;
  readonly #sealer: Sealer;
  #size = 0;
  #renames = 0;

  constructor(files: Files, path: string, sealer: Sealer) {
    this.#files = files;
    this.#path = path;
    this.#sealer = sealer;
  }

  /** The size in bytes of the document as last read to its end or written. */
  get size(): number {
    return this.#size;
  }

  /** How often a document was put in its place. */
  get renames(): number {
    return this.#renames;
  }

  /** What the document holds, of which the slices are read when they are asked for; null where there is none. */
  async read(): Promise<Content | null> {
    const file = await this.#files.openToRead(this.#path);
    if (file === undefined) return null;
    try {
      const first = await linesIn(file).next();
      const { seq, label } = readHeader(first.done ? undefined : first.value, 'document', this.#path);
      const seal = this.#sealer.existing(label, this.#path);
      return { seq, slices: { [Symbol.asyncIterator]: () => this.#slices(seq, seal) } };
    } finally {
      await file.close();
    }
  }

  async write(content: Content): Promise<void> {
    const staged = await this.stage(content);
    try {
      await staged.rename();
      await staged.settle();
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  /** Writes a document beside the one that is there, which stays until the new one is published. */
  async stage(content: Content): Promise<StagedDocument> {
    const temporary = `${this.#path}.tmp`;
    const discard = (): Promise<void> => this.#files.remove(temporary);
    let size: number;
    const file = await this.#files.create(temporary);
    try {
      size = await this.#stream(file, content);
      await file.sync();
    } catch (error) {
      // A disk that is full must not stay so because of half a document.
      await discard();
      throw error;
    } finally {
      await file.close();
    }
    const rename = async (): Promise<void> => {
      await this.#files.rename(temporary, this.#path);
      this.#size = size;
      this.#renames += 1;
    };
    return { temporary, rename, settle: () => this.#files.syncDir(dirname(this.#path)), discard };
  }

  /** Writes line by line: waiting for the disk between two lines lets transactions through. */
  async #stream(file: OpenFile, content: Content): Promise<number> {
    const { seal, label } = this.#sealer.fresh();
    let size = 0;
    const append = async (line: string): Promise<void> => {
      const bytes = Buffer.from(line);
      await writeAll(file, bytes, size);
      size += bytes.length;
    };
    await append(headerLine({ kind: 'document', seq: content.seq, label }));
    let lines = 0;
    for await (const text of textsOf(content.slices)) {
      lines += 1;
      await append(lineOf(seal.close(text, placeOf(content.seq, lines))));
    }
    await append(lineOf(seal.close(String(lines), placeOf(content.seq, 'end'))));
    return size;
  }

  async *#slices(seq: number, seal: Seal): AsyncGenerator<Slice, void, void> {
    const path = this.#path;
    const file = await this.#files.openToRead(path);
    if (file === undefined) throw damaged(path, 'it is missing');
    try {
      this.#size = yield* slicesOf(linesIn(file), path, seq, seal);
    } finally {
      await file.close();
    }
  }
}

/** A document that is on the disk, beside the one that counts. */
export interface StagedDocument {
  /** The file that it is in. */
  readonly temporary: string;
  /** Puts it in the place of the earlier one. */
  rename(): Promise<void>;
  /** Resolves when a power cut does not bring the earlier one back. */
  settle(): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

function placeOf(seq: number, line: number | 'end'): string {
  return `document ${seq} ${line}`;
}

/** What the lines after the header hold, one after the other. Returns where the last one ends. */
async function* slicesOf(
  lines: AsyncGenerator<FileLine, void, void>,
  path: string,
  seq: number,
  seal: Seal,
): AsyncGenerator<Slice, number, void> {
  await lines.next();
  let count = 0;
  for await (const line of lines) {
    if (line.isLast) {
      if (openLine(line, seal, placeOf(seq, 'end'), path) === String(count)) return line.end;
      break;
    }
    count += 1;
    const text = openLine(line, seal, placeOf(seq, count), path);
    yield* slicesIn(orDamaged(path, `byte ${line.start}`, () => JSON.parse(text) as Entry[]));
  }
  throw damaged(path, 'its end is missing');
}

function openLine({ body, start }: FileLine, seal: Seal, place: string, path: string): string {
  return orDamaged(path, `byte ${start}`, () => {
    if (body === undefined) throw new Error('The line is not whole');
    return seal.open(body, place);
  });
}
