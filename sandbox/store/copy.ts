import { join } from 'node:path';
import { writeDocument } from './document.ts';
import { type DocumentPlace, documentName } from './document-draft.ts';
import { type Files, systemCode } from './files.ts';
import { damagedError } from './lines.ts';
import { readDocument } from './read-document.ts';
import { Sealer } from './seal.ts';
import { StoreError } from './store.ts';
import type { Slice, Slices } from './view.ts';

/** A copy of what a store holds: its document alone, in a folder of its own. */
export class CopyFile {
  readonly #dir: string;
  readonly #place: DocumentPlace;

  constructor(dir: string, files: Files, key: Uint8Array | undefined) {
    this.#dir = dir;
    this.#place = { files, path: join(dir, documentName), sealer: new Sealer(key) };
  }

  /** Writes it, and resolves when it is on the disk. Rejects with `refused` where the disk does not take it. */
  async write(slices: Slices): Promise<void> {
    try {
      await this.#place.files.makeDir(this.#dir);
      // Numbered as if nothing came before: such a folder can be opened as a store too.
      await writeDocument(this.#place, slices, 0);
    } catch (error) {
      throw asStoreError('refused', `Cannot write ${this.#place.path}`, error);
    }
  }

  /** Reads it. Rejects with `damaged`, or with `unreadable` where the disk does not give it. */
  async *read(): AsyncGenerator<Slice, void, void> {
    try {
      const end = yield* readDocument(this.#place);
      if (end === undefined) throw damagedError(this.#place.path, 'it is missing');
    } catch (error) {
      throw asStoreError('unreadable', `Cannot read ${this.#place.path}`, error);
    }
  }
}

function asStoreError(code: 'refused' | 'unreadable', message: string, cause: unknown): unknown {
  if (cause instanceof StoreError || systemCode(cause) === undefined) return cause;
  return new StoreError(code, `${message}: ${String(cause)}`, { cause });
}
