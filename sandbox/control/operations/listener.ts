import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Opens the line through which the workspace calls a server that the sandbox cannot reach (OP-247). */
export async function openListener(
  control: Control,
  call: ControlCall<'openListener'>,
): Promise<ControlReply<'openListener'>> {
  const forwardTo = call.body.forward_to.replace(/\/$/, '');
  return { status: 200, stream: await control.listener.open(forwardTo, call.trace) };
}

/** Accepts a reply from such a server, or a part of one (OP-247). */
export async function postListenerReply(
  control: Control,
  { path: { listener }, body }: ControlCall<'postListenerReply'>,
): Promise<ControlReply<'postListenerReply'>> {
  if (control.listener.reply(listener, body)) return { status: 204 };
  return { kind: 'not_found', what: `Call ${body.id} of listener ${listener}` };
}
