/**
 * A sandbox that ends while a client hangs: it waits so long and no longer, and nothing acknowledged is lost (OP-24).
 */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { flat } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { serve } from '../harness/http-server.ts';
import { order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { converse } from '../harness/socket.ts';
import { ledgerOf } from '../harness/state.ts';

/** A client that takes calls of one operation and never answers them; all others go to the reference client. */
async function hanging(
  operation: string,
  target: () => string,
): Promise<{ url: string; came: Promise<void>; calls: () => number }> {
  const { promise: came, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  const url = await serve(async (request, body, response) => {
    if (request.url?.startsWith(`/${operation}`)) {
      calls += 1;
      return resolve();
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const init = { method: request.method ?? 'GET', headers: headers as never, body };
    const reply = await fetch(`${target()}${request.url}`, init);
    const type = reply.headers.get('content-type') ?? '';
    response.writeHead(reply.status, { 'Content-Type': type }).end(await reply.text());
  });
  return { url, came, calls: () => calls };
}

it('an order that waits for a hanging client is answered 503, given up, and placed again by a repeat after the next start', async () => {
  const dataDir = await temporaryFolder();
  let reference = '';
  const client = await hanging('saveRedeemDetails', () => reference);
  const first = await testSandbox({ dataDir, stopMilliseconds: 50 });
  reference = first.urls.client;
  const settings = { client_url: client.url };
  ok(await first.control.PATCH('/workspace', { body: { settings } }));
  const placed = order(first, {}, 'once');
  await client.came;
  const [answer] = await Promise.all([placed, first.close()]);
  expect([answer.response.status, answer.response.headers.get('retry-after'), answer.error]).toEqual([
    503,
    '1',
    flat(503, 65, 'Temporarily unavailable').body,
  ]);
  const second = await testSandbox({ dataDir });
  ok(await second.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  ok(await second.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
  expect(ok(await second.control.GET('/reconciliation'))).toEqual({ items: [], next: null });
  expect(await ledgerOf(second, 'CUST0001')).toMatchObject({ balance: 25_000 });
  expect((await order(second, {}, 'once')).response.status).toBe(200);
});

it('OP-82: a connection without a call is closed before a call under way is answered, whose reply ends its connection', async () => {
  const client = await hanging('saveRedeemDetails', () => sandbox.urls.client);
  const sandbox = await testSandbox({ stopMilliseconds: 500 });
  const idle = converse(sandbox.origin);
  idle.send('GET /sandbox/v1/health HTTP/1.1', 'Host: localhost', '', '');
  await idle.hear(/"version"/);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  const happened: string[] = [];
  const placed = order(sandbox).then(({ response }) => {
    happened.push(`${response.status}, Connection: ${response.headers.get('connection')}`);
  });
  await client.came;
  await Promise.all([placed, sandbox.close(), idle.ended.then(() => happened.push('closed'))]);
  expect(happened).toEqual(['closed', '503, Connection: close']);
});

it('a call that asks a hanging client for the customer is answered 503, which does not blame the client', async () => {
  const client = await hanging('getProfileAndPoints', () => '');
  const sandbox = await testSandbox({ stopMilliseconds: 50 });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  const placed = order(sandbox);
  const page = fetch(`${sandbox.urls.portal}/signin?uid=CUST0001&token=a.b.c`, { redirect: 'manual' });
  await expect.poll(client.calls, { timeout: 20_000 }).toBe(2);
  const [answer, shown] = await Promise.all([placed, page, sandbox.close()]);
  expect([answer.response.status, answer.response.headers.get('retry-after'), answer.error]).toEqual([
    503,
    '1',
    flat(503, 65, 'Temporarily unavailable').body,
  ]);
  expect([shown.status, shown.headers.get('x-problem')]).toEqual([503, null]);
});

it('a status report to a hanging client is broken off, and sent after the next start', async () => {
  const dataDir = await temporaryFolder();
  let reference = '';
  const client = await hanging('updateRedeemStatus', () => reference);
  const first = await testSandbox({ dataDir, stopMilliseconds: 50 });
  reference = first.urls.client;
  ok(await first.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  const { order_id } = ok(await order(first));
  const advanced = first.control.POST('/clock/advance', { body: { seconds: 2 } }).catch((error: Error) => error);
  await client.came;
  await Promise.all([advanced, first.close()]);
  const second = await testSandbox({ dataDir });
  ok(await second.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  ok(await second.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
  expect(ok(await second.control.GET('/orders/{order_id}', { params: { path: { order_id } } })).order.status).toBe(
    'Delivered',
  );
  expect(ok(await second.control.GET('/reconciliation'))).toEqual({ items: [], next: null });
});

it('connections that ask for nothing hold no end up', async () => {
  const sandbox = await testSandbox({ stopMilliseconds: 50 });
  const { port } = new URL(sandbox.origin);
  const sockets = await Promise.all(
    Array.from({ length: 100 }, (_, at) => {
      const { promise, resolve } = Promise.withResolvers<ReturnType<typeof connect>>();
      const socket = connect(Number(port), '127.0.0.1', () => {
        // Half of them have begun to ask.
        if (at % 2 === 0) socket.write('GET /rewards/v1/partner/rewards HTTP/1.1\r\nHost: localhost\r\n');
        resolve(socket);
      });
      socket.on('error', () => {});
      return promise;
    }),
  );
  const cut = sockets.map((socket) => new Promise<void>((closed) => socket.once('close', () => closed())));
  for (const socket of sockets) socket.resume();
  await sandbox.close();
  await Promise.all(cut);
});
