import { createHmac } from 'node:crypto';
import type { SeededRandom } from './random.ts';
import { digest } from './secrets.ts';

/** A handle that was drawn, and what its session is stored under. */
export interface Drawn {
  readonly handle: string;
  readonly id: string;
}

/**
 * The handles of the pages' sessions. One says nothing: a part that leads to its workspace, and 256 bits that nobody can
 * guess. What it opens stands in the books, under its digest.
 */
export class Handles {
  readonly #place: string;
  readonly #key: Uint8Array;
  readonly #random: SeededRandom;

  /**
   * @param place leads to the workspace; only whoever has a handle of it knows
   * @param key of the workspace's own: a fork goes on in the same stream of randomness, and must not know these handles
   */
  constructor(place: string, key: Uint8Array, random: SeededRandom) {
    this.#place = place;
    this.#key = key;
    this.#random = random;
  }

  draw(): Drawn {
    const bytes = createHmac('sha256', this.#key).update(this.#random.bytes(32)).digest('base64url');
    const handle = `${this.#place}.${bytes}`;
    return { handle, id: storedAs(handle) };
  }
}

/** What the session of a handle is stored under, so that the books open nothing. */
export function storedAs(handle: string): string {
  return digest(handle);
}

/** The part of a handle that leads to its workspace; it proves nothing. */
export function placeOf(handle: string): string {
  return handle.split('.', 1)[0] ?? '';
}
