/** Tests ten times the load that a server can handle, together with slow and silent callers (OP-82, OP-83). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { maxUnreadBytes } from '../../sandbox/http/limits.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { fill, type LoadedSandbox, load, loadedSandbox, readFinalState } from '../harness/load.ts';

/** 1,500 slow or idle connections. */
const others = { slow: 500, idle: 1000 };
const mebibyte = 1024 * 1024;

it('OP-83: at ten times the load every call is answered, and the orders are exactly the admitted ones', async () => {
  const sandbox = await loadedSandbox(await temporaryFolder(), ['--clock', 'frozen']);
  await fill(sandbox);
  // The slow callers do not affect a caller that sends one request per second.
  const quiet = load(sandbox, { ...others, eager: 0 });
  const polite: ReturnType<typeof sandbox.order>[] = [];
  for (let second = 0; second < 15; second += 1) {
    await wait(1000);
    polite.push(sandbox.order());
  }
  const served = await Promise.all(polite);
  expect(served.map(({ response }) => response.status)).toEqual(served.map(() => 200));
  const slow = await quiet.stop();
  expect(slow).toMatchObject({ refused: 0, unanswered: 0, wrong: [] });
  expect(slow.placed.length).toBeGreaterThan(others.slow / 2);
  await sandbox.figures();

  // A call waits up to a second for a slot, so there are more callers than the orders of three seconds.
  const hurried = load(sandbox, { ...others, eager: 2000 });
  for (let second = 0; second < 20; second += 1) {
    await wait(1000);
    expect((await sandbox.control.GET('/health')).response.status).toBe(200);
  }
  const figures = await sandbox.figures();
  const { placed, ...counts } = await hurried.stop();
  expect(counts).toMatchObject({ unanswered: 0, wrong: [] });
  expect(placed.length).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(placed.length);
  // The target is 200 ms on an idle machine. The limit is twice that, so that other load does not fail the test.
  expect(figures.p99).toBeLessThan(400);
  expect(figures.mostMemory).toBeLessThan(1024 * mebibyte);

  const { orders, codes, deducted, differences } = await readFinalState(sandbox);
  expect(orders).toHaveLength(served.length + slow.placed.length + placed.length);
  expect(new Set(orders)).toEqual(new Set([...served.map(({ data }) => data?.order_id), ...slow.placed, ...placed]));
  expect(deducted).toEqual(codes);
  expect(differences).toEqual([]);
});

it('OP-82: for 220 callers who request the activity log repeatedly and read nothing, at most 64 MiB wait, and others are served', async () => {
  const sandbox = await loadedSandbox(await temporaryFolder(), ['--clock', 'frozen']);
  await fill(sandbox);
  // Make enough calls to fill a 1 MiB page of the activity log.
  const busy = load(sandbox, { eager: 32, slow: 0, idle: 0 });
  const address = `${sandbox.urls.sandbox}/activity?limit=10000`;
  const pageBytes = async () => (await (await fetch(address)).text()).length;
  await expect.poll(pageBytes, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0.9 * mebibyte);
  await busy.stop();
  const size = await pageBytes();
  const readers = await Promise.all(Array.from({ length: 220 }, () => openStalledReader(address)));
  for (let second = 0; second < 15; second += 1) {
    for (const reader of readers) reader.ask();
    await wait(1000);
    expect(await served(sandbox)).toBe(200);
  }
  const left = () => readers.filter(({ isOpen }) => isOpen()).length;
  // A busy machine may not have built all pages yet. A reader without a page has no waiting bytes.
  const waiting = () => {
    for (const reader of readers) reader.ask();
    return left() * size;
  };
  await expect.poll(waiting, { timeout: 60_000, interval: 1000 }).toBeLessThanOrEqual(maxUnreadBytes);
  expect(left()).toBeGreaterThan(0);
  expect((await sandbox.figures()).mostMemory).toBeLessThan(1024 * mebibyte);
});

/** Places an order and returns its status. Retries if a busy machine has no free slot (OP-83). */
async function served({ order }: LoadedSandbox): Promise<number> {
  let { status } = (await order()).response;
  for (let tries = 1; status === 503 && tries < 10; tries += 1) {
    await wait(200);
    status = (await order()).response.status;
  }
  return status;
}

/** Opens a connection that sends requests and never reads. */
async function openStalledReader(address: string) {
  const { hostname, port, pathname, search } = new URL(address);
  const socket = connect(Number(port), hostname).pause();
  onTestFinished(() => void socket.destroy());
  // A disconnected caller detects the disconnection only when it reads or writes.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return {
    ask: () => void socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    isOpen: () => socket.writable,
  };
}
