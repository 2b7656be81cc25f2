/** Most workspaces, and most secrets, of which it is remembered where they lead. */
const mostRemembered = 10_000;

/** A cache of the newest answers by key. An answer that was requested before its key was dropped is not cached. */
export class AnswerCache<T> {
  readonly #answers = new Map<string, T>();
  #forgotten = 0;

  /** What is remembered of a key, else what `ask` says. */
  async of(key: string, ask: () => Promise<T>): Promise<T> {
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    const before = this.#forgotten;
    const answer = await ask();
    if (this.#forgotten === before) this.#set(key, answer);
    return answer;
  }

  /** The same; that there is none is not remembered. */
  async ofThose(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const cached = this.#answers.get(key);
    if (cached !== undefined) return cached;
    const before = this.#forgotten;
    const answer = await ask();
    if (answer !== undefined && this.#forgotten === before) this.#set(key, answer);
    return answer;
  }

  delete(key: string): void {
    this.#forgotten += 1;
    this.#answers.delete(key);
  }

  clear(): void {
    this.#forgotten += 1;
    this.#answers.clear();
  }

  #set(key: string, answer: T): void {
    this.#answers.set(key, answer);
    const [oldest = ''] = this.#answers.keys();
    if (this.#answers.size > mostRemembered) this.#answers.delete(oldest);
  }
}
