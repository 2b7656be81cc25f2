import type { Row } from './row.ts';

/** How much of JSON the rows of all blocks that are kept may have been. */
const mostBytes = 1024 * 1024;

/** The blocks of segments that were read last, decoded: rows that are read together are often in one. */
export class BlockCache {
  readonly #blocks = new Map<string, { readonly rows: readonly Row[]; readonly bytes: number }>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = mostBytes) {
    this.#most = most;
  }

  /** What is kept, in bytes of JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): readonly Row[] | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) return undefined;
    // Behind all others: what was used longest ago goes first.
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block.rows;
  }

  set(key: string, rows: readonly Row[], bytes: number): void {
    this.#blocks.set(key, { rows, bytes });
    this.#bytes += bytes;
    for (const [oldest, block] of this.#blocks) {
      if (this.#bytes <= this.#most) return;
      this.#blocks.delete(oldest);
      this.#bytes -= block.bytes;
    }
  }
}
