import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Makes a workspace that starts where the snapshot was taken (OP-64). */
export async function forkSnapshot(
  control: Control,
  call: ControlCall<'forkSnapshot'>,
): Promise<ControlReply<'forkSnapshot'>> {
  const made = await control.workspaces.fork(call.path.id);
  return 'kind' in made ? made : { status: 201, body: made };
}
