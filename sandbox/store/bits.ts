/** A set of small numbers, one bit each: which rows of a segment no longer count. */
export class Bits {
  readonly #bytes: Uint8Array;
  #count = 0;

  /** @param bytes what `bytes` gave of another one of the same size */
  constructor(size: number, bytes: Uint8Array = new Uint8Array(Math.ceil(size / 8))) {
    if (bytes.length !== Math.ceil(size / 8)) throw new Error(`${bytes.length} bytes are no ${size} bits`);
    this.#bytes = bytes;
    for (const byte of bytes) for (let rest = byte; rest > 0; rest &= rest - 1) this.#count += 1;
  }

  /** How many numbers there are. */
  get count(): number {
    return this.#count;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  has(number: number): boolean {
    return ((this.#bytes[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  add(number: number): void {
    if (this.has(number)) return;
    this.#bytes[number >> 3] = (this.#bytes[number >> 3] ?? 0) | (1 << (number & 7));
    this.#count += 1;
  }

  delete(number: number): void {
    if (!this.has(number)) return;
    this.#bytes[number >> 3] = (this.#bytes[number >> 3] ?? 0) & ~(1 << (number & 7));
    this.#count -= 1;
  }

  /** All of them. */
  static all(size: number): Bits {
    const bytes = new Uint8Array(Math.ceil(size / 8)).fill(0xff);
    if (size % 8 > 0) bytes[bytes.length - 1] = 0xff >> (8 - (size % 8));
    return new Bits(size, bytes);
  }

  /** As it is now, while this one changes. */
  copy(size: number): Bits {
    // Not `slice`: that of a Buffer shares its memory.
    return new Bits(size, new Uint8Array(this.#bytes));
  }
}
