import type { components } from '../../../generated/rewards/types.ts';
import { earnedPoints, isAhead, parseAmount } from '../../domain/points.ts';
import { schedule } from '../../jobs/work.ts';
import { draw, nextNumber, numberedId } from '../../runtime/ids.ts';
import { digest } from '../../runtime/tokens.ts';
import type { RewardsCall, RewardsReply } from '../access.ts';
import { creditOf, expectChange, readAndCompare } from '../balances.ts';
import type { Webhook } from '../collections.ts';
import type { Platform } from '../platform.ts';

/**
 * Accepts a payment event unless the client refuses the customer (OP-130), and has the points credited. It credits each
 * transactionId once, however often the event is repeated (OP-25).
 */
export async function sendPaymentEvent(
  platform: Platform,
  call: RewardsCall<'sendPaymentEvent'>,
): Promise<RewardsReply<'sendPaymentEvent'>> {
  const { uid, eventType, transactionId, paymentAmount, occurred_at = null } = call.body;
  const paise = parseAmount(paymentAmount);
  if (paise === undefined) return { kind: 'invalid_request', where: '/paymentAmount', problem: 'must be an amount' };
  const now = Math.max(platform.clock.now(), platform.realTime());
  if (occurred_at !== null && isAhead(occurred_at, now)) {
    return { kind: 'invalid_request', where: '/occurred_at', problem: 'must not be more than 24 hours ahead' };
  }
  const fingerprint = digest(JSON.stringify([uid, eventType, paise.toString(), occurred_at]));
  const { store, clock, activity } = platform;
  if (store.get('payments', transactionId) === undefined) {
    const ask = () => platform.client.getProfileAndPoints(uid, call.trace);
    const answer = await readAndCompare(platform, { uid, version: 'v1' }, ask);
    if (answer.kind === 'refused') return { kind: 'refused_by_client', message: answer.message };
  }
  return store.transact((tx) => {
    const earlier = tx.get('payments', transactionId);
    if (earlier !== undefined && earlier.fingerprint !== fingerprint) {
      return call.keep(tx, { kind: 'transaction_conflict' });
    }
    const points = earlier?.points ?? earnedPoints(paise, platform.settings());
    const payment = {
      uid,
      transactionId,
      paymentAmount,
      points,
      fingerprint,
      at: clock.now(),
      seq: activity.nextSeq(tx),
    };
    if (earlier === undefined) {
      tx.put('payments', transactionId, payment);
      expectChange(platform, tx, { uid }, creditOf(payment));
      schedule(tx, { kind: 'creditPoints', at: clock.now(), trace: call.trace, payload: { transactionId } });
      const detail = { transactionId, points };
      activity.note(tx, { trace: call.trace, party: 'platform', event: 'payment.accepted', uid, detail });
    }
    return call.keep(tx, { status: 202, body: { success: true, status: 202, transactionId, points } });
  });
}

/** Lists the registered webhooks without their secrets (OP-26). */
export async function listWebhooks(platform: Platform): Promise<RewardsReply<'listWebhooks'>> {
  return { status: 200, body: { items: platform.store.all('webhooks').map(webhookResource) } };
}

/** Returns a registration in the API's format. */
function webhookResource({ webhook_id, url, created }: Webhook): components['schemas']['Webhook'] {
  return { webhook_id, url, events: ['catalogue.updated'], created_at: new Date(created).toISOString() };
}

/** Maximum number of registered addresses per workspace (OP-26). */
const most = 20;

/** Registers an address for catalogue updates. Only this response contains the signing secret (OP-26). */
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
    const webhook_id = `${numberedId('WHK', nextNumber(tx, 'webhooks'))}-${platform.drawKept(tx, (random) => random.code(4))}`;
    const secret = `whsec_${draw(tx, (random) => random.bytes(24)).toString('base64')}`;
    const webhook = { webhook_id, url, secret, created: clock.now() };
    tx.add('webhooks', webhook_id, webhook);
    const detail = { webhook_id, url };
    activity.note(tx, { trace: call.trace, party: 'platform', event: 'webhook.registered', detail });
    return call.keep(tx, { status: 201, body: { ...webhookResource(webhook), secret } });
  });
}

/** Removes a registered webhook. Work still due for that webhook finishes without a call (OP-26). */
export async function deleteWebhook(
  platform: Platform,
  call: RewardsCall<'deleteWebhook'>,
): Promise<RewardsReply<'deleteWebhook'>> {
  const { webhook_id } = call.query;
  const { store, activity } = platform;
  return store.transact((tx) => {
    if (tx.get('webhooks', webhook_id) === undefined) return { kind: 'not_found', what: `Webhook ${webhook_id}` };
    tx.remove('webhooks', webhook_id);
    activity.note(tx, { trace: call.trace, party: 'platform', event: 'webhook.removed', detail: { webhook_id } });
    return { status: 204 };
  });
}
