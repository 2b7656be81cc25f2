import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Changes settings; a change counts for calls that arrive afterwards. */
export async function updateWorkspace(
  control: Control,
  call: ControlCall<'updateWorkspace'>,
): Promise<ControlReply<'updateWorkspace'>> {
  const refused = await control.changeSettings(call.body.settings, call.trace);
  return refused ?? { status: 200, body: control.workspace() };
}
