import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Sends one test message to a registered address, and answers what came of it (OP-71). */
export async function triggerWebhookTest(
  control: Control,
  call: ControlCall<'triggerWebhookTest'>,
): Promise<ControlReply<'triggerWebhookTest'>> {
  const caused = await control.triggers.webhookTest(call.body, call.trace);
  return caused === undefined ? { kind: 'not_found' } : { status: 200, body: caused };
}
