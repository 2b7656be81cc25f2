import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows the outbox, newest first (OP-36). */
export async function listMessages(
  control: Control,
  call: ControlCall<'listMessages'>,
): Promise<ControlReply<'listMessages'>> {
  return { status: 200, body: { items: control.customers.messages(call.query.uid) } };
}
