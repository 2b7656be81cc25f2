/** Tests the listener of a workspace with a custom client of the control API (OP-247). */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { redeem } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const forward_to = 'http://10.0.0.7:8080';

/** Opens a listener whose events and replies the test handles manually. */
async function listen({ urls, control }: TestSandbox, address = forward_to) {
  const body = JSON.stringify({ forward_to: address });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${urls.sandbox}/listener`, { method: 'POST', headers, body });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** Returns the next event, or `closed`. */
  const next = async () => {
    while (!text.includes('\n\n')) {
      const { done = true, value = '' } = (await chunks?.read()) ?? {};
      if (done) return { event: 'closed', data: {} };
      text += value;
    }
    const [first = ''] = text.split('\n\n', 1);
    text = text.slice(first.length + 2);
    const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(first) ?? [];
    return { event, data: JSON.parse(data) };
  };
  const opening = (await next()).data;
  const reply = (given: { id: string; status?: number; headers?: Record<string, string[]>; body?: string }) =>
    control.POST('/listener/{listener}/replies', { params: { path: { listener: opening.listener } }, body: given });
  const json = (id: string, status: number, value: object) =>
    reply({
      id,
      status,
      headers: { 'content-type': ['application/json'] },
      body: Buffer.from(JSON.stringify(value)).toString('base64'),
    });
  return { opening, next, reply, json, response };
}

const settingsOf = async ({ control }: TestSandbox) => ok(await control.GET('/workspace')).settings;

it('OP-247: a call to the client is an event, and its log entry says that it went via the listener', async () => {
  const sandbox = await testSandbox({ allowedAddresses: [] });
  const { opening, next, json, response } = await listen(sandbox);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(opening).toEqual({
    listener: expect.any(String),
    workspace: 'demo',
    forward_to,
    client_token: sandbox.credentials.service_token,
    webhooks: [],
    reply_bytes: 65_536,
    heartbeat_seconds: 15,
  });
  expect(await settingsOf(sandbox)).toMatchObject({ client_url: forward_to });

  const ordering = sandbox.companyToken().then((token) =>
    sandbox.rewards(token).POST('/v1/partner/redeemptiononskus', {
      body: { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] },
    }),
  );
  const { event, data } = await next();
  expect([event, data]).toMatchObject([
    'call',
    {
      operation: 'getProfileAndPoints',
      method: 'POST',
      path: '/getProfileAndPoints?uid=CUST0001',
      body: null,
      headers: { authorization: `Bearer ${sandbox.credentials.service_token}`, 'x-sandbox-outgoing': '1' },
    },
  ]);
  const no = { name: 'Unprocessable entity', message: 'Unknown', code: 0, status: 422 };
  const type = 'UnprocessableEntityHttpException';
  const taken = await json(data.id, 422, { success: false, status: 422, data: { ...no, type } });
  expect(taken.response.status).toBe(204);
  expect((await ordering).response.status).toBe(422);
  const entry = (await next()).data;
  expect(entry).toMatchObject({ kind: 'call_out', via: 'listener', status: 422, url: `${forward_to}${data.path}` });
  const { items } = ok(await sandbox.control.GET('/activity'));
  expect(items).toContainEqual(entry);
  expect(data.headers.traceparent.split('-')[2]).toBe(entry.span);
});

it('OP-247: a reply to what nobody waits for returns 404, and changes nothing', async () => {
  const sandbox = await testSandbox();
  const { reply } = await listen(sandbox);
  expect(refusal(await reply({ id: '7', status: 200 }))).toEqual(
    flat(404, 44, expect.stringMatching(/^Call 7 of listener \S+ does not exist$/)),
  );
});

it('OP-247: replies and heartbeats have no entries in the log, where they would bury the calls', async () => {
  const sandbox = await testSandbox();
  const { opening, next, reply, json } = await listen(sandbox);
  const ordering = redeem(sandbox);
  await json((await next()).data.id, 422, {});
  await Promise.allSettled([ordering]);
  await reply({ id: '99' });
  const { items } = ok(await sandbox.control.GET('/activity'));
  const paths = items.flatMap((entry) => (entry.kind === 'state' ? [] : [entry.url]));
  expect(paths.some((url) => url.startsWith(opening.forward_to))).toBe(true);
  expect(paths.filter((url) => url.endsWith('/replies'))).toEqual([]);
});

it('a reset keeps the listener and its address, and a changed client URL ends it', async () => {
  const sandbox = await testSandbox({ allowedAddresses: [] });
  const { next } = await listen(sandbox);
  ok(await sandbox.control.POST('/reset'));
  expect(await settingsOf(sandbox)).toMatchObject({ client_url: forward_to });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  expect([await next(), await next()]).toEqual([
    { event: 'end', data: { reason: 'client_url_changed' } },
    { event: 'closed', data: {} },
  ]);
  expect(await redeem(sandbox)).not.toBe('');
});

it('a newer listener replaces the older one, and a stop ends the newer one', async () => {
  const sandbox = await testSandbox();
  const older = await listen(sandbox);
  const newer = await listen(sandbox, 'http://10.0.0.8');
  expect(await older.next()).toEqual({ event: 'end', data: { reason: 'replaced' } });
  const closing = sandbox.close();
  expect(await newer.next()).toEqual({ event: 'end', data: { reason: 'stopping' } });
  await closing;
});

it('OP-60: a webhook at a private address can be registered only at the origin of a connected listener', async () => {
  const sandbox = await testSandbox({ allowedAddresses: [] });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const register = async (url: string) =>
    (await rewards.POST('/v1/partner/webhooks', { body: { url } })).response.status;
  expect(await register(`${forward_to}/hooks`)).toBe(400);
  await listen(sandbox);
  expect([await register(`${forward_to}/hooks`), await register('http://10.0.0.7:8081/hooks')]).toEqual([201, 400]);
  const { webhooks } = (await listen(sandbox)).opening;
  const secret = expect.stringMatching(/^whsec_/);
  expect(webhooks).toEqual([{ webhook_id: expect.any(String), url: `${forward_to}/hooks`, secret }]);
});
