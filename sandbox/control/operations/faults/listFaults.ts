import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageAfter, usualLimit } from '../../page.ts';

/** Lists the faults that are left (OP-70). */
export async function listFaults(
  control: Control,
  call: ControlCall<'listFaults'>,
): Promise<ControlReply<'listFaults'>> {
  const { after, limit = usualLimit } = call.query;
  const all = control.faults.list();
  const found = all.slice(all.findIndex(({ id }) => id === after) + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ id }) => id) };
}
