import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Shows addresses, credentials and settings. */
export async function getWorkspace(
  control: Control,
  _call: ControlCall<'getWorkspace'>,
): Promise<ControlReply<'getWorkspace'>> {
  return { status: 200, body: control.workspace() };
}
