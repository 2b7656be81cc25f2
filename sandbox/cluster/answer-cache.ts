/** The most workspaces, and the most secrets, whose owner is cached. */
const mostCached = 10_000;

/** A cache of the newest answers by key. An answer that was requested before its key was dropped is not cached. */
export class AnswerCache<T> {
  readonly #answers = new Map<string, T>();
  #drops = 0;

  /** The cached answer for a key, else the answer of `ask`. */
  async resolve(key: string, ask: () => Promise<T>): Promise<T> {
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    const before = this.#drops;
    const answer = await ask();
    if (this.#drops === before) this.#set(key, answer);
    return answer;
  }

  /** Like `resolve`, but does not cache that there is none. */
  async resolveExisting(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const cached = this.#answers.get(key);
    if (cached !== undefined) return cached;
    const before = this.#drops;
    const answer = await ask();
    if (answer !== undefined && this.#drops === before) this.#set(key, answer);
    return answer;
  }

  delete(key: string): void {
    this.#drops += 1;
    this.#answers.delete(key);
  }

  clear(): void {
    this.#drops += 1;
    this.#answers.clear();
  }

  #set(key: string, answer: T): void {
    this.#answers.set(key, answer);
    const [oldest = ''] = this.#answers.keys();
    if (this.#answers.size > mostCached) this.#answers.delete(oldest);
  }
}
