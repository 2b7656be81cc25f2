/**
 * Tests addresses that partners register and operators set. Internal addresses are refused both when they are set and
 * when they are called (OP-60). Calls to silent addresses are suspended (OP-61).
 */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { serve } from '../harness/http-server.ts';
import { inwardHosts, malformed } from '../harness/inward-addresses.ts';
import { advance, order, pay, setStock } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const refused = /\/(settings\/client_)?url must (be a public address|be an https URL|be a URL such as)/;

/** Returns the first notice of each call to an operation, oldest first. */
async function noticesOf({ control }: TestSandbox, operation: string): Promise<(string | undefined)[]> {
  const { items } = ok(await control.GET('/activity'));
  const out = items.filter((entry) => 'notices' in entry).filter(({ kind }) => kind === 'call_out');
  return out.filter((entry) => entry.operation === operation).map(({ notices }) => notices[0]);
}

it('OP-60: if the operator allows no range, no inward address can be registered or set', async () => {
  const sandbox = await testSandbox({ allowedAddresses: [] });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const accepted: string[] = [];
  for (const url of [...inwardHosts.map((host) => `https://${host}/hook`), ...malformed]) {
    const hook = await rewards.POST('/v1/partner/webhooks', { body: { url } });
    const setting = await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: url } } });
    for (const { response, error } of [hook, setting]) {
      const { message } = (error ?? { message: '' }) as { message: string };
      if (response.status !== 400 || !refused.test(message)) accepted.push(`${url} ${response.status} ${message}`);
    }
  }
  expect(accepted).toEqual([]);
});

it('OP-60: without allowed ranges the parties of the sandbox still reach each other', async () => {
  const sandbox = await testSandbox({ allowedAddresses: [], resolve: () => expect.fail('a name was looked up') });
  ok(await order(sandbox));
  await advance(sandbox, 2);
  expect(await noticesOf(sandbox, 'updateRedeemStatus')).toEqual([undefined]);
});

it('OP-60: a client server in a private network is called by its name over plain http, once its range is allowed', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const allowedAddresses = ['127.0.0.0/8', '172.16.0.0/12'];
  const sandbox = await testSandbox({ allowedAddresses, resolve });
  const clientCalls = await stubClient(sandbox, () => 'pass');
  const { port } = new URL(ok(await sandbox.control.GET('/workspace')).settings.client_url);
  const client_url = `http://app:${port}`;
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  ok(await order(sandbox));
  expect(clientCalls.map(({ operation }) => operation)).toEqual(['getProfileAndPoints', 'saveRedeemDetails']);
});

it('OP-60: without an allowed range the name is refused, and the refusal names the flag', async () => {
  const { control } = await testSandbox();
  const body = { settings: { client_url: 'http://app:8080' } };
  const message =
    'Invalid request: /settings/client_url must be an https URL, or http on loopback or in a private range allowed with --allow-address';
  expect(refusal(await control.PATCH('/workspace', { body }))).toEqual(flat(400, 53, message));
});

it('OP-60: a name that resolves inward can be registered and set but is never called, and the log states why', async () => {
  let connections = 0;
  const { port } = new URL(await serve(() => (connections += 1)));
  const sandbox = await testSandbox({
    allowedAddresses: [],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const url = `https://partner.example:${port}/hook`;
  ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: url } } }));
  const path = { sku_code: 'EGV-SPICE-500' };
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { params: { path }, body: { stock: 7 } }));
  await advance(sandbox, 0);
  expect((await order(sandbox)).response.status).toBe(502);
  const reason =
    'partner.example has no address that may be called: a public one under https, or one allowed with --allow-address';
  expect(await noticesOf(sandbox, 'catalogueUpdated')).toEqual([reason]);
  expect(await noticesOf(sandbox, 'getProfileAndPoints')).toEqual([reason]);
  expect(connections).toBe(0);
});

