import { wanted } from '../../runtime/activity.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Follows the log as it grows (OP-42). What was seen before the call is written before the stream begins. */
export async function streamActivity(
  control: Control,
  call: ControlCall<'streamActivity'>,
): Promise<ControlReply<'streamActivity'>> {
  await control.store.flush();
  const after = call.header['Last-Event-ID'] ?? call.query.after;
  return { status: 200, stream: control.feed.open(after, wanted(call.query)) };
}
