import { entriesAfter, lastSeq, wanted } from '../../../runtime/activity.ts';
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
  const { trace, after, limit = 1000, wait = 0 } = call.query;
  const matches = wanted(call.query, control.ownerOf);
  const start = after ?? 0;
  let seen = start;
  const look = () => {
    const newest = lastSeq(control.store);
    // A reset began the log anew.
    if (newest < seen) seen = start;
    const ofTrace = trace === undefined ? undefined : control.store.find('activity', 'trace', trace);
    const entries = ofTrace ?? entriesAfter(control.store, seen);
    const found = entries.filter((entry) => entry.seq > seen && matches(entry));
    // Nobody who waits looks twice at what did not match.
    if (found.length === 0) seen = Math.max(seen, newest);
    // Who follows the log reads on where it stopped; who only looks wants the end.
    return after === undefined ? found.slice(-limit) : found.slice(0, limit + 1);
  };
  const found = await control.waiting.first('activity', look, call.patience(wait));
  const page: unknown = await pageOfLog(found, { after, limit });
  return { status: 200, body: page as Mutable };
}

/** The log's entries are frozen; the generated type does not say so. */
type Mutable = Extract<ControlReply<'listActivity'>, { status: 200 }>['body'];
