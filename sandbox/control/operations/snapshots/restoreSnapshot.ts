import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { snapshotShown } from '../../snapshot.ts';

/** Puts everything back as it was when the snapshot was taken (OP-64). */
export async function restoreSnapshot(
  control: Control,
  call: ControlCall<'restoreSnapshot'>,
): Promise<ControlReply<'restoreSnapshot'>> {
  const restored = await control.snapshots.restore(call.path.id);
  if (restored === undefined) return { kind: 'not_found' };
  return 'kind' in restored ? restored : { status: 200, body: snapshotShown(restored) };
}
