/** Tests stopping a sandbox while a client hangs. The wait must be limited, and no acknowledged change may be lost (OP-24). */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { flat } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { serve } from '../harness/http-server.ts';
import { order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { converse } from '../harness/socket.ts';
import { ledgerOf } from '../harness/state.ts';

/** Starts a client that never answers calls to one operation, and that forwards all others to the reference client. */
async function hanging(
  operation: string,
  target: () => string,
): Promise<{ url: string; received: Promise<void>; calls: () => number }> {
  const { promise: received, resolve } = Promise.withResolvers<void>();
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
  return { url, received, calls: () => calls };
}

it('an order that waits for a hanging client gets 503, is abandoned, and a repeat after the next start places it', async () => {
  const dataDir = await temporaryFolder();
  let reference = '';
  const client = await hanging('saveRedeemDetails', () => reference);
  const first = await testSandbox({ dataDir, stopMilliseconds: 50 });
  reference = first.urls.client;
  const settings = { client_url: client.url };
  ok(await first.control.PATCH('/workspace', { body: { settings } }));
  const placed = order(first, {}, 'once');
  await client.received;
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

it('OP-82: idle connections close before a pending call is answered, and its reply closes its connection', async () => {
  const client = await hanging('saveRedeemDetails', () => sandbox.urls.client);
  const sandbox = await testSandbox({ stopMilliseconds: 500 });
  const idle = converse(sandbox.origin);
  idle.send('GET /sandbox/v1/health HTTP/1.1', 'Host: localhost', '', '');
  await idle.waitFor(/"version"/);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  const events: string[] = [];
  const placed = order(sandbox).then(({ response }) => {
    events.push(`${response.status}, Connection: ${response.headers.get('connection')}`);
  });
  await client.received;
  await Promise.all([placed, sandbox.close(), idle.ended.then(() => events.push('closed'))]);
  expect(events).toEqual(['closed', '503, Connection: close']);
});

it('a call that waits for the profile from a hanging client gets 503, which does not blame the client', async () => {
  const client = await hanging('getProfileAndPoints', () => '');
  const sandbox = await testSandbox({ stopMilliseconds: 50 });
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  const placed = order(sandbox);
  const page = fetch(`${sandbox.urls.portal}/signin?uid=CUST0001&token=a.b.c`, { redirect: 'manual' });
  await expect.poll(client.calls, { timeout: 20_000 }).toBe(2);
  const [answer, portalReply] = await Promise.all([placed, page, sandbox.close()]);
  expect([answer.response.status, answer.response.headers.get('retry-after'), answer.error]).toEqual([
    503,
    '1',
    flat(503, 65, 'Temporarily unavailable').body,
  ]);
  expect([portalReply.status, portalReply.headers.get('x-problem')]).toEqual([503, null]);
});

it('a status report to a hanging client is aborted, and sent after the next start', async () => {
  const dataDir = await temporaryFolder();
  let reference = '';
  const client = await hanging('updateRedeemStatus', () => reference);
  const first = await testSandbox({ dataDir, stopMilliseconds: 50 });
  reference = first.urls.client;
  ok(await first.control.PATCH('/workspace', { body: { settings: { client_url: client.url } } }));
  const { order_id } = ok(await order(first));
  const advanced = first.control.POST('/clock/advance', { body: { seconds: 2 } }).catch((error: Error) => error);
  await client.received;
  await Promise.all([advanced, first.close()]);
  const second = await testSandbox({ dataDir });
  ok(await second.control.PATCH('/workspace', { body: { settings: { client_url: null } } }));
  ok(await second.control.POST('/clock/advance', { body: { seconds: 100_000 } }));
  expect(ok(await second.control.GET('/orders/{order_id}', { params: { path: { order_id } } })).order.status).toBe(
    'Delivered',
  );
  expect(ok(await second.control.GET('/reconciliation'))).toEqual({ items: [], next: null });
});

it('connections without a complete request do not delay the stop', async () => {
  const sandbox = await testSandbox({ stopMilliseconds: 50 });
  const { port } = new URL(sandbox.origin);
  const sockets = await Promise.all(
    Array.from({ length: 100 }, (_, at) => {
      const { promise, resolve } = Promise.withResolvers<ReturnType<typeof connect>>();
      const socket = connect(Number(port), '127.0.0.1', () => {
        // Half of the connections have started a request.
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
