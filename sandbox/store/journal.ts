import { join } from 'node:path';
import { type Files, type OpenFile, systemCode, writeAll } from './files.ts';
import { journalName } from './generation.ts';
import { damaged, type FileLine, type Header, headerLine, lineOf, linesOf, orDamaged, readHeader } from './lines.ts';
import type { Seal, Sealer } from './seal.ts';
import { StoreError } from './store.ts';
import type { WrittenChange } from './working-set.ts';

/**
 * The transactions that shared one append. A batch is one line, so one checksum: however a power cut tears an append,
 * it tears the last line, and none of that line was acknowledged.
 */
export type Batch = readonly (readonly WrittenChange[])[];

/** What was read of a journal. `base` is the number of the batch before its first. */
export interface JournalScan {
  readonly path: string;
  readonly base: number;
  /** Set where it counts only once the document with the number `base` is there. */
  readonly after: Header['after'];
  readonly batches: readonly Batch[];
  /** How many bytes are good. */
  readonly length: number;
  /** What a torn append left after the good bytes. */
  readonly torn: Buffer | undefined;
  readonly seal: Seal;
}

/** Reads a journal; throws `damaged` for anything but a torn last line. */
export function scanJournal(bytes: Buffer, path: string, sealer: Sealer): JournalScan {
  const [first, ...lines] = linesOf(bytes);
  const header = readHeader(first, 'journal', path);
  const seal = sealer.existing(header.label, path);
  const batches: Batch[] = [];
  let length = first?.end ?? 0;
  for (const line of lines) {
    const text = openLine(line, seal, placeOf(header.seq + batches.length + 1));
    if (text instanceof Error) {
      if (line.isLast && line.torn) {
        return { path, base: header.seq, after: header.after, batches, length, torn: bytes.subarray(length), seal };
      }
      throw damaged(path, `line ${batches.length + 2}`, text);
    }
    batches.push(orDamaged(path, `line ${batches.length + 2}`, () => decode(text)));
    length = line.end;
  }
  return { path, base: header.seq, after: header.after, batches, length, torn: undefined, seal };
}

function openLine(line: FileLine, seal: Seal, place: string): string | Error {
  if (line.body === undefined) return new Error('The line is not whole');
  try {
    return seal.open(line.body, place);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function placeOf(seq: number): string {
  return `journal ${seq}`;
}

/** A removal is written without a record. */
function encode(batch: Batch): string {
  return JSON.stringify(
    batch.map((changes) =>
      changes.map(({ collection, id, record }) => (record === undefined ? [collection, id] : [collection, id, record])),
    ),
  );
}

function decode(text: string): Batch {
  const batch = JSON.parse(text) as [string, string, unknown?][][];
  return batch.map((changes) => changes.map(([collection, id, record]) => ({ collection, id, record })));
}

/** Where a journal is made. */
export interface JournalPlace {
  readonly dir: string;
  readonly files: Files;
  readonly sealer: Sealer;
  /** Of the store's files: see generation.ts. */
  readonly generation: number;
}

/** The journal that transactions are appended to. */
export class Journal {
  readonly path: string;
  readonly base: number;
  readonly #file: OpenFile;
  readonly #seal: Seal;
  #seq: number;
  #length: number;
  #broken = false;

  private constructor(path: string, file: OpenFile, at: { base: number; seq: number; length: number; seal: Seal }) {
    this.path = path;
    this.base = at.base;
    this.#file = file;
    this.#seal = at.seal;
    this.#seq = at.seq;
    this.#length = at.length;
  }

  /** Makes the journal that follows batch `base`. It appears under its name whole and durable, or not at all. */
  static async create(
    { files, dir, generation, sealer }: JournalPlace,
    base: number,
    marks: Pick<Header, 'after'> = {},
  ): Promise<Journal> {
    const path = join(dir, journalName(generation, base));
    const { seal, label } = sealer.fresh();
    const header = Buffer.from(headerLine({ kind: 'journal', seq: base, label, ...marks }));
    const file = await files.create(`${path}.tmp`);
    try {
      await writeAll(file, header, 0);
      await file.sync();
      await files.rename(`${path}.tmp`, path);
      await files.syncDir(dir);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new Journal(path, file, { base, seq: base, length: header.length, seal });
  }

  /** Goes on with a journal that was read. */
  static async resume(files: Files, scan: JournalScan): Promise<Journal> {
    const file = await files.open(scan.path);
    try {
      // What was read may have been written but not synced by a process that was killed: readers must not see it go.
      await file.sync();
    } catch (error) {
      await file.close();
      throw error;
    }
    const seq = scan.base + scan.batches.length;
    return new Journal(scan.path, file, { base: scan.base, seq, length: scan.length, seal: scan.seal });
  }

  /** The number of the last batch. */
  get seq(): number {
    return this.#seq;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether an append ended in doubt, rejected with `gave_up`: then nothing may be built on this journal. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Appends a batch and resolves when it is durable. After a rejection it is not part of the journal. */
  async append(batch: Batch): Promise<void> {
    const bytes = Buffer.from(lineOf(this.#seal.close(encode(batch), placeOf(this.#seq + 1))));
    try {
      await writeAll(this.#file, bytes, this.#length);
    } catch (cause) {
      await this.#cutBack(cause);
      throw new StoreError('refused', `The disk refused a write (${systemCode(cause) ?? cause}): nothing changed`, {
        cause,
      });
    }
    try {
      await this.#file.sync();
    } catch (cause) {
      // After a failed sync the system may drop what it could not write and report success next time: no second try.
      this.#broken = true;
      await this.#cutBack(cause);
      throw new StoreError('gave_up', `The disk failed to keep a write (${systemCode(cause) ?? cause}): restart`, {
        cause,
      });
    }
    this.#seq += 1;
    this.#length += bytes.length;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Takes back what a failed append left, so that the next opening does not find a refused transaction. */
  async #cutBack(after: unknown): Promise<void> {
    try {
      await this.#file.truncate(this.#length);
      await this.#file.sync();
    } catch (error) {
      this.#broken = true;
      const cause = new AggregateError([after, error]);
      throw new StoreError('gave_up', `The disk failed and so did taking back the write: restart`, { cause });
    }
  }
}
