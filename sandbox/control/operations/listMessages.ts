import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Shows the outbox, newest first; waits for a message where the caller asks for that (OP-36). */
export async function listMessages(
  control: Control,
  call: ControlCall<'listMessages'>,
): Promise<ControlReply<'listMessages'>> {
  const { uid, after, wait = 0 } = call.query;
  const look = () => control.customers.messages(uid, after);
  const items = await control.waiting.first('messages', look, call.patience(wait));
  return { status: 200, body: { items: [...items] } };
}
