import type { ActivityEntry } from '../../runtime/activity.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows calls and state changes, oldest first (OP-42). Waits until what was seen so far is written. */
export async function listActivity(
  control: Control,
  call: ControlCall<'listActivity'>,
): Promise<ControlReply<'listActivity'>> {
  await control.store.flush();
  const { trace, redeem_code, uid, limit = 1000 } = call.query;
  const found =
    trace === undefined ? control.store.range('activity', {}) : control.store.find('activity', 'trace', trace);
  const wanted = (entry: ActivityEntry) =>
    (redeem_code === undefined || entry.redeem_codes.includes(redeem_code)) && (uid === undefined || entry.uid === uid);
  return { status: 200, body: { items: found.filter(wanted).slice(-limit) as Mutable } };
}

/** The log's entries are frozen; the generated type does not say so. */
type Mutable = Extract<ControlReply<'listActivity'>, { status: 200 }>['body']['items'];
