/** Serializes work by key. Each task starts after the previous one has ended. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work with this key has ended. */
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
