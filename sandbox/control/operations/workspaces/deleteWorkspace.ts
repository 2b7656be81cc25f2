import type { Control, ControlCall, ControlReply } from '../../control.ts';

/**
 * Deletes this workspace, or any for who operates the sandbox; what may not be deleted is as unknown as none (OP-54,
 * OP-63).
 */
export async function deleteWorkspace(
  control: Control,
  call: ControlCall<'deleteWorkspace'>,
): Promise<ControlReply<'deleteWorkspace'>> {
  return (await control.workspaces.remove(call.path.id)) ? { status: 204 } : { kind: 'not_found' };
}
