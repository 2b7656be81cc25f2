/** What came of texts that come again and again, such as the heads of calls. Bounded in number and length. */
export class Remembered<V> {
  readonly #known = new Map<string, V>();
  readonly #most: number;
  readonly #mostCharacters: number;

  constructor(most: number, mostCharacters: number) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  get size(): number {
    return this.#known.size;
  }

  get(text: string): V | undefined {
    return this.#known.get(text);
  }

  /** Remembers a text. Where there is no more room, all others are forgotten: those that come again are soon back. */
  set(text: string, value: V): void {
    if (text.length > this.#mostCharacters) return;
    if (this.#known.size >= this.#most && !this.#known.has(text)) this.#known.clear();
    this.#known.set(text, value);
  }
}