it('OP-61: after five broken connections calls to a client pause for 30 s, then one probes it; the log says so', async () => {
  const sandbox = await testSandbox();
  let answering = false;
  const clientCalls = await stubClient(sandbox, () => (answering ? 'pass' : 'drop'));
  const statusOfOrder = async () => (await order(sandbox)).response.status;
  for (let tries = 0; tries < 7; tries += 1) expect(await statusOfOrder()).toBe(502);
  expect(clientCalls).toHaveLength(5);
  const open = 'circuit open until 2026-01-12T04:30:30.000Z';
  expect((await noticesOf(sandbox, 'getProfileAndPoints')).slice(4)).toEqual(['UND_ERR_SOCKET', open, open]);
  await advance(sandbox, 30);
  expect(await statusOfOrder()).toBe(502);
  expect(await statusOfOrder()).toBe(502);
  expect(clientCalls).toHaveLength(6);
  answering = true;
  await advance(sandbox, 30);
  expect(await statusOfOrder()).toBe(200);
});

it('OP-24: a report that meets an open circuit counts as tried, and is retried at the next time of the schedule', async () => {
  const sandbox = await testSandbox();
  let answering = false;
  const clientCalls = await stubClient(sandbox, ({ operation }) =>
    answering || operation !== 'updateRedeemStatus' ? 'pass' : 'drop',
  );
  for (let number = 0; number < 6; number += 1) ok(await order(sandbox));
  const reports = () => clientCalls.filter(({ operation }) => operation === 'updateRedeemStatus').length;
  await advance(sandbox, 2); // The lines are delivered. Five reports opened the circuit, which blocks the sixth.
  expect(reports()).toBe(5);
  expect((await noticesOf(sandbox, 'updateRedeemStatus')).at(-1)).toMatch(/^circuit open until/);
  answering = true;
  await advance(sandbox, 5); // At the second attempt, the circuit blocks all reports.
  expect(reports()).toBe(5);
  await advance(sandbox, 299);
  expect(reports()).toBe(5);
  await advance(sandbox, 1);
  expect(reports()).toBe(11);
});

it('OP-61: a client operation that never answers delays neither orders nor credits', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, ({ operation }) =>
    operation === 'updateRedeemStatus' ? 'drop' : 'pass',
  );
  for (let number = 0; number < 6; number += 1) ok(await order(sandbox));
  await advance(sandbox, 2);
  expect((await noticesOf(sandbox, 'updateRedeemStatus')).at(-1)).toMatch(/^circuit open until/);
  ok(await order(sandbox));
  ok(await pay(sandbox));
  await advance(sandbox, 0);
  expect(clientCalls.filter(({ operation }) => operation === 'creditPoints')).toHaveLength(1);
});

it('OP-61: a registered address that never answers does not delay another at the same host and path', async () => {
  const sandbox = await testSandbox();
  const queries: string[] = [];
  const url = await serve((request, _, response) => {
    const { search } = new URL(request.url ?? '', 'http://receiver');
    queries.push(search);
    if (search === '?of=bad') request.socket.destroy();
    else response.writeHead(204).end();
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  for (const of of ['bad', 'good']) {
    ok(await rewards.POST('/v1/partner/webhooks', { body: { url: `${url}/hooks?of=${of}` } }));
  }
  for (let stock = 1; stock <= 7; stock += 1) await setStock(sandbox, stock);
  await advance(sandbox, 0);
  expect(queries.filter((search) => search === '?of=bad')).toHaveLength(5);
  expect(queries.filter((search) => search === '?of=good')).toHaveLength(7);
});

it('OP-61: a reset closes every circuit', async () => {
  const sandbox = await testSandbox();
  const clientCalls = await stubClient(sandbox, () => 'drop');
  const { client_url } = ok(await sandbox.control.GET('/workspace')).settings;
  for (let tries = 0; tries < 6; tries += 1) await order(sandbox);
  ok(await sandbox.control.POST('/reset'));
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  await order(sandbox);
  expect(clientCalls).toHaveLength(6);
});
