import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Deletes one fault (OP-70). */
export async function deleteFault(
  control: Control,
  call: ControlCall<'deleteFault'>,
): Promise<ControlReply<'deleteFault'>> {
  const found = await control.faults.delete(call.path.id, call.trace);
  return found ? { status: 204 } : { kind: 'not_found' };
}
