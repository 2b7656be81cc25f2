import type { Control, ControlCall, ControlReply } from '../control.ts';
import { snapshotShown } from '../snapshot.ts';

/** Puts everything back as it was when the snapshot was taken (OP-64). */
export async function restoreSnapshot(
  control: Control,
  call: ControlCall<'restoreSnapshot'>,
): Promise<ControlReply<'restoreSnapshot'>> {
  const restored = await control.snapshots.restore(call.path.id);
  return restored === undefined ? { kind: 'not_found' } : { status: 200, body: snapshotShown(restored) };
}
