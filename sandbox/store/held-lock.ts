import type { KernelLock } from './kernel-lock.ts';
import type { Lock, Pauses } from './lock.ts';
import { type LockFile, newestHolder, told } from './lock-file.ts';
import { StoreError } from './store.ts';

/** How often a holder shows that it lives. */
const signMilliseconds = 1000;

/** What was taken. */
interface Held {
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
  readonly #held: Held;
  #settled: boolean;
  #lost: StoreError | undefined;
  #released = false;
  #warned = false;
  #signing = Promise.resolve();
  #cancel = () => {};

  constructor(held: Held) {
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
    const gone = (why: string, cause?: unknown) =>
      new StoreError('gave_up', `${dir} is no longer held by this process: ${why}. Stop it, or start it again`, {
        cause,
      });
    try {
      if (await file.isThere()) return undefined;
      const holder = await newestHolder(dir);
      return gone(holder ? `${told(holder)} took it over` : 'its lock file was removed');
    } catch (error) {
      return gone(`its lock file cannot be read (${String(error)})`, error);
    }
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
