import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Lists the faults that are left (OP-70). */
export async function listFaults(control: Control, _: ControlCall<'listFaults'>): Promise<ControlReply<'listFaults'>> {
  return { status: 200, body: { items: control.faults.list() } };
}
