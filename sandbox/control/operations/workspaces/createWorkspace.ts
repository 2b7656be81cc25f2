import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Makes a workspace beside this one (OP-63). */
export async function createWorkspace(
  control: Control,
  call: ControlCall<'createWorkspace'>,
): Promise<ControlReply<'createWorkspace'>> {
  const made = await control.workspaces.create(call.body);
  return 'kind' in made ? made : { status: 201, body: made };
}
