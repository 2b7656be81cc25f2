/** Tests orders in a sandbox whose connections are all occupied by other callers (OP-82, OP-150). */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { order, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { converse } from '../harness/socket.ts';

const connections = 20;

vi.mock('../../sandbox/http/limits.ts', async (original) => {
  const limits = await original<typeof import('../../sandbox/http/limits.ts')>();
  return { ...limits, usualLimits: { ...limits.usualLimits, connections: 20 } };
});

/** Opens connections and sends text on each. They close after the test. */
async function crowd(sandbox: TestSandbox, count: number, text: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(sandbox.origin);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) {
    socket.on('error', () => {});
    await once(socket, 'connect');
    await new Promise<void>((written) => socket.write(text, () => written()));
  }
  return sockets;
}

/** Returns the platform's outgoing calls, each with its status and its notices in the log. */
async function calledOut(sandbox: TestSandbox) {
  const { items } = ok(await sandbox.control.GET('/activity'));
  return items.flatMap((entry) => (entry.kind === 'call_out' ? [[entry.operation, entry.status, entry.notices]] : []));
}

const called = [
  ['getProfileAndPoints', 200, []],
  ['saveRedeemDetails', 200, []],
];

it('OP-82: while others hold every connection idle, an order succeeds, and nobody is blamed', async () => {
  const sandbox = await testSandbox();
  const held = await crowd(sandbox, connections, 'GET /sandbox/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await Promise.all(held.map((socket) => socket.readableLength || once(socket, 'readable')));
  const { response } = await order(sandbox, {}, 'order-1');
  expect(response.status).toBe(200);
  expect(await calledOut(sandbox)).toEqual(called);
  expect(ok(await sandbox.control.GET('/findings')).items).toEqual([]);
});

it('OP-82: while calls of others are in progress on all other connections, an order succeeds, and nobody is blamed', async () => {
  const sandbox = await testSandbox();
  const token = await sandbox.companyToken();
  const caller = converse(sandbox.origin);
  caller.send('GET /sandbox/v1/health HTTP/1.1', 'Host: localhost', '', '');
  await caller.waitFor(/"ok"/);
  const post = (path: string, length: number, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers, `Content-Length: ${length}`, '', ''].join('\r\n');
  const json = 'Content-Type: application/json';
  const held = await crowd(sandbox, connections - 1, `${post('/rewards/v1/company/auth', 9, json)}{`);
  const body = JSON.stringify({ uid: 'CUST0001', line_items: [voucher] });
  const path = '/rewards/v1/partner/redeemptiononskus';
  caller.send(post(path, body.length, json, `Authorization: ${token}`) + body);
  expect(await caller.waitFor(/HTTP\/1\.1 [\s\S]*HTTP\/1\.1 /)).toMatch(/HTTP\/1\.1 200 OK[\s\S]*HTTP\/1\.1 200 OK/);
  expect(held.filter(({ closed }) => closed)).toEqual([]);
  for (const socket of held) socket.destroy();
  expect(await calledOut(sandbox)).toEqual(called);
  expect(ok(await sandbox.control.GET('/findings')).items).toEqual([]);
});
