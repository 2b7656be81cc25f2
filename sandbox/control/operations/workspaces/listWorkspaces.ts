import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lists the workspaces that the caller may see: all for who operates the sandbox, else the caller's own (OP-54). */
export async function listWorkspaces(
  control: Control,
  _call: ControlCall<'listWorkspaces'>,
): Promise<ControlReply<'listWorkspaces'>> {
  return { status: 200, body: { items: await control.workspaces.list() } };
}
