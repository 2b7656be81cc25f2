import { createCipheriv, createHash } from 'node:crypto';

/**
 * The seeded source of all randomness: a cryptographic stream (AES-256-CTR) keyed by the seed, so that the same seed gives
 * the same codes, ids and secrets, and nobody without the seed can guess the next.
 */
export class SeededRandom {
  #cipher;

  /** @param seed any text; add what must make streams differ, such as the number of the start */
  constructor(seed: string) {
    this.#cipher = stream(seed);
  }

  /** Starts the stream anew, for another seed. */
  reseed(seed: string): void {
    this.#cipher = stream(seed);
  }

  bytes(length: number): Buffer {
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

function stream(seed: string) {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
}
