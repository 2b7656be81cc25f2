/** Work that takes turns: of the pieces under one key, each begins when the one before it has ended. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work once all that was given before it under this key has ended. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, mine);
    const leave = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(leave, leave);
    return mine;
  }
}
