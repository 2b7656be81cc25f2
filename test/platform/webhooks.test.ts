/** Tests catalogue updates by webhook, signed as Standard Webhooks specifies (A11, M8; OP-24, OP-26). */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { advance, setStock } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { type Delivery, receiver, unregister } from '../harness/webhook-receiver.ts';

/** Returns the signature that the Standard Webhooks specification requires. */
function signature({ headers, body }: Delivery, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

it('OP-26: registering an address returns its secret once; the address is listed without it, and can be removed', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const url = 'https://client.invalid/hooks';
  const answer = await rewards.POST('/v1/partner/webhooks', { body: { url } });
  const webhook = {
    webhook_id: expect.stringMatching(/^WHK-000001-[2-9A-Z]{4}$/),
    url,
    events: ['catalogue.updated'],
    created_at: '2026-01-12T04:30:00.000Z',
  };
  expect(answer.response.status).toBe(201);
  const { webhook_id, secret } = ok(answer);
  expect(ok(answer)).toEqual({ ...webhook, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) });
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
  expect(ok(await rewards.GET('/v1/partner/webhooks'))).toEqual({ items: [webhook] });

  const remove = () => rewards.DELETE('/v1/partner/webhooks', { params: { query: { webhook_id } } });
  expect((await remove()).response.status).toBe(204);
  expect(ok(await rewards.GET('/v1/partner/webhooks'))).toEqual({ items: [] });
  expect(refusal(await remove())).toEqual(notFound(`Webhook ${webhook_id}`));
});

it('OP-26: at most 20 addresses can be registered, and removing one frees a place', async () => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const register = (path: string) =>
    rewards.POST('/v1/partner/webhooks', { body: { url: `https://client.invalid/${path}` } });
  // Register concurrently, to prove that counting and registering are one atomic step.
  const answers = await Promise.all(Array.from({ length: 25 }, (_, number) => register(`hooks/${number}`)));
  const refused = answers.filter(({ response }) => response.status !== 201).map(refusal);
  const full = flat(409, 67, 'No more than 20 webhooks: delete one first');
  expect(refused).toEqual([full, full, full, full, full]);
  const { items } = ok(await rewards.GET('/v1/partner/webhooks'));
  expect(items).toHaveLength(20);
  await unregister(sandbox, items[0]?.webhook_id ?? '');
  expect((await register('again')).response.status).toBe(201);
  expect(refusal(await register('once-more'))).toEqual(full);
});

it.each([
  'http://client.example/hooks',
  'http://10.0.0.1/hooks',
  'http://127.0.0.1.example/hooks',
  'http://localhost.example/',
  'ftp://127.0.0.1/',
  'https://user:secret@client.example/',
  'javascript:alert(1)',
])('OP-26: %s is refused: it is neither https nor http on loopback', async (url) => {
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const message =
    'Invalid request: /url must be an https URL, or http on loopback or in a private range allowed with --allow-address';
  expect(refusal(await rewards.POST('/v1/partner/webhooks', { body: { url } }))).toEqual(flat(400, 53, message));
});

it.each(['http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/', 'https://client.example/'])(
  '%s is accepted',
  async (url) => {
    const sandbox = await testSandbox();
    const rewards = sandbox.rewards(await sandbox.companyToken());
    expect(ok(await rewards.POST('/v1/partner/webhooks', { body: { url } })).url).toBe(url);
  },
);

it('A11, M8: OP-26, OP-135: a changed item is posted to the address with a valid signature', async () => {
  const sandbox = await testSandbox({ realTime: () => Date.UTC(2026, 10, 22, 9, 0, 0, 999) });
  const { received, secret } = await receiver(sandbox);
  const { stock, vendor, ...item } = await setStock(sandbox, 7);
  expect(await advance(sandbox, 0)).toBe(1);
  const [delivery] = received;
  if (delivery === undefined) throw new Error('nothing was delivered');
  expect(JSON.parse(delivery.body)).toEqual({
    type: 'catalogue.updated',
    timestamp: '2026-01-12T04:30:00.000Z',
    data: { items: [{ change: 'updated', item: { ...item, qty: '7' } }] },
  });
  expect(delivery.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-timestamp': String(Date.UTC(2026, 10, 22, 9) / 1000),
    'webhook-signature': signature(delivery, secret),
  });
});

it.each([
  ['running', 0],
  ['running', 86_400],
  ['frozen', 0],
  ['frozen', 86_400],
] as const)(
  'OP-135: on a %s clock, moved by %i seconds, the Standard Webhooks library accepts a sent message, and no altered one',
  async (clock, moved) => {
    const sandbox = await testSandbox({ clock });
    if (moved > 0) await advance(sandbox, moved);
    const { received, secret } = await receiver(sandbox);
    await setStock(sandbox, 7);
    if (clock === 'frozen') await advance(sandbox, 0);
    const { headers, body } = await vi.waitUntil(() => received[0]);
    const heads = headers as Record<string, string>;
    const webhook = new Webhook(secret);
    expect(webhook.verify(body, heads)).toEqual(JSON.parse(body));
    const changed = { ...heads, 'webhook-timestamp': String(Number(heads['webhook-timestamp']) + 1) };
    const none = 'No matching signature found';
    expect(() => webhook.verify(body.replace('"7"', '"8"'), heads)).toThrow(none);
    expect(() => webhook.verify(body, { ...heads, 'webhook-id': 'MSG-0' })).toThrow(none);
    expect(() => webhook.verify(body, changed)).toThrow(none);
  },
);

it('OP-26: every registered address gets each event, signed with its own secret', async () => {
  const sandbox = await testSandbox();
  const [first, second] = [await receiver(sandbox), await receiver(sandbox)];
  await setStock(sandbox, 7);
  expect(await advance(sandbox, 0)).toBe(2);
  for (const { received, secret } of [first, second]) {
    expect(received.map(({ headers }) => headers['webhook-signature'])).toEqual(
      received.map((delivery) => signature(delivery, secret)),
    );
    expect(received).toHaveLength(1);
  }
  expect(first.secret).not.toBe(second.secret);
});

it.each([500, 404, 302])(
  'OP-24: after %i the delivery is retried with the same event id, a new timestamp and a new signature',
  async (status) => {
    let real = Date.UTC(2026, 10, 22, 9);
    const start = real / 1000;
    const sandbox = await testSandbox({ realTime: () => real });
    const { received, secret } = await receiver(sandbox, [status, status, 204]);
    await setStock(sandbox, 7);
    const counts: number[] = [];
    for (const seconds of [0, 4, 1, 299, 1, 86_400]) {
      // Real time advances at half the speed of sandbox time.
      real += seconds * 500;
      await advance(sandbox, seconds);
      counts.push(received.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const times = received.map(({ headers }) => Number(headers['webhook-timestamp']) - start);
    expect(times).toEqual([0, 2, 152]);
    for (const delivery of received) expect(delivery.headers['webhook-signature']).toBe(signature(delivery, secret));
  },
);
