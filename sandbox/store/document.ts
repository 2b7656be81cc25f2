import { crc32 } from 'node:zlib';
import type { Adapter } from 'lowdb';
import { checksumText, DocumentDraft, type DocumentPlace, firstLine, piecePlace } from './document-draft.ts';
import { damagedError, linesIn, orDamaged, readHeader, refuseOtherFormat } from './encoding.ts';
import type { OpenFile } from './files.ts';
import { freezeRecord, rowsOfSlice, type Slice, type Slices } from './row.ts';
import type { WorkingSet } from './working-set.ts';

/** The `data` of lowdb: every record as of one log entry. */
export interface Content<Collections> {
  readonly sequence: number;
  readonly working: WorkingSet<Collections>;
}

/** The lowdb adapter. It reads and writes the document in chunks. */
export class DocumentAdapter<Collections> implements Adapter<Content<Collections>> {
  readonly #place: DocumentPlace;
  readonly #empty: () => WorkingSet<Collections>;
  /** The size of the document when it was last read or written, in bytes. */
  size = 0;
  #isStopped = false;

  constructor(place: DocumentPlace, empty: () => WorkingSet<Collections>) {
    this.#place = place;
    this.#empty = empty;
  }

  async read(): Promise<Content<Collections> | null> {
    const working = this.#empty();
    const slices = readDocument(this.#place);
    let next = await slices.next();
    for (; !next.done; next = await slices.next()) working.load(next.value);
    if (next.value === undefined) return null;
    this.size = next.value.size;
    return { sequence: next.value.sequence, working };
  }

  /** Writes a snapshot of all records, while changes continue. */
  async write({ sequence, working }: Content<Collections>): Promise<void> {
    this.size = await writeDocument(this.#place, this.#untilStopped(working.view()), sequence);
  }

  /** Aborts a write in progress, which then rejects. The earlier document remains. */
  stop(): void {
    this.#isStopped = true;
  }

  async *#untilStopped(slices: Slices): AsyncGenerator<Slice, void, void> {
    for await (const slice of slices) {
      if (this.#isStopped) throw new Error('The store closes');
      yield slice;
    }
  }
}

/** Replaces the document atomically. Returns the size of the new document, in bytes. */
export async function writeDocument(place: DocumentPlace, content: Slices, sequence: number): Promise<number> {
  const draft = await DocumentDraft.create(place);
  try {
    await draft.add(content);
    await draft.finish(sequence);
    await draft.publish();
  } catch (error) {
    // Free the space of the partial document, because the disk may be full.
    await draft.discard();
    throw error;
  }
  return draft.size;
}

/**
 * Reads a document in chunks. Returns its size in bytes and the last log entry that it includes, or undefined if there
 * is no document. Throws `damaged` if the content differs from what was written. Slices are not verified until the
 * generator returns.
 */
export async function* readDocument(place: DocumentPlace) {
  const { files, path } = place;
  const file = await files.openToRead(path);
  if (file === undefined) return undefined;
  try {
    const first = Buffer.alloc(1024);
    const read = await file.read(first, 0);
    if (read === 0) throw damagedError(path, 'it is empty');
    const isPlain = first.toString('latin1', 0, 1) === '{';
    const { label, pieces } = isPlain
      ? plainPieces(file, place, first.toString('utf8', 0, read))
      : await sealedPieces(file, place);
    const parser = new DocumentParser(path, firstLine(label));
    let size = 0;
    for await (const { text, end } of pieces) {
      size = end;
      yield* parser.take(text);
    }
    return { sequence: parser.end(), size };
  } finally {
    await file.close();
  }
}

/** A chunk of the JSON, and the file offset of its end. */
interface Piece {
  readonly text: string;
  readonly end: number;
}

/** Returns the chunks of a sealed document, and the label that identifies its store. */
async function sealedPieces(file: OpenFile, { path, sealer }: DocumentPlace) {
  const lines = linesIn(file);
  const header = await lines.next();
  const { label } = readHeader(header.value ?? undefined, 'document', path);
  const seal = sealer.existing(label, 'document', path);
  return { label, pieces: opened() };

  async function* opened(): AsyncGenerator<Piece, void, void> {
    let pieces = 0;
    for await (const { body, start, end } of lines) {
      pieces += 1;
      const text = orDamaged(path, `byte ${start}`, () => seal.open(body ?? '', piecePlace(pieces)));
      yield { text, end };
    }
  }
}

/** Returns the chunks and the label of a plain-text document. */
function plainPieces(file: OpenFile, { path, sealer }: DocumentPlace, start: string) {
  const { format, ...label } = orDamaged(path, 'its first line', () => {
    const { format, store, place } = JSON.parse(`${start.split('\n', 1)[0]}]}`);
    if (typeof format !== 'number') throw new Error('It does not say its format');
    return { format, store, place };
  });
  refuseOtherFormat('document', format, path);
  sealer.existing(label, 'document', path);
  return { label, pieces: decoded() };

  async function* decoded(): AsyncGenerator<Piece, void, void> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const bytes = Buffer.allocUnsafe(64 * 1024);
    for (let end = 0; ; ) {
      const read = await file.read(bytes, end);
      const text = orDamaged(path, `byte ${end}`, () => decoder.decode(bytes.subarray(0, read), { stream: read > 0 }));
      end += read;
      yield { text, end };
      if (read === 0) return;
    }
  }
}

/** A line-by-line parser of the JSON that `DocumentDraft` writes. */
class DocumentParser {
  readonly #path: string;
  readonly #firstLine: string;
  /** The beginning of an incomplete line. */
  #rest = '';
  #checksum = 0;
  #lines = 0;
  /** The collection of the records that are being read. */
  #collection: string | undefined;
  #records: string[] = [];
  #sequence: number | undefined;

