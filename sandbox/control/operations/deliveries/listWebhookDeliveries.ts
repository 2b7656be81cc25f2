import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { pageOfLog, usualLargeLimit } from '../../page.ts';

/** Shows what was sent to a registered address; waits for a try where the caller asks for that (OP-85). */
export async function listWebhookDeliveries(
  control: Control,
  call: ControlCall<'listWebhookDeliveries'>,
): Promise<ControlReply<'listWebhookDeliveries'>> {
  const { webhook_id } = call.path;
  if (!control.webhookLog.knows(webhook_id)) return { kind: 'not_found' };
  const { wait = 0, after, limit = usualLargeLimit } = call.query;
  const tries = control.webhookLog.list(webhook_id, after, limit + 1);
  const found = await control.waiting.first(tries, call.patience(wait));
  return { status: 200, body: await pageOfLog(found, { after, limit }) };
}
