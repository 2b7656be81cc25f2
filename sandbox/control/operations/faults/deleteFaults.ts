import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Deletes all faults (OP-70). */
export async function deleteFaults(
  control: Control,
  call: ControlCall<'deleteFaults'>,
): Promise<ControlReply<'deleteFaults'>> {
  await control.faults.deleteAll(call.trace);
  return { status: 204 };
}
