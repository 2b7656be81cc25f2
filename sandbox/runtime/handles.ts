import { createHmac } from 'node:crypto';
import type { Tx } from '../store/store.ts';
import { draw, type RandomCollections } from './random.ts';
import { digest } from './tokens.ts';

/** A handle that was drawn, and what its session is stored under. */
export interface Drawn {
  readonly handle: string;
  readonly id: string;
}

/**
 * The handles of the pages' sessions. A handle is opaque: a part that leads to its workspace, and 256 random bits. The
 * collections store its session under the digest of the handle.
 */
export class Handles {
  readonly #place: string;
  readonly #key: Uint8Array;

  /**
   * @param place leads to the workspace; known only to holders of a handle of it
   * @param key the workspace's own: a fork continues the same stream of randomness, and must not know these handles
   */
  constructor(place: string, key: Uint8Array) {
    this.#place = place;
    this.#key = key;
  }

  /** Draws one in the transaction that writes what it opens. */
  draw(tx: Tx<RandomCollections>): Drawn {
    const bytes = createHmac('sha256', this.#key)
      .update(draw(tx, (random) => random.bytes(32)))
      .digest('base64url');
    const handle = `${this.#place}.${bytes}`;
    return { handle, id: storedAs(handle) };
  }
}

/** What the session of a handle is stored under, so that the collections open nothing. */
export function storedAs(handle: string): string {
  return digest(handle);
}

/** The part of a handle that leads to its workspace; it proves nothing. */
export function workspacePlaceOf(handle: string): string {
  return handle.split('.', 1)[0] ?? '';
}
