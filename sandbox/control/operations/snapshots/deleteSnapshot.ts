import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Deletes a snapshot (OP-64). */
export async function deleteSnapshot(
  control: Control,
  call: ControlCall<'deleteSnapshot'>,
): Promise<ControlReply<'deleteSnapshot'>> {
  return (await control.snapshots.remove(call.path.id, call.trace)) ? { status: 204 } : { kind: 'not_found' };
}
