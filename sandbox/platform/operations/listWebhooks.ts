import type { components } from '../../../generated/rewards/types.ts';
import type { Webhook } from '../books.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';

/** Lists the registered addresses, without their secrets (OP-26). */
export async function listWebhooks(
  platform: Platform,
  _call: RewardsCall<'listWebhooks'>,
): Promise<RewardsReply<'listWebhooks'>> {
  return { status: 200, body: { items: platform.store.all('webhooks').map(webhookResource) } };
}

/** A registration as it is shown. */
export function webhookResource({ webhook_id, url, created }: Webhook): components['schemas']['Webhook'] {
  return { webhook_id, url, events: ['catalogue.updated'], created_at: new Date(created).toISOString() };
}
