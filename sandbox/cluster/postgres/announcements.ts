import type { Database } from './database.ts';

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
