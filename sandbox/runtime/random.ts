import { createCipheriv, createHash } from 'node:crypto';

/** A place in a stream of random bytes: its seed, and how many were drawn. */
export interface StreamPlace {
  readonly seed: string;
  readonly drawn: number;
}

/**
 * The seeded source of all randomness: a cryptographic stream (AES-256-CTR) keyed by the seed, so that the same seed gives
 * the same codes, ids and secrets, and nobody without the seed can guess the next.
 */
export class SeededRandom {
  #cipher;
  #place: StreamPlace;

  /** @param seed any text; add what must make streams differ, such as the number of the start */
  constructor(seed: string) {
    this.#place = { seed, drawn: 0 };
    this.#cipher = stream(this.#place);
  }

  /** How far the stream was drawn. */
  place(): StreamPlace {
    return this.#place;
  }

  /** Goes on from a place of a stream, of this seed or another. */
  resume(place: StreamPlace): void {
    this.#place = place;
    this.#cipher = stream(place);
  }

  bytes(length: number): Buffer {
    const { seed, drawn } = this.#place;
    this.#place = { seed, drawn: drawn + length };
    return this.#cipher.update(Buffer.alloc(length));
  }

  hex(length: number): string {
    return this.bytes(length).toString('hex');
  }

  /** A whole number from 0 up to but not including `below`, each as likely (rejection sampling). */
  integer(below: number): number {
    const limit = Math.floor(2 ** 32 / below) * below;
    for (;;) {
      const drawn = this.bytes(4).readUInt32BE();
      if (drawn < limit) return drawn % below;
    }
  }

  /** `length` characters of an alphabet without look-alikes. */
  code(length: number): string {
    const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
    return Array.from({ length }, () => alphabet.charAt(this.integer(alphabet.length))).join('');
  }

  digits(length: number): string {
    return Array.from({ length }, () => String(this.integer(10))).join('');
  }
}

const blockBytes = 16;

function stream({ seed, drawn }: StreamPlace) {
  const key = createHash('sha256').update(seed).digest();
  const counter = Buffer.alloc(blockBytes);
  counter.writeBigUInt64BE(BigInt(Math.floor(drawn / blockBytes)), blockBytes / 2);
  const cipher = createCipheriv('aes-256-ctr', key, counter);
  cipher.update(Buffer.alloc(drawn % blockBytes));
  return cipher;
}
