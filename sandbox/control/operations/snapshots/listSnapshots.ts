import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { snapshotShown } from '../../snapshot.ts';

/** Lists the snapshots, oldest first (OP-64). */
export async function listSnapshots(
  control: Control,
  _call: ControlCall<'listSnapshots'>,
): Promise<ControlReply<'listSnapshots'>> {
  return { status: 200, body: { items: control.snapshots.list().map(snapshotShown) } };
}
