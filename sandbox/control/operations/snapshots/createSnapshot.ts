import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { snapshotShown } from '../../snapshot.ts';

/** Keeps everything as it is (OP-64). */
export async function createSnapshot(
  control: Control,
  call: ControlCall<'createSnapshot'>,
): Promise<ControlReply<'createSnapshot'>> {
  const taken = await control.snapshots.take(call.body.name, call.trace);
  if (taken === undefined) return { kind: 'limit_reached', limit: control.snapshots.most, what: 'snapshots' };
  return { status: 201, body: snapshotShown(taken) };
}
