import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { RewardsSandboxContainer } from './rewards-sandbox-container.js';

/** @type {import('./rewards-sandbox-container.js').StartedRewardsSandboxContainer} */
let sandbox;

before(async () => {
  sandbox = await new RewardsSandboxContainer().start();
});

after(() => sandbox?.stop());

test('the platform lists rewards for the company', async () => {
  const Authorization = await sandbox.companyToken();
  const reply = await fetch(`${sandbox.platformUrl}/v1/partner/rewards?limit=1`, { headers: { Authorization } });
  assert.equal(reply.status, 200);
  assert.equal((await reply.json()).items.length, 1);
});

test('the clock is paused until the test advances it', async () => {
  const first = await sandbox.control('GET', '/clock');
  assert.deepEqual(await sandbox.control('GET', '/clock'), first);
});

test('the platform calls a client server on this machine', async () => {
  const token = 'service-token-of-the-test';
  /** @type {(string | undefined)[]} */
  const calls = [];
  const server = createServer((request, response) => {
    calls.push(request.headers.authorization);
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise((listening) => server.listen(0, () => listening(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const pointed = await new RewardsSandboxContainer().withClientServer(address.port, token).start();
  try {
    const headers = { Authorization: await pointed.companyToken(), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
    await fetch(`${pointed.platformUrl}/v1/partner/redeemptiononskus`, { method: 'POST', headers, body });
    assert.ok(calls.includes(`Bearer ${token}`));
  } finally {
    await pointed.stop();
    server.close();
  }
});
