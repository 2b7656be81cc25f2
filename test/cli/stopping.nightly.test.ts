/** Tests SIGTERM during hanging calls and open connections. The process must exit cleanly within ten seconds (OP-24). */

import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { ready } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { fill, load, loadedSandbox, readFinalState } from '../harness/load.ts';
import { ok } from '../harness/sandbox.ts';

it('3,000 connections and 40 orders that wait for a client that never answers', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void silent.close());
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const data = await temporaryFolder();
  const { urls, child, ended } = await ready(['--data', data, '--client-url', url]);
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const { credentials } = ok(await control.GET('/workspace'));
  const rewards = createRewardsClient({ baseUrl: urls.rewards });
  const { token } = ok(await rewards.POST('/v1/company/auth', { body: { secret: credentials.company_secret } }));
  const { port } = new URL(urls.rewards);
  const opened = Array.from({ length: 3000 }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    connect(Number(port), '127.0.0.1', resolve)
      .on('error', () => {})
      .resume();
    return promise;
  });
  await Promise.all(opened);
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-CHAI-100', quantity: 1 }] };
  const orderClient = createRewardsClient({ baseUrl: urls.rewards, token });
  const orders = Array.from({ length: 40 }, () =>
    orderClient.POST('/v1/partner/redeemptiononskus', { body }).then(
      ({ response }) => response.status,
      () => 'cut off',
    ),
  );
  // The reply to this later call shows that the first orders are already waiting for the client.
  ok(await control.GET('/workspace'));
  const start = Date.now();
  child.kill('SIGTERM');
  const { code, signal } = await ended;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(Date.now() - start).toBeLessThan(10_000);
  expect((await Promise.all(orders)).filter((answer) => answer === 200)).toEqual([]);
});

it('OP-24, OP-83: at ten times the load it exits as quickly, and no acknowledged order is lost', async () => {
  const data = await temporaryFolder();
  const args = ['--clock', 'frozen'];
  const sandbox = await loadedSandbox(data, args);
  await fill(sandbox);
  const hurried = load(sandbox, { eager: 1000, slow: 500, idle: 3000 });
  await wait(8_000);
  const start = Date.now();
  sandbox.child.kill('SIGTERM');
  const { code, signal } = await sandbox.ended;
  const took = Date.now() - start;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(took).toBeLessThan(10_000);
  const { placed, refused, unanswered, wrong } = await hurried.figures;
  // A connection that closes at shutdown can lose the reply to its last call. Every other call must receive a reply.
  expect(unanswered).toBeLessThanOrEqual(1500);
  expect(wrong).toEqual([]);
  expect(placed.length).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);

  const { orders, codes, deducted, differences } = await readFinalState(await loadedSandbox(data, args));
  expect(placed.filter((id) => !orders.includes(id))).toEqual([]);
  expect(codes.filter((code) => !deducted.includes(code))).toEqual([]);
  expect(differences).toEqual([]);
});
