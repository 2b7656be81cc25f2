import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Renames a workspace or gives it another life, for who operates the sandbox; to others there is none (OP-227). */
export async function updateListedWorkspace(
  control: Control,
  call: ControlCall<'updateListedWorkspace'>,
): Promise<ControlReply<'updateListedWorkspace'>> {
  const changed = await control.workspaces.change(call.path.id, call.body);
  return changed === undefined ? { kind: 'not_found' } : { status: 200, body: changed };
}
