import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Goes back to the seed. */
export async function resetWorkspace(
  control: Control,
  _call: ControlCall<'resetWorkspace'>,
): Promise<ControlReply<'resetWorkspace'>> {
  await control.reset();
  return { status: 200, body: control.workspace() };
}
