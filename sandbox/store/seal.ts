import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { crc32 } from 'node:zlib';
import { StoreError } from './store.ts';

/**
 * A seal that makes damage to text detectable. `place` is the position of the text (file and line). Moved text does not
 * open. Without a key, a checksum detects accidental damage only. With a key, only its holder can read or forge text.
 */
export interface Seal {
  close(text: string, place: string): string;
  /** Returns the text. Throws if `body` is not exactly the result of `close` for this position. */
  open(body: string, place: string): string;
  /** Like `close`, but for bytes, in files that do not consist of lines. */
  closeBytes(bytes: Uint8Array, place: string): Buffer;
  openBytes(sealed: Uint8Array, place: string): Buffer;
}

/** The information about a seal in a file header. */
export interface SealLabel {
  /** The store that the file belongs to, and its location. Absent if the file is not bound to a folder, as in a backup. */
  readonly store?: string;
  readonly place?: string;
  /** Absent for an unencrypted file. */
  readonly key?: string;
  readonly salt?: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SUM_BYTES = 4;

/** The seal for unencrypted files and for every header. */
export const plainSeal: Seal = {
  close: (text, place) => `${checksum(text, place)} ${text}`,
  open(body, place) {
    const text = body.slice(9);
    if (body.slice(0, 9) !== `${checksum(text, place)} `) throw new Error('The checksum does not match');
    return text;
  },
  closeBytes(bytes, place) {
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32LE(checksumOf(bytes, place));
    return Buffer.concat([sum, bytes]);
  },
  openBytes(sealed, place) {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
    const content = bytes.subarray(SUM_BYTES);
    if (bytes.readUInt32LE() !== checksumOf(content, place)) throw new Error('The checksum does not match');
    return content;
  },
};

function checksum(text: string, place: string): string {
  return checksumOf(text, place).toString(16).padStart(8, '0');
}

function checksumOf(content: string | Uint8Array, place: string): number {
  return crc32(content, crc32(`${place}\n`));
}

/** Creates the seals for all files of one store. Each file has its own key, derived from the store's key and a salt. */
export class Sealer {
  readonly #key: Uint8Array | undefined;
  readonly #random: (bytes: number) => Uint8Array;

  constructor(key: Uint8Array | undefined, random: (bytes: number) => Uint8Array = randomBytes) {
    if (key && key.length !== 32) throw new StoreError('wrong_key', `The key must be 32 bytes long, not ${key.length}`);
    this.#key = key;
    this.#random = random;
  }

  /**
   * Creates the seal for a new file, and the label for its header.
   *
   * @param binding the owner of the file, which opens only with the same binding
   */
  fresh(binding = ''): { readonly seal: Seal; readonly label: SealLabel } {
    if (!this.#key) return { seal: plainSeal, label: {} };
    const salt = Buffer.from(this.#random(16)).toString('hex');
    return { seal: this.#keyed(this.#key, salt, binding), label: { key: keyId(this.#key), salt } };
  }

  /** Returns a random id for a new store. */
  newId(): string {
    return Buffer.from(this.#random(16)).toString('hex');
  }

  /** Returns the seal for the existing `file`. Throws `wrong_key` if the file was not written with this key. */
  existing(label: SealLabel, file: string, binding = ''): Seal {
    if (label.key === undefined) {
      if (this.#key) throw new StoreError('wrong_key', `${file} is not encrypted: open it without a key`);
      return plainSeal;
    }
    if (!this.#key) throw new StoreError('wrong_key', `${file} is encrypted: open it with its key`);
    const given = keyId(this.#key);
    if (label.key !== given) {
      throw new StoreError('wrong_key', `${file} was encrypted with key ${label.key}, but the given key is ${given}`);
    }
    return this.#keyed(this.#key, label.salt ?? '', binding);
  }

  #keyed(key: Uint8Array, salt: string, binding: string): Seal {
    const info = `rewards-sandbox store file${binding}`;
    // With one key per file, random nonces stay far below the limit of 2^32 uses per key (NIST SP 800-38D).
    const fileKey = createSecretKey(Buffer.from(hkdfSync('sha256', key, salt, info, 32)));
    return {
      close: (text, place) => encrypt(fileKey, this.#random(NONCE_BYTES), Buffer.from(text), place).toString('base64'),
      open: (body, place) => decrypt(fileKey, fromBase64(body), place).toString(),
      closeBytes: (bytes, place) => encrypt(fileKey, this.#random(NONCE_BYTES), bytes, place),
      openBytes: (sealed, place) => decrypt(fileKey, sealed, place),
    };
  }
}

/** Returns a fingerprint that distinguishes keys without revealing anything useful about a random key. */
function keyId(key: Uint8Array): string {
  return createHash('sha256').update('rewards-sandbox store key id').update(key).digest('hex').slice(0, 8);
}

function encrypt(key: KeyObject, nonce: Uint8Array, bytes: Uint8Array, place: string): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, sealed: Uint8Array, place: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const content = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  decipher.final();
  return content;
}

function fromBase64(body: string): Buffer {
  const bytes = Buffer.from(body, 'base64');
  // Base64 leaves some bits of its last digit unused. Without this check, a changed character could go unnoticed.
  if (bytes.toString('base64') !== body) throw new Error('This is not base64');
  return bytes;
}

/** The kind of a store file. */
type FileKind = 'document' | 'log' | 'calls';

/** The error for a file that belongs to another store, or to another location. */
export class MisplacedFileError extends StoreError {
  constructor(file: string, why: string) {
    const remedy = 'put each file back where it was, or restore the folder from a backup';
    super('damaged', `${file} ${why}. Nothing was changed: ${remedy}`);
  }
}

/**
 * Creates the seals for the files of one store and of its copies. Each header contains the store's random id and its
 * location.
 *
 * The key of a sealed file depends on the id, the location and the kind of file. A moved file therefore does not open,
 * regardless of its header. The first opened file determines the id; a new store generates one.
 */
export class StoreSealer {
  readonly #sealer: Sealer;
  readonly #place: string;
  /** Shared by the store and its copies. */
  readonly #identity: { store?: string };

  /** @param place the location of the store, with `/` between names; '' for the demo workspace */
  constructor(sealer: Sealer, place = '', identity: { store?: string } = {}) {
    this.#sealer = sealer;
    this.#place = place;
    this.#identity = identity;
  }

  /** Returns the sealer for a copy that belongs to this store. */
  at(place: string): StoreSealer {
    return new StoreSealer(this.#sealer, place, this.#identity);
  }

  /** Creates the seal for a new file, and the label for its header. */
  fresh(kind: FileKind): { readonly seal: Seal; readonly label: SealLabel } {
    this.#identity.store ??= this.#sealer.newId();
    const { seal, label } = this.#sealer.fresh(this.#binding(kind));
    return { seal, label: { store: this.#identity.store, place: this.#place, ...label } };
  }

  /** Returns the seal for the existing `file`. Throws `MisplacedFileError`, or `wrong_key`. */
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

/** Returns the name of the store at this location, for messages. */
export function placeName(place: string): string {
  return place === '' ? 'the demo workspace' : place;
}

/** Returns the error for data that only an earlier version can read. */
export function earlierVersionError(path: string): StoreError {
  const how = 'export a backup with that version, and import it into an empty folder with this one';
  return new StoreError('damaged', `${path} was written by an earlier version and was left unchanged: ${how}`);
}