  constructor(path: string, firstLine: string) {
    this.#path = path;
    this.#firstLine = firstLine;
  }

  *take(text: string): Generator<Slice> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('[')) {
        this.#records.push(line);
        if (this.#records.length === rowsOfSlice) yield this.#slice();
      } else {
        if (this.#records.length > 0) yield this.#slice();
        this.#read(line);
      }
    }
    if (this.#records.length > 0) yield this.#slice();
  }

  /** Returns the sequence after all text was read. Throws `damaged` if the end of the document is missing. */
  end(): number {
    if (this.#sequence === undefined || this.#rest !== '') throw damagedError(this.#path, 'its end is missing');
    return this.#sequence;
  }

  /** Parses a line that is not a record. */
  #read(line: string): void {
    this.#refuseAfterEnd();
    const end = /^\],"sequence":(\d{1,15})(,"checksum":"[0-9a-f]{8}"\})$/.exec(line);
    if (end !== null) {
      const [, sequence = '', checksum] = end;
      this.#add(`],"sequence":${sequence}`);
      if (checksum !== `,"checksum":"${checksumText(this.#checksum)}"}`) throw damagedError(this.#path, 'its checksum');
      this.#sequence = Number(sequence);
      return;
    }
    this.#add(`${line}\n`);
    this.#lines += 1;
    if (this.#lines === 1 ? `${line}\n` === this.#firstLine : line === ']}' || line === ']},')
      this.#collection = undefined;
    else this.#collection = this.#nameIn(line);
  }

  #nameIn(line: string): string {
    return orDamaged(this.#path, 'a line that is not a record', () => {
      const { name } = JSON.parse(`${line}]}`);
      if (this.#lines === 1 || typeof name !== 'string') throw new Error('This is no collection');
      return name;
    });
  }

  /** Returns the records that were read since the last slice. */
  #slice(): Slice {
    this.#refuseAfterEnd();
    const collection = this.#collection;
    const lines = this.#records;
    this.#records = [];
    this.#add(`${lines.join('\n')}\n`);
    return orDamaged(this.#path, `a record of ${collection}`, () => {
      if (collection === undefined) throw new Error('The record belongs to no collection');
      const entries = JSON.parse(`[${lines.join('').replace(/,$/, '')}]`) as [id: string, record?: unknown][];
      const rows = entries.map(([id, record]) => ({
        id,
        record: record === undefined ? undefined : freezeRecord(record, `${collection} ${id}`),
      }));
      return { collection, rows };
    });
  }

  #refuseAfterEnd(): void {
    if (this.#sequence !== undefined) throw damagedError(this.#path, 'there is data after its end');
  }

  #add(text: string): void {
    this.#checksum = crc32(text, this.#checksum);
  }
}
