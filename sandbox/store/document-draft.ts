import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { formats, headerLine, lineOf } from './encoding.ts';
import { type Files, type OpenFile, writeAll } from './files.ts';
import type { Slices } from './row.ts';
import type { Seal, SealLabel, StoreSealer } from './seal.ts';
import type { WrittenChange } from './working-set.ts';

/** Approximate chunk size, in characters. Sealing a chunk of this size costs little and does not block the event loop. */
const pieceCharacters = 64 * 1024;

/** The location of a document, with the file system and the sealer that write it. */
export interface DocumentPlace {
  readonly files: Files;
  readonly path: string;
  readonly sealer: StoreSealer;
}

/**
 * A document that is being written to a temporary file. It is JSON with one record per line, and ends with a checksum
 * of everything before it. With a key, it is sealed in chunks, one per line. The JSON looks like this:
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
  /** The number of bytes written. */
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

  /** Writes records. Awaits the disk after each chunk, so that transactions can run. */
  async add(content: Slices): Promise<void> {
    for await (const { collection, rows } of content) {
      for (const { id, record } of rows) await this.#put({ collection, id, record });
    }
  }

  /** Writes changes on top of the records. A change without a record removes the earlier one. */
  async change(changes: readonly WrittenChange[]): Promise<void> {
    for (const change of changes) await this.#put(change);
  }

  /** Syncs everything written so far to the disk, so that `finish` has little left to do. */
  async settle(): Promise<void> {
    await this.#write();
    await this.#file.sync();
  }

  /** Ends the document with the number of the last log entry that it includes. Resolves when the document is on the disk. */
  async finish(sequence: number): Promise<void> {
    this.#text += `${this.#collection === undefined ? '' : '\n]}'}\n],"sequence":${sequence}`;
    this.#text += `,"checksum":"${checksumText(crc32(this.#text, this.#checksum))}"}\n`;
    await this.#write();
    await this.#file.sync();
    await this.#close();
  }

  /** Replaces the earlier document. A power cut leaves either of the two. */
  async publish(): Promise<void> {
    const { files, path } = this.#place;
    await files.rename(temporaryName(path), path);
    await files.syncDir(dirname(path));
  }

  /** Returns whether the draft has not yet replaced the document. Throws if the disk cannot be read. */
  async isDraft(): Promise<boolean> {
    const temporary = temporaryName(this.#place.path);
    return (await this.#place.files.list(dirname(temporary))).includes(basename(temporary));
  }

  /** Deletes the draft. */
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

/** The file name of a document within its folder. */
export const documentName = 'db.json';

/** Returns the first line of the JSON, which identifies the store and its location. */
export function firstLine({ store, place }: SealLabel): string {
  return `${JSON.stringify({ format: formats.document, store, place, collections: [] }).slice(0, -2)}\n`;
}

export function checksumText(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}

/** Returns the temporary path to which a document is written before it is published. */
export function temporaryName(path: string): string {
  return `${path}.tmp`;
}

/** Returns the position that a chunk is sealed with. A sealed chunk opens only at that position. */
export function piecePlace(piece: number): string {
  return `document ${piece}`;
}
