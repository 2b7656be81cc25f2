/** A cache by text, such as the head of a call. The number of texts and the length of each are bounded. */
export class BoundedCache<V> {
  readonly #values = new Map<string, V>();
  readonly #most: number;
  readonly #mostCharacters: number;

  constructor(most: number, mostCharacters: number) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  get size(): number {
    return this.#values.size;
  }

  get(text: string): V | undefined {
    return this.#values.get(text);
  }

  /** Caches a value. A full cache is cleared first: texts that recur are soon back. */
  set(text: string, value: V): void {
    if (text.length > this.#mostCharacters) return;
    if (this.#values.size >= this.#most && !this.#values.has(text)) this.#values.clear();
    this.#values.set(text, value);
  }
}
