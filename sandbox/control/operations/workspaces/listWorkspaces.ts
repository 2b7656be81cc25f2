import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Lists the workspaces that the caller may see: all for who operates the sandbox, else the caller's own (OP-54). */
export async function listWorkspaces(
  control: Control,
  call: ControlCall<'listWorkspaces'>,
): Promise<ControlReply<'listWorkspaces'>> {
  const { after, search, limit = usualLimit } = call.query;
  const found = await control.workspaces.list({ after, search, limit: limit + 1 });
  const { items, next } = await pageAfter(found, limit, ({ created_at, id }) => `${Date.parse(created_at)}.${id}`);
  return { status: 200, body: { items, next } };
}
