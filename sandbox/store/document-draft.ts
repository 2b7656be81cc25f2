import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { formats, headerLine, lineOf } from './encoding.ts';
import { type Files, type OpenFile, writeAll } from './files.ts';
import type { Seal, SealLabel, StoreSealer } from './seal.ts';
import type { Slices } from './view.ts';
import type { WrittenChange } from './working-set.ts';

/** About how much is written in one piece: sealing it costs little, and it does not hold up the event loop. */
const pieceCharacters = 64 * 1024;

/** Where a document is, and how it is written. */
export interface DocumentPlace {
  readonly files: Files;
  readonly path: string;
  readonly sealer: StoreSealer;
}

/**
 * A document that is being written to a temporary file. It is JSON with one record a line, and ends with a checksum over
 * everything before; with a key, pieces of that JSON are sealed, one a line:
 *
 *     {"format":4,"store":"6e0c1ad5","place":"workspaces/ws_5f2c","collections":[
 *     {"name":"orders","records":[
 *     ["ORD-1",{"points":5}],
 *     ["ORD-2",{"points":7}]
 *     ]}
 *     ],"sequence":42,"checksum":"9a0364b9"}
 */
export class DocumentDraft {
  readonly #place: DocumentPlace;
  readonly #file: OpenFile;
  /** Undefined if there is no key. */
  readonly #seal: Seal | undefined;
  #text: string;
  #checksum = 0;
  #pieces = 0;
  #collection: string | undefined;
  #isOpen = true;
  /** How many bytes were written. */
  size = 0;

  private constructor(place: DocumentPlace, file: OpenFile, seal: Seal, label: SealLabel) {
    this.#place = place;
    this.#file = file;
    this.#seal = label.key === undefined ? undefined : seal;
    this.#text = firstLine(label).slice(0, -1);
  }

  static async create(place: DocumentPlace): Promise<DocumentDraft> {
    const { seal, label } = place.sealer.fresh('document');
    const file = await place.files.create(temporaryName(place.path));
    const draft = new DocumentDraft(place, file, seal, label);
    try {
      if (label.key !== undefined) await draft.#append(headerLine({ kind: 'document', seq: 0, label }));
      return draft;
    } catch (error) {
      await draft.discard();
      throw error;
    }
  }

  /** Writes records. Waits for the disk between two pieces, so that transactions can run. */
  async add(content: Slices): Promise<void> {
    for await (const { collection, rows } of content) {
      for (const { id, record } of rows) await this.#put({ collection, id, record });
    }
  }

  /** Writes changes on top of the records; one without a record removes it. */
  async change(changes: readonly WrittenChange[]): Promise<void> {
    for (const change of changes) await this.#put(change);
  }

  /** Resolves when what was written so far is on the disk, so that little is left for the end. */
  async settle(): Promise<void> {
    await this.#write();
    await this.#file.sync();
  }

  /** Ends the document with the number of the entry of the log that it includes, and resolves when it is on the disk. */
  async finish(sequence: number): Promise<void> {
    this.#text += `${this.#collection === undefined ? '' : '\n]}'}\n],"sequence":${sequence}`;
    this.#text += `,"checksum":"${checksumText(crc32(this.#text, this.#checksum))}"}\n`;
    await this.#write();
    await this.#file.sync();
    await this.#close();
  }

  /** Replaces the earlier document. What a power cut leaves is one of the two. */
  async publish(): Promise<void> {
    const { files, path } = this.#place;
    await files.rename(temporaryName(path), path);
    await files.syncDir(dirname(path));
  }

  /** Whether it has not replaced the document yet; throws if the disk cannot be read. */
  async isDraft(): Promise<boolean> {
    const temporary = temporaryName(this.#place.path);
    return (await this.#place.files.list(dirname(temporary))).includes(basename(temporary));
  }

  /** Removes it. */
  async discard(): Promise<void> {
    await this.#close();
    await this.#place.files.remove(temporaryName(this.#place.path));
  }

  async #put({ collection, id, record }: WrittenChange): Promise<void> {
    if (collection === this.#collection) this.#text += ',\n';
    else {
      this.#text += this.#collection === undefined ? '\n' : '\n]},\n';
      this.#text += `{"name":${JSON.stringify(collection)},"records":[\n`;
      this.#collection = collection;
    }
    this.#text += JSON.stringify(record === undefined ? [id] : [id, record]);
    if (this.#text.length >= pieceCharacters) await this.#write();
  }

  async #write(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    this.#checksum = crc32(text, this.#checksum);
    this.#pieces += 1;
    await this.#append(this.#seal ? lineOf(this.#seal.close(text, piecePlace(this.#pieces))) : text);
  }

  async #append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await writeAll(this.#file, bytes, this.size);
    this.size += bytes.length;
  }

  async #close(): Promise<void> {
    if (this.#isOpen) await this.#file.close();
    this.#isOpen = false;
  }
}

/** The name of a document in its folder. */
export const documentName = 'db.json';

/** The first line of the JSON, which says what the document belongs to. */
export function firstLine({ store, place }: SealLabel): string {
  return `${JSON.stringify({ format: formats.document, store, place, collections: [] }).slice(0, -2)}\n`;
}

export function checksumText(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}

/** Where a document is written before it takes its place. */
export function temporaryName(path: string): string {
  return `${path}.tmp`;
}

/** Where a piece belongs: sealed, it opens nowhere else. */
export function piecePlace(piece: number): string {
  return `document ${piece}`;
}
