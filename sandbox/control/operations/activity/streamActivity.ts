import { wanted } from '../../../activity-log/activity.ts';
import { mostStreams } from '../../../activity-log/feed.ts';
import type { Control, ControlCall, ControlReply } from '../../control.ts';

/**
 * Follows the log as it grows, as one of a bounded number of readers (OP-42, OP-59). What was seen before the call is
 * written before the stream begins.
 */
export async function streamActivity(
  control: Control,
  call: ControlCall<'streamActivity'>,
): Promise<ControlReply<'streamActivity'>> {
  await control.store.flush();
  const after = call.header['Last-Event-ID'] ?? call.query.after;
  const stream = control.feed.open(after, wanted(call.query, control.ownerOf));
  if (stream !== undefined) return { status: 200, stream };
  return { kind: 'limit_reached', limit: mostStreams, what: 'concurrent streams', remedy: 'close one first' };
}
