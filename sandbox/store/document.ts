import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import type { Row } from './collection.ts';
import { type Files, type OpenFile, writeAll } from './files.ts';
import { damaged, headerLine, type Line, lineOf, linesOf, orDamaged, readHeader } from './lines.ts';
import type { Seal, Sealer } from './seal.ts';

/** What the document holds: every row as of batch `seq`, by collection, oldest insertion first. */
export interface Content {
  readonly seq: number;
  readonly collections: ReadonlyMap<string, readonly Pick<Row, 'id' | 'record'>[]>;
}

/** The content of a store that has never been folded. */
export const NOTHING_FOLDED: Content = { seq: 0, collections: new Map() };

/** About how much one line holds: large enough that sealing costs little, small enough not to hold up the event loop. */
const LINE_CHARACTERS = 64 * 1024;

type Entry = readonly [collection: string, id: string, record: unknown];

/**
 * The lowdb adapter of the store: a header, sealed lines of many records each, and a last line with the number of
 * lines, without which the document counts as cut short. It replaces the earlier document in one step, once it is on the disk.
 */
export class DocumentFile implements Adapter<Content> {
  readonly #files: Files;
  readonly #path: string;
  readonly #sealer: Sealer;
  #size = 0;

  constructor(files: Files, path: string, sealer: Sealer) {
    this.#files = files;
    this.#path = path;
    this.#sealer = sealer;
  }

  /** The size in bytes of the document as last read or written. */
  get size(): number {
    return this.#size;
  }

  async read(): Promise<Content | null> {
    const bytes = await this.#files.read(this.#path);
    if (!bytes) return null;
    this.#size = bytes.length;
    return readDocument(bytes, this.#path, this.#sealer);
  }

  async write(content: Content): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    const file = await this.#files.create(temporary);
    try {
      const size = await this.#stream(file, content);
      await file.sync();
      await this.#files.rename(temporary, this.#path);
      await this.#files.syncDir(dirname(this.#path));
      this.#size = size;
    } catch (error) {
      // A disk that is full must not stay so because of half a document.
      await this.#files.remove(temporary);
      throw error;
    } finally {
      await file.close();
    }
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
    for (const text of textsOf(content)) {
      lines += 1;
      await append(lineOf(seal.close(text, placeOf(content.seq, lines))));
    }
    await append(lineOf(seal.close(String(lines), placeOf(content.seq, 'end'))));
    return size;
  }
}

/** The entries as JSON arrays of about one line's size. */
function* textsOf({ collections }: Content): Generator<string> {
  let entries = '';
  for (const [collection, rows] of collections) {
    for (const { id, record } of rows) {
      const entry: Entry = [collection, id, record];
      entries += `${entries && ','}${JSON.stringify(entry)}`;
      if (entries.length < LINE_CHARACTERS) continue;
      yield `[${entries}]`;
      entries = '';
    }
  }
  if (entries) yield `[${entries}]`;
}

function placeOf(seq: number, line: number | 'end'): string {
  return `document ${seq} ${line}`;
}

function readDocument(bytes: Buffer, path: string, sealer: Sealer): Content {
  const lines = linesOf(bytes);
  const first = lines.next();
  const header = readHeader(first.done ? undefined : first.value, 'document', path);
  const seal = sealer.existing(header.label, path);
  const collections = new Map<string, Pick<Row, 'id' | 'record'>[]>();
  let count = 0;
  let complete = false;
  for (const line of lines) {
    if (line.isLast) {
      complete = openLine(line, seal, placeOf(header.seq, 'end'), path) === String(count);
      break;
    }
    count += 1;
    const text = openLine(line, seal, placeOf(header.seq, count), path);
    const entries = orDamaged(path, `byte ${line.start}`, () => JSON.parse(text) as Entry[]);
    for (const [collection, id, record] of entries) {
      const rows = collections.get(collection);
      if (rows) rows.push({ id, record });
      else collections.set(collection, [{ id, record }]);
    }
  }
  if (!complete) throw damaged(path, 'its end is missing');
  return { seq: header.seq, collections };
}

function openLine({ body, start }: Line, seal: Seal, place: string, path: string): string {
  return orDamaged(path, `byte ${start}`, () => {
    if (body === undefined) throw new Error('The line is not whole');
    return seal.open(body, place);
  });
}
