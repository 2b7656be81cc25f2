import type { KernelLock } from './kernel-lock.ts';
import { type LockFile, newestHolder, told } from './lock-file.ts';
import { StoreError } from './store.ts';

/** A folder that this store alone may write, until it is released, is lost, or the process ends. */
export interface Lock {
  /** Higher than the term of every lock, and the number of every generation, that the folder had before. */
  readonly term: number;
  /**
   * Whether an earlier holder may still live: it gave no sign, as a stopped process gives none, and goes on when it
   * wakes up. It acknowledges nothing then, but writes to the files that it knows.
   */
  readonly doubtful: boolean;
  /** Why nothing may be acknowledged any more, once it is known that another process took the folder over. */
  readonly lost: StoreError | undefined;
  /** Throws `gave_up` where the folder is no longer this lock's. What was durable before may be acknowledged. */
  check(): Promise<void>;
  /** The same at once, for what is acknowledged as soon as it is written. */
  checkNow(): void;
  /** Says that nothing which an earlier holder may still write can be read any more. */
  settle(): void;
  release(): Promise<void>;
}

/** Real time, as a lock needs it. */
export interface Pauses {
  /** Resolves after so many milliseconds, for which the process stays. */
  wait(milliseconds: number): Promise<void>;
  /** Runs something after so many milliseconds, unless the process ends before. Returns what cancels it. */
  later(run: () => void, milliseconds: number): () => void;
}

/** How often a holder shows that it lives. */
const signMilliseconds = 1000;

/** What was taken. */
interface TakenLock {
  readonly dir: string;
  readonly kernel: KernelLock;
  readonly file: LockFile;
  readonly doubtful: boolean;
  readonly pauses: Pauses;
  readonly warn: (message: string) => void;
}

/** A lock that was taken: it shows that this process lives, and sees when another took the folder over. */
export class HeldLock implements Lock {
  readonly term: number;
  readonly doubtful: boolean;
  readonly #held: TakenLock;
  #settled: boolean;
  #lost: StoreError | undefined;
  #released = false;
  #warned = false;
  #signing = Promise.resolve();
  #cancel = () => {};

  constructor(held: TakenLock) {
    this.#held = held;
    this.term = held.file.term;
    this.doubtful = held.doubtful;
    this.#settled = !held.doubtful;
    this.#signLater();
  }

  get lost(): StoreError | undefined {
    return this.#lost;
  }

  async check(): Promise<void> {
    this.#lost ??= await this.#look();
    if (this.#lost) throw this.#lost;
  }

  checkNow(): void {
    this.#lost ??= this.#lookNow();
    if (this.#lost) throw this.#lost;
  }

  settle(): void {
    this.#settled = true;
  }

  async release(): Promise<void> {
    const { file, kernel } = this.#held;
    this.#released = true;
    this.#cancel();
    await this.#signing;
    this.#lost ??= await this.#look();
    try {
      // Unsettled, it stays: the next start must not take the folder for one that nobody else can write.
      await (this.#settled ? file.remove() : file.leave());
    } finally {
      await kernel.release();
    }
  }

  /** Why the folder is not this lock's; undefined where it is. */
  async #look(): Promise<StoreError | undefined> {
    const { dir, file } = this.#held;
    try {
      if (await file.isThere()) return undefined;
      const holder = await newestHolder(dir);
      return this.#gone(holder ? `${told(holder)} took it over` : 'its lock file was removed');
    } catch (error) {
      return this.#gone(`its lock file cannot be read (${String(error)})`, error);
    }
  }

  #lookNow(): StoreError | undefined {
    try {
      return this.#held.file.isThereNow() ? undefined : this.#gone('its lock file was removed');
    } catch (error) {
      return this.#gone(`its lock file cannot be read (${String(error)})`, error);
    }
  }

  #gone(why: string, cause?: unknown): StoreError {
    const message = `${this.#held.dir} is no longer held by this process: ${why}. Stop it, or start it again`;
    return new StoreError('gave_up', message, { cause });
  }

  #signLater(): void {
    this.#cancel = this.#held.pauses.later(() => {
      this.#signing = this.#sign();
    }, signMilliseconds);
  }

  async #sign(): Promise<void> {
    const { dir, file, warn } = this.#held;
    try {
      await file.giveSign();
      this.#lost ??= await this.#look();
      this.#warned = false;
    } catch (error) {
      if (!this.#warned) warn(`Another start could take ${dir} over, since no sign of life can be given: ${error}`);
      this.#warned = true;
    }
    if (this.#lost) warn(this.#lost.message);
    else if (!this.#released) this.#signLater();
  }
}
