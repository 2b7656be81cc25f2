import { join } from 'node:path';
import { segmentsName } from './archiving.ts';
import { DocumentFile } from './document.ts';
import { type Files, systemCode } from './files.ts';
import { documentName } from './generation.ts';
import { damaged } from './lines.ts';
import { Sealer } from './seal.ts';
import { StoreError } from './store.ts';
import type { Slice, Slices } from './view.ts';

/**
 * A copy of what a store holds: its document alone, in a folder that no store has open. What an earlier version wrote,
 * a store that was closed, is read in the same way: its document held everything.
 */
export class CopyFile {
  readonly #dir: string;
  readonly #path: string;
  readonly #files: Files;
  readonly #document: DocumentFile;

  constructor(dir: string, files: Files, key: Uint8Array | undefined) {
    this.#dir = dir;
    this.#path = join(dir, documentName(0));
    this.#files = files;
    this.#document = new DocumentFile(files, this.#path, new Sealer(key));
  }

  /** Writes it, and resolves when it is on the disk. Rejects with `refused` where the disk does not take it. */
  async write(slices: Slices): Promise<void> {
    try {
      await this.#files.makeDir(this.#dir);
      // Numbered as what nothing came before: such a folder can be opened as a store too.
      await this.#document.write({ seq: 0, slices });
    } catch (error) {
      throw told('refused', `${this.#path} could not be written`, error);
    }
  }

  /**
   * What it holds, read when it is asked for. Rejects with `damaged`, or with `unreadable` where the disk does not give
   * it.
   */
  async *read(): AsyncGenerator<Slice, void, void> {
    try {
      const content = await this.#document.read();
      if (content === null) throw damaged(this.#path, 'it is missing');
      for await (const slice of content.slices) {
        if (slice.collection === segmentsName) throw damaged(this.#path, 'it is no copy: it has segments');
        yield slice;
      }
    } catch (error) {
      throw told('unreadable', `${this.#path} could not be read`, error);
    }
  }
}

function told(code: 'refused' | 'unreadable', message: string, cause: unknown): unknown {
  if (cause instanceof StoreError || systemCode(cause) === undefined) return cause;
  return new StoreError(code, `${message}: ${String(cause)}`, { cause });
}
