import { type ActivityEntry, entriesAfter } from '../../runtime/activity.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';

/**
 * Shows calls and state changes, oldest first; waits for one where the caller asks for that (OP-42). What was seen before
 * the call is written before the reply.
 */
export async function listActivity(
  control: Control,
  call: ControlCall<'listActivity'>,
): Promise<ControlReply<'listActivity'>> {
  await control.store.flush();
  const { trace, redeem_code, uid, after, limit = 1000, wait = 0 } = call.query;
  const wanted = (entry: ActivityEntry) =>
    entry.seq > (after ?? 0) &&
    (redeem_code === undefined || entry.redeem_codes.includes(redeem_code)) &&
    (uid === undefined || entry.uid === uid);
  const look = () => {
    const ofTrace = trace === undefined ? undefined : control.store.find('activity', 'trace', trace);
    const found = (ofTrace ?? entriesAfter(control.store, after ?? 0)).filter(wanted);
    // Who follows the log reads on where it stopped; who only looks wants the end.
    return after === undefined ? found.slice(-limit) : found.slice(0, limit);
  };
  const items = await control.waiting.first('activity', look, { seconds: wait, gone: call.gone() });
  return { status: 200, body: { items: items as Mutable } };
}

/** The log's entries are frozen; the generated type does not say so. */
type Mutable = Extract<ControlReply<'listActivity'>, { status: 200 }>['body']['items'];
