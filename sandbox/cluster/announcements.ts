import { addBounded } from '../runtime/caches.ts';
import type { Database } from './postgres/database.ts';

/**
 * A change that PostgreSQL announced: a new owner of a store, or a workspace that was created, removed or changed.
 * `lost` means that announcements may have been missed.
 */
export type Announcement =
  | { readonly kind: 'owner'; readonly place: string }
  | { readonly kind: 'created'; readonly id: string }
  | { readonly kind: 'removed' | 'changed'; readonly id: string }
  | { readonly kind: 'lost' };

const channel = 'rewards_sandbox';

/**
 * Notifies `listener` of changes that instances make. It uses a separate connection, and reopens it if it is lost.
 * Resolves when it is listening. Call the returned function to stop.
 */
export async function listenTo(database: Database, listener: (announcement: Announcement) => void) {
  let isOver = false;
  let end = () => Promise.resolve();
  const begin = async (): Promise<void> => {
    end = await database.listen(channel, (payload) => tell(payload), lost);
  };
  const tell = (payload: string) => {
    const at = payload.indexOf(' ');
    const [kind, of] = [payload.slice(0, at), payload.slice(at + 1)];
    if (kind === 'owner') listener({ kind, place: of });
    else if (kind === 'created' || kind === 'removed' || kind === 'changed') listener({ kind, id: of });
  };
  const lost = () => {
    if (isOver) return;
    listener({ kind: 'lost' });
    void again();
  };
  const again = async () => {
    while (!isOver) {
      await database.rest();
      const isBack = await begin().then(
        () => true,
        () => false,
      );
      if (!isBack) continue;
      // Changes made meanwhile were not announced.
      listener({ kind: 'lost' });
      return;
    }
    await end();
  };
  await begin();
  return async () => {
    isOver = true;
    await end();
  };
}

/** Maximum number of answers in a cache. */
const mostCached = 10_000;

/** A cache of the newest answers by key. An answer is not cached if any key was dropped while the answer was requested. */
export class AnswerCache<T> {
  readonly #answers = new Map<string, T | undefined>();
  readonly #cachesNone: boolean;
  #drops = 0;

  /** @param cachesNone whether to cache the absence of an answer */
  constructor(cachesNone: boolean) {
    this.#cachesNone = cachesNone;
  }

  /** Returns the cached answer for a key, or the answer of `ask` if there is none. */
  async resolve(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.#answers.has(key)) return this.#answers.get(key);
    const before = this.#drops;
    const answer = await ask();
    if (this.#drops !== before || (answer === undefined && !this.#cachesNone)) return answer;
    addBounded(this.#answers, key, answer, mostCached);
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
}
