/** Ten times the load that a server can serve, together with slow and silent callers (OP-83). */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { fill, load, loadedSandbox, readFinalState } from '../harness/load.ts';

/** 1,500 connections that are not in a hurry. */
const others = { slow: 500, idle: 1000 };
const mebibyte = 1024 * 1024;

it('OP-83: at ten times the load every call is answered, and the orders are exactly the admitted ones', async () => {
  const sandbox = await loadedSandbox(await temporaryFolder(), ['--clock', 'frozen']);
  await fill(sandbox);
  // A caller that sends one request a second does not notice the slow ones.
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

  const hurried = load(sandbox, { ...others, eager: 1000 });
  for (let second = 0; second < 20; second += 1) {
    await wait(1000);
    expect((await sandbox.control.GET('/health')).response.status).toBe(200);
  }
  const figures = await sandbox.figures();
  const { placed, ...counts } = await hurried.stop();
  expect(counts).toMatchObject({ unanswered: 0, wrong: [] });
  expect(placed.length).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(placed.length);
  // The target is 200 ms on an idle machine; twice that here, so that other work does not fail the test.
  expect(figures.p99).toBeLessThan(400);
  expect(figures.mostMemory).toBeLessThan(1024 * mebibyte);

  const { orders, codes, deducted, differences } = await readFinalState(sandbox);
  expect(orders).toHaveLength(served.length + slow.placed.length + placed.length);
  expect(new Set(orders)).toEqual(new Set([...served.map(({ data }) => data?.order_id), ...slow.placed, ...placed]));
  expect(deducted).toEqual(codes);
  expect(differences).toEqual([]);
});
