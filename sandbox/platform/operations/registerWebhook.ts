import { nextNumber, numbered } from '../../runtime/numbering.ts';
import { draw } from '../../runtime/random.ts';
import type { RewardsCall, RewardsReply } from '../calls.ts';
import type { Platform } from '../platform.ts';
import { webhookResource } from './listWebhooks.ts';

/** Most addresses of a workspace (OP-26). */
const most = 20;

/** Registers an address for catalogue updates and shows its signing secret, this once (OP-26). */
export async function registerWebhook(
  platform: Platform,
  call: RewardsCall<'registerWebhook'>,
): Promise<RewardsReply<'registerWebhook'>> {
  const { url } = call.body;
  const problem = platform.addressProblem(url);
  if (problem !== undefined) return { kind: 'invalid_request', where: '/url', problem };
  const { store, clock, activity } = platform;
  return store.transact((tx) => {
    if (tx.count('webhooks') >= most) return { kind: 'limit_reached', limit: most, what: 'webhooks' };
    const webhook_id = `${numbered('WHK', nextNumber(tx, 'webhooks'))}-${draw(tx, (random) => random.code(4))}`;
    const secret = `whsec_${draw(tx, (random) => random.bytes(24)).toString('base64')}`;
    const webhook = { webhook_id, url, secret, created: clock.now() };
    tx.add('webhooks', webhook_id, webhook);
    activity.note(tx, {
      trace: call.trace,
      party: 'platform',
      event: 'webhook.registered',
      detail: { webhook_id, url },
    });
    return call.keep(tx, { status: 201, body: { ...webhookResource(webhook), secret } });
  });
}
