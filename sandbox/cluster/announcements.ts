import type { Database } from './postgres/database.ts';

/** What changed: who owns a place, or which workspaces there are. `lost`: announcements may have been missed. */
export type Announcement =
  | { readonly kind: 'owner'; readonly place: string }
  | { readonly kind: 'created'; readonly id: string }
  | { readonly kind: 'removed' | 'changed'; readonly id: string }
  | { readonly kind: 'lost' };

const channel = 'rewards_sandbox';

/**
 * Notifies `listener` of changes by other instances, over a connection of its own, which is reopened if it is lost. Resolves
 * once it listens. Call the returned function to stop.
 */
export async function listenTo(
  database: Database,
  listener: (announcement: Announcement) => void,
): Promise<() => Promise<void>> {
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
      // Changes in between were not announced.
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

/** The most workspaces, and the most secrets, whose owner is cached. */
const mostCached = 10_000;

/** A cache of the newest answers by key. An answer that was requested before its key was dropped is not cached. */
export class AnswerCache<T> {
  readonly #answers = new Map<string, T | undefined>();
  readonly #cachesNone: boolean;
  #drops = 0;

  /** @param cachesNone whether it is also cached that there is no answer */
  constructor(cachesNone: boolean) {
    this.#cachesNone = cachesNone;
  }

  /** The cached answer for a key, else that of `ask`. */
  async resolve(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.#answers.has(key)) return this.#answers.get(key);
    const before = this.#drops;
    const answer = await ask();
    if (this.#drops !== before || (answer === undefined && !this.#cachesNone)) return answer;
    this.#answers.set(key, answer);
    const [oldest = ''] = this.#answers.keys();
    if (this.#answers.size > mostCached) this.#answers.delete(oldest);
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
