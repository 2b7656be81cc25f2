/** Tests that the sandbox never calls itself. It checks an address when it is set, when it is called, and when the call arrives (OP-78). */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { httpServer } from '../harness/http-server.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const itself = 'must not be the sandbox itself, except for the URL of its reference client';

/** Returns the notices of all calls to an operation. */
async function noticesOf({ control }: TestSandbox, operation: string) {
  const { items } = ok(await control.GET('/activity'));
  return items.flatMap((entry) =>
    entry.kind === 'call_out' && entry.operation === operation ? [...entry.notices] : [],
  );
}

it.each(['127.0.0.1', 'localhost', 'other.localhost', '[::1]', '2130706433'])(
  'OP-78: %s with the port of the sandbox is refused as a webhook and as a client address',
  async (host) => {
    const sandbox = await testSandbox();
    const url = `http://${host}:${new URL(sandbox.origin).port}/sandbox/v1/reset`;
    const rewards = sandbox.rewards(await sandbox.companyToken());
    const hook = await rewards.POST('/v1/partner/webhooks', { body: { url } });
    expect(refusal(hook)).toEqual(flat(400, 53, `Invalid request: /url ${itself}`));
    const set = await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: url } } });
    expect(refusal(set)).toEqual(flat(400, 53, `Invalid request: /settings/client_url ${itself}`));
  },
);

it('OP-78: a name that resolves to this machine is not called at the port of the sandbox', async () => {
  const sandbox = await testSandbox({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const url = `https://partner.example:${new URL(sandbox.origin).port}/sandbox/v1/reset`;
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  const path = { sku_code: 'EGV-SPICE-500' };
  ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { params: { path }, body: { stock: 7 } }));
  await advance(sandbox, 0);
  expect(await noticesOf(sandbox, 'catalogueUpdated')).toEqual([
    'partner.example has no address that may be called: a public one under https, or one allowed with --allow-address',
  ]);
});

it('OP-78: an outgoing call that still reaches a sandbox, through a forwarder, resets nothing', async () => {
  const victim = await testSandbox();
  const seen: string[] = [];
  const { origin } = await httpServer(async (request, response) => {
    const { host: _, connection: __, ...headers } = request.headers;
    seen.push(String(headers['x-sandbox-outgoing']));
    const reply = await fetch(`${victim.urls.sandbox}/reset`, { method: 'POST', headers: headers as never });
    response.writeHead(reply.status).end(await reply.text());
  });
  const workspace = await testSandbox({ clientUrl: origin });
  expect((await order(workspace)).response.status).not.toBe(200);
  expect(seen).toContain('1');
  const { items } = ok(await victim.control.GET('/activity'));
  expect(items).toMatchObject([{ url: '/sandbox/v1/reset', status: 400, operation: null }]);
});

it('OP-60: loopback is an allowed target only while the sandbox listens on loopback', async () => {
  const url = 'http://127.0.0.1:9/hook';
  const sandbox = await testSandbox({
    host: '0.0.0.0',
    adminToken: 'given-at-the-start',
    seed: 'a seed of nobody else',
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const problem = 'must be a public address or one allowed with --allow-address';
  const hook = await rewards.POST('/v1/partner/webhooks', { body: { url } });
  expect(refusal(hook)).toEqual(flat(400, 53, `Invalid request: /url ${problem}`));
});
