/** Tests the delivery log of a webhook (OP-85). */
import { expect, it } from 'vitest';
import { workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { logTry, WebhookLog } from '../../sandbox/platform/deliveries.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { notFound, refusal } from '../harness/envelopes.ts';
import { serve } from '../harness/http-server.ts';
import { advance, setStock } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { receiver, unregister } from '../harness/webhook-receiver.ts';

type Query = { after?: number; limit?: number };

const listDeliveries = ({ control }: TestSandbox, webhook_id: string, query: Query = {}) =>
  control.GET('/webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id }, query } });

const logOf = async (sandbox: TestSandbox, webhook_id: string, query: Query = {}) =>
  ok(await listDeliveries(sandbox, webhook_id, query)).items;

/** Returns a summary of each delivery attempt. */
const states = async (sandbox: TestSandbox, webhook_id: string) =>
  (await logOf(sandbox, webhook_id)).map((entry) => [entry.try, entry.status, entry.reason, entry.state]);

it('OP-85: a received try is logged with everything that was sent, except the secret', async () => {
  const sandbox = await testSandbox();
  const { received, secret, webhook_id } = await receiver(sandbox);
  expect(await logOf(sandbox, webhook_id)).toEqual([]);
  await setStock(sandbox, 7);
  await advance(sandbox, 0);
  const [delivery] = received;
  const message_id = delivery?.headers['webhook-id'];
  const log = await logOf(sandbox, webhook_id);
  expect(log).toEqual([
    {
      seq: 1,
      at: '2026-01-12T04:30:00.000Z',
      trace: delivery?.headers.traceparent?.slice(3, 35),
      webhook_id,
      delivery_id: /^MSG-(W\d+)-[2-9A-Z]{4}$/.exec(String(message_id))?.[1],
      message_id,
      event: 'catalogue.updated',
      try: 1,
      status: 204,
      reason: null,
      state: 'delivered',
      next_at: null,
      payload: JSON.parse(delivery?.body ?? ''),
    },
  ]);
  expect(JSON.stringify(log)).not.toContain(secret.slice('whsec_'.length));
});

it('OP-85: every retry has an entry with its reason and the next time, up to the one that parks the delivery (OP-24)', async () => {
  const sandbox = await testSandbox();
  const { webhook_id } = await receiver(sandbox, [503, 0, 302, 500]);
  await setStock(sandbox, 7);
  for (const seconds of [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000]) await advance(sandbox, seconds);
  const log = await logOf(sandbox, webhook_id);
  expect(log.map((entry) => [entry.try, entry.status, entry.reason, entry.state])).toEqual([
    [1, 503, 'status 503', 'retrying'],
    [2, null, expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/), 'retrying'],
    [3, 302, 'status 302', 'retrying'],
    ...[4, 5, 6, 7].map((number) => [number, 500, 'status 500', 'retrying']),
    [8, 500, 'status 500', 'parked'],
  ]);
  expect(log.map(({ next_at }) => next_at)).toEqual([...log.slice(1).map(({ at }) => at), null]);
  const message = { message_id: log[0]?.message_id, payload: log[0]?.payload, delivery_id: log[0]?.delivery_id };
  for (const entry of log) expect(entry).toMatchObject(message);
});

it('OP-85: a replay starts again with a first try, under the same message id', async () => {
  const sandbox = await testSandbox();
  const { webhook_id } = await receiver(sandbox, [500, 200]);
  await setStock(sandbox, 7);
  await advance(sandbox, 0);
  const [first] = await logOf(sandbox, webhook_id);
  const path = { id: first?.delivery_id ?? '' };
  ok(await sandbox.control.POST('/deliveries/{id}/replay', { params: { path } }));
  await advance(sandbox, 0);
  const log = await logOf(sandbox, webhook_id);
  expect(log.map((entry) => [entry.message_id, entry.try, entry.state])).toEqual([
    [first?.message_id, 1, 'retrying'],
    [first?.message_id, 1, 'delivered'],
  ]);
});

it('OP-85: each webhook has its own log, which outlasts the webhook', async () => {
  const sandbox = await testSandbox();
  const [well, ill] = [await receiver(sandbox), await receiver(sandbox, [410])];
  await setStock(sandbox, 7);
  await advance(sandbox, 0);
  expect(await states(sandbox, well.webhook_id)).toEqual([[1, 204, null, 'delivered']]);
  await unregister(sandbox, ill.webhook_id);
  await advance(sandbox, 86_400);
  expect(await states(sandbox, ill.webhook_id)).toEqual([[1, 410, 'status 410', 'retrying']]);
  for (const unknown of ['WHK-000009-AAAA', '__proto__']) {
    expect(refusal(await listDeliveries(sandbox, unknown))).toEqual(notFound(`Webhook ${unknown}`));
  }
});

it('OP-85: a webhook that is removed during a try is not tried again', async () => {
  const sandbox = await testSandbox();
  let webhook_id = '';
  const url = await serve(async (_request, _body, response) => {
    await unregister(sandbox, webhook_id);
    response.writeHead(500).end();
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ({ webhook_id } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url } })));
  await setStock(sandbox, 7);
  expect(await advance(sandbox, 86_400)).toBe(1);
  expect(await states(sandbox, webhook_id)).toEqual([[1, 500, 'status 500', 'dropped']]);
});

it('OP-85: the log stores the newest 1,000 tries, and can be read from any of them', async () => {
  const store = openMemoryStore(workspaceSchema, () => {});
  const facts = { at: 0, trace: 'a', webhook_id: 'WHK-1', delivery: 'W1', number: 1, status: 200, reason: null };
  await store.transact((tx) => {
    for (let tried = 0; tried < 1_003; tried += 1) {
      logTry(tx, { ...facts, state: 'delivered', next: null, body: '{}' });
    }
  });
  expect(store.count('webhookTries')).toBe(1_000);
  const log = new WebhookLog(store);
  const seqs = (query: Query) =>
    log
      .list('WHK-1', query.after, query.limit ?? 100)
      .look()
      .map(({ seq }) => seq);
  const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
  expect(seqs({ limit: 1_000 })).toEqual(from(4, 1_000));
  expect(seqs({})).toEqual(from(904, 100));
  expect(seqs({ after: 500, limit: 3 })).toEqual(from(501, 3));
  expect(seqs({ after: 1_003 })).toEqual([]);
  await store.close();
});
