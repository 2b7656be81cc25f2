import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageOfLog, usualLimit } from '../../page.ts';

/** Shows the outbox, newest first; waits for a message where the caller asks for that (OP-36, OP-167). */
export async function listMessages(
  control: Control,
  call: ControlCall<'listMessages'>,
): Promise<ControlReply<'listMessages'>> {
  const { limit = usualLimit, wait = 0, ...filter } = call.query;
  const found = await control.waiting.first(control.customers.messages(filter, limit + 1), call.patience(wait));
  const { items, next } = await pageOfLog(found, { after: filter.after, limit });
  return { status: 200, body: { items: items.toReversed(), next } };
}
