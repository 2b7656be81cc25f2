import type { Activity } from '../activity-log/activity.ts';
import { keyOf } from '../activity-log/stored-log.ts';
import type { WorkspaceCollections } from '../assembly/collections.ts';
import type { Store } from '../store/store.ts';

/** Changes that end a long poll: commits, and calls, which are not committed. */
export function pollChanges(
  store: Store<WorkspaceCollections>,
  activity: Activity,
): Pick<Store<WorkspaceCollections>, 'onCommit'> {
  return {
    onCommit: (listener) => {
      const ends = [
        store.onCommit(listener),
        activity.onUpdate((entries) => {
          if (entries === 'everything') return;
          for (const record of entries) {
            if (record.kind !== 'state') listener([{ collection: 'activity', id: keyOf(record), record }]);
          }
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
