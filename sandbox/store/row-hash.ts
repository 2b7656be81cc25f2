/**
 * What hashes depend on. It is random, and sealed with what it hashes: nobody who chooses ids can choose some that share
 * a hash.
 */
export type HashSeed = readonly [one: number, two: number];

/** A key that is looked for. Its hash is worked out once for all segments of one seed. */
export class SoughtKey {
  readonly key: string;
  #seed: HashSeed | undefined;
  #hash: number | undefined;

  constructor(key: string) {
    this.key = key;
  }

  hash(seed: HashSeed | undefined): number {
    if (this.#hash === undefined || seed?.[0] !== this.#seed?.[0] || seed?.[1] !== this.#seed?.[1]) {
      this.#seed = seed;
      this.#hash = hashOf(this.key, seed);
    }
    return this.#hash;
  }
}

/** 32 bits. Segments of the first form have no seed. */
export function hashOf(key: string, seed: HashSeed | undefined): number {
  return seed === undefined ? unseeded(key) : new HalfSip(seed).of(key);
}

function unseeded(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** HalfSipHash-1-3, made for this: its words are of 32 bits. Here each is of two UTF-16 code units. */
class HalfSip {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor([one, two]: HashSeed) {
    this.#a = one | 0;
    this.#b = two | 0;
    this.#c = 0x6c796765 ^ one;
    this.#d = 0x74656462 ^ two;
  }

  of(key: string): number {
    const { length } = key;
    for (let at = 0; at + 1 < length; at += 2) this.#take(key.charCodeAt(at) | (key.charCodeAt(at + 1) << 16));
    // The length is in the last word, so that no key is the beginning of another one.
    this.#take((length % 2 === 1 ? key.charCodeAt(length - 1) : 0) | (length << 16));
    this.#c ^= 0xff;
    for (let round = 0; round < 3; round += 1) this.#round();
    return (this.#b ^ this.#d) >>> 0;
  }

  #take(word: number): void {
    this.#d ^= word;
    this.#round();
    this.#a ^= word;
  }

  #round(): void {
    this.#a = (this.#a + this.#b) | 0;
    this.#b = rotated(this.#b, 5) ^ this.#a;
    this.#a = rotated(this.#a, 16);
    this.#c = (this.#c + this.#d) | 0;
    this.#d = rotated(this.#d, 8) ^ this.#c;
    this.#a = (this.#a + this.#d) | 0;
    this.#d = rotated(this.#d, 7) ^ this.#a;
    this.#c = (this.#c + this.#b) | 0;
    this.#b = rotated(this.#b, 13) ^ this.#c;
    this.#c = rotated(this.#c, 16);
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
