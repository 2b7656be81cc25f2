import { StoreError } from '../store/store.ts';

/** How long the store is left alone after it refused, in real milliseconds. */
const pauseMilliseconds = 5_000;

/** Whose work it is. */
interface Owner {
  /** Writes something of a piece; rejects with `StoreError` where that is refused. */
  readonly write: (id: string) => Promise<void>;
  /** Called once the store accepts writes again. */
  readonly onWritable: () => void;
}

/**
 * Pieces of work whose end the store refused to write (OP-94). None of them runs before the store accepts a write
 * again: the same record is retried after each pause. A store that never accepts one again is left alone.
 */
export class Unwritten {
  readonly #ids = new Set<string>();
  readonly #owner: Owner;
  #timer: NodeJS.Timeout | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether there is any piece. */
  get any(): boolean {
    return this.#ids.size > 0;
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  /** Something of the piece was written after all. */
  delete(id: string): void {
    this.#ids.delete(id);
  }

  /** Lets all of them run, since somebody asks for it. */
  clear(): void {
    this.#ids.clear();
  }

  /** Asks the store after a pause, for as long as there is a piece and it may take writes again. */
  askLater(): void {
    clearTimeout(this.#timer);
    if (this.#ids.size > 0) this.#timer = setTimeout(() => void this.#ask(), pauseMilliseconds).unref();
  }

  /** Asks nothing more. */
  stop(): void {
    this.clear();
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const [id] = this.#ids;
    if (id === undefined) return;
    try {
      await this.#owner.write(id);
      this.clear();
      this.#owner.onWritable();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'refused' || error.code === 'full') this.askLater();
    }
  }
}
