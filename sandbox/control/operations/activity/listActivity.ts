import { wanted } from '../../../activity-log/activity.ts';
import type { ActivityEntry } from '../../../activity-log/activity-entry.ts';
import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageOfLog } from '../../page.ts';

/**
 * Shows calls and state changes, oldest first; waits for one where the caller asks for that (OP-42). What was seen
 * before the call is written before the reply.
 */
export async function listActivity(
  control: Control,
  call: ControlCall<'listActivity'>,
): Promise<ControlReply<'listActivity'>> {
  await control.store.flush();
  const { after, limit = 1000, wait = 0 } = call.query;
  const matches = wanted(call.query, control.ownerOf);
  const isWanted = (entry: ActivityEntry) => entry.seq > (after ?? 0) && matches(entry);
  const look = () => {
    const found = control.activity.after(after ?? 0).filter(matches);
    // Who follows the log reads on where it stopped; who only looks wants the end.
    return after === undefined ? found.slice(-limit) : found.slice(0, limit + 1);
  };
  const watched = { collection: 'activity', matches: (entry: unknown) => isWanted(entry as ActivityEntry), look };
  const found = await control.waiting.first(watched, call.patience(wait));
  const page: unknown = await pageOfLog(found, { after, limit });
  return { status: 200, body: page as Mutable };
}

/** The log's entries are frozen; the generated type does not say so. */
type Mutable = Extract<ControlReply<'listActivity'>, { status: 200 }>['body'];
