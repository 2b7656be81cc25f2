import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';

/** Removes a registered address. Work that is still due for it finds it gone and ends (OP-26). */
export async function deleteWebhook(
  platform: Platform,
  call: RewardsCall<'deleteWebhook'>,
): Promise<RewardsReply<'deleteWebhook'>> {
  const { webhook_id } = call.query;
  const { store, activity } = platform;
  return store.transact((tx) => {
    if (tx.get('webhooks', webhook_id) === undefined) return { kind: 'not_found' };
    tx.remove('webhooks', webhook_id);
    activity.note(tx, { trace: call.trace, party: 'platform', event: 'webhook.removed', detail: { webhook_id } });
    return { status: 204 };
  });
}
