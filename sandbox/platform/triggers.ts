import type { components } from '../../generated/sandbox/types.ts';
import { invalid, wordsOf } from '../domain/failures.ts';
import { tooLateTexts } from '../domain/order-line.ts';
import { schedule } from '../jobs/work.ts';
import { orderOf } from './orders.ts';
import type { Platform } from './platform.ts';
import { updateText } from './stock.ts';
import { cancelLines, dropFulfilment } from './workers/line.ts';
import { postSigned } from './workers/sendWebhook.ts';

type Schemas = components['schemas'];

/** Returns the functions that trigger the platform's events on request (OP-71). */
export function platformTriggers(platform: Platform) {
  const { store, client, clock, projectCode } = platform;
  return {
    /** Reports a status to the client, true or not, without changing the line. Returns `undefined` for an unknown redemption. */
    async statusUpdate(input: Schemas['StatusUpdateTrigger'], trace: string) {
      const { redeemCode, status, orderStatus = status, remark = '' } = input;
      if (store.get('lines', redeemCode) === undefined) return undefined;
      const answer = await client.updateRedeemStatus({ redeemCode, status, orderStatus, remark, projectCode }, trace);
      const { kind: outcome } = answer;
      const message = answer.kind === 'accepted' ? '' : wordsOf(answer);
      return { redeemCode, status, answer: { outcome, message } };
    },

    /** Returns the line if a vendor can still fulfil it; `undefined` for an unknown redemption. */
    pendingLine(redeemCode: string) {
      const line = store.get('lines', redeemCode);
      if (line === undefined) return undefined;
      if (line.status !== 'Pending') return ended(`is already ${line.status}`);
      const placed = orderOf(store, line.order_id).state === 'placed';
      return placed ? line : ended('belongs to an order that is not placed yet');
    },

    /** Schedules the vendor call for a pending redemption now. */
    async fulfilNow(redeemCode: string, trace: string): Promise<void> {
      await store.transact((tx) => {
        dropFulfilment(tx, redeemCode);
        schedule(tx, { kind: 'fulfilLine', at: clock.now(), trace, payload: { redeemCode } });
      });
    },

    /**
     * Cancels a redemption, or all redemptions of an order. Returns `undefined` for an unknown redemption, or for a
     * code of another order.
     */
    async cancellation({ redeemCode, order_id, reason = '' }: Schemas['CancellationTrigger'], trace: string) {
      const order = store.get('orders', order_id ?? store.get('lines', redeemCode ?? '')?.order_id ?? '');
      if (order === undefined) return undefined;
      const codes = order.redeemCodes.filter((code) => redeemCode === undefined || code === redeemCode);
      const caused = await cancelLines(platform, order, codes, { by: 'company', reason }, trace);
      if (caused === undefined) return undefined;
      const { cancelled, refused } = caused;
      const [first] = refused;
      if (cancelled.length === 0) {
        return first && ended(tooLateTexts[first.why], redeemCode === undefined ? '/order_id' : '/redeemCode');
      }
      const left = refused.map(({ why, ...line }) => ({ ...line, reason: tooLateTexts[why] }));
      return { order_id: order.order_id, cancelled, kept: left };
    },

    /** Sends a test message to a webhook, by default the newest. Returns `undefined` if there is none. */
    async webhookTest({ webhook_id, message = 'right' }: Schemas['WebhookTestTrigger'], trace: string) {
      const all = store.all('webhooks');
      const webhook =
        webhook_id === undefined ? all.at(-1) : all.find((candidate) => candidate.webhook_id === webhook_id);
      if (webhook === undefined) return undefined;
      const at = platform.realTime();
      const body = update(at, 'A test of the webhook');
      // Send once, without retries.
      const answer = await postSigned(platform, webhook, {
        id: `MSG-TEST-${trace.slice(0, 16)}`,
        trace,
        body,
        at: message === 'old' ? at - hour : at,
        signed: message === 'wrong_signature' ? update(at, 'Another item') : body,
      });
      return { webhook_id: webhook.webhook_id, url: webhook.url, message, ...answer };
    },

    webhookIds(): string[] {
      return store.all('webhooks').map(({ webhook_id }) => webhook_id);
    },
  };
}

/** Returns the failure for a redemption that a trigger cannot act on. */
function ended(problem: string, where: '/redeemCode' | '/order_id' = '/redeemCode') {
  return invalid(where, problem);
}

/** Age of an outdated test message, in milliseconds: beyond the five-minute tolerance of Standard Webhooks. */
const hour = 3_600_000;

/** Returns a catalogue update about a nonexistent item, so that no receiver's copy of the catalogue changes. */
function update(at: number, skus: string): string {
  const item = {
    id: 999_999,
    product_type: 'PHYSICAL',
    sku_code: 'WEBHOOK-TEST-1',
    status: 1,
    skus,
    price: '40',
    stock_qty: '9',
  } as const;
  return updateText('updated', item, at);
}
