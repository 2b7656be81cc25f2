import { earlierVersionError } from './encoding.ts';
import type { Seal, Sealer, SealLabel } from './seal.ts';
import { StoreError } from './store.ts';

/** What a file of a store is. */
export type FileKind = 'document' | 'log' | 'calls';

/** A file of another store, or of another place, than the one that is opened. */
export class MisplacedFileError extends StoreError {
  constructor(file: string, why: string) {
    const remedy = 'put each file back where it was, or restore the folder from a backup';
    super('damaged', `${file} ${why}. Nothing was changed: ${remedy}`);
  }
}

/**
 * Makes the seals of the files of one store, and of its copies. Each header names the store, by a random id, and its place. The
 * key of a sealed file depends on both and on the kind of file, so a file that was moved does not open, whatever its header says.
 * The first file that is opened decides which store it is; a new store draws an id.
 */
export class StoreSealer {
  readonly #sealer: Sealer;
  readonly #place: string;
  /** The same object for the store and its copies. */
  readonly #identity: { store?: string };

  /** @param place where the store is, with `/` between names; '' for the demo workspace */
  constructor(sealer: Sealer, place = '', identity: { store?: string } = {}) {
    this.#sealer = sealer;
    this.#place = place;
    this.#identity = identity;
  }

  /** The sealer of a copy that belongs to this store. */
  at(place: string): StoreSealer {
    return new StoreSealer(this.#sealer, place, this.#identity);
  }

  /** The seal of a new file, and the label to write in its header. */
  fresh(kind: FileKind): { readonly seal: Seal; readonly label: SealLabel } {
    this.#identity.store ??= this.#sealer.newId();
    const { seal, label } = this.#sealer.fresh(this.#binding(kind));
    return { seal, label: { store: this.#identity.store, place: this.#place, ...label } };
  }

  /** The seal of the existing `file`. Throws `MisplacedFileError`, or `wrong_key`. */
  existing(label: SealLabel, kind: FileKind, file: string): Seal {
    const { store, place } = label;
    if (store === undefined || place === undefined) throw earlierVersionError(file);
    if (place !== this.#place) {
      throw new MisplacedFileError(file, `belongs to ${placeName(place)}, not to ${placeName(this.#place)}`);
    }
    if (store !== (this.#identity.store ?? store)) {
      throw new MisplacedFileError(file, 'belongs to another store than the files next to it');
    }
    this.#identity.store = store;
    return this.#sealer.existing(label, file, this.#binding(kind));
  }

  #binding(kind: FileKind): string {
    return JSON.stringify([kind, this.#identity.store, this.#place]);
  }
}

/** What a message calls the store at a place. */
export function placeName(place: string): string {
  return place === '' ? 'the demo workspace' : place;
}
