import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Makes calls of an operation fail (OP-70). */
export async function createFault(
  control: Control,
  call: ControlCall<'createFault'>,
): Promise<ControlReply<'createFault'>> {
  const fault = await control.faults.create(call.body, call.trace);
  return 'kind' in fault ? fault : { status: 201, body: fault };
}
