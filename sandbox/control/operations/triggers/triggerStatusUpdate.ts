import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lets the platform report a status, true or not (OP-21, OP-71). */
export async function triggerStatusUpdate(
  control: Control,
  call: ControlCall<'triggerStatusUpdate'>,
): Promise<ControlReply<'triggerStatusUpdate'>> {
  const caused = await control.triggers.statusUpdate(call.body, call.trace);
  return caused === undefined ? { kind: 'not_found' } : { status: 200, body: caused };
}
