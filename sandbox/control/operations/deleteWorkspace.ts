import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Deletes this workspace; any other's id is as unknown as none (OP-63). */
export async function deleteWorkspace(
  control: Control,
  call: ControlCall<'deleteWorkspace'>,
): Promise<ControlReply<'deleteWorkspace'>> {
  return (await control.workspaces.remove(call.path.id)) ? { status: 204 } : { kind: 'not_found' };
}
