/** Tests that tenants take turns according to their event-loop time (OP-83). */
import { expect, it } from 'vitest';
import type { Slot } from '../../sandbox/contract/api.ts';
import { FairQueue } from '../../sandbox/http/fair-queue.ts';
import { competingMilliseconds, mostAloneInWork, mostInWork, tickMilliseconds } from '../../sandbox/http/limits.ts';

/** Creates a queue on a clock that the test controls. */
function queueByHand(most?: number) {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const loop = { idle: 0, active: 0 };
  const now = () => loop.idle + loop.active;
  const queue = new FairQueue({
    timer: (run, milliseconds) => {
      const timer = { at: now() + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    loopTime: () => ({ ...loop }),
    warn: () => {},
    most,
  });
  const begun: string[] = [];
  const refused: string[] = [];
  const inWork: { readonly tenant: string; readonly call: Slot }[] = [];
  const settled = () => new Promise(setImmediate);
  const calls = (tenant: string, count = 1) => {
    for (let number = 0; number < count; number += 1) {
      const begin = (call: Slot) => {
        begun.push(tenant);
        inWork.push({ tenant, call });
      };
      const turn = queue.begin(tenant);
      if (!(turn instanceof Promise)) begin(turn);
      else void turn.then((call) => (call === undefined ? void refused.push(tenant) : begin(call)));
    }
  };
  /** Advances the clock while the event loop is idle or active. */
  const pass = async (milliseconds: number, kind: 'idle' | 'active' = 'idle') => {
    const until = now() + milliseconds;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at);
      loop[kind] += Math.max(0, (next?.at ?? until) - now());
      if (next === undefined) break;
      timers.delete(next);
      next.run();
      await settled();
    }
  };
  /** Ends a tenant's call in service, by default the oldest one. */
  const end = async (tenant: string, call?: Slot) => {
    const at = inWork.findIndex((one) => one.tenant === tenant && (call === undefined || one.call === call));
    inWork.splice(at, 1)[0]?.call.end();
    await settled();
  };
  const count = (tenant: string) => begun.filter((name) => name === tenant).length;
  return { queue, calls, pass, end, count, begun, refused, inWork, timers };
}

it('OP-83: a tenant that is alone begins its calls immediately, without a timer', () => {
  const { calls, count, timers } = queueByHand();
  calls('a', mostAloneInWork);
  expect([count('a'), timers.size]).toEqual([mostAloneInWork, 0]);
});

it('OP-83: while another tenant is there, a tenant has two calls in work', async () => {
  const { calls, count, end } = queueByHand();
  calls('b');
  calls('a', 250);
  expect([count('a'), count('b')]).toEqual([2, 1]);
  await end('a');
  expect(count('a')).toBe(3);
});

it('OP-83: callers that wait for one reply before they ask again are there between two calls', async () => {
  const { calls, count, end, pass } = queueByHand();
  calls('b');
  calls('a', 250);
  await end('b');
  await pass(competingMilliseconds - 1);
  expect(count('a')).toBe(2);
  await pass(1 + tickMilliseconds);
  expect(count('a')).toBe(2 + mostAloneInWork);
});

it('OP-83: tenants that wait get one turn each, whatever the number of their calls', async () => {
  const { calls, begun, end } = queueByHand();
  const busy = Array.from({ length: mostInWork }, (_, number) => `busy ${number}`);
  for (const tenant of busy) calls(tenant);
  calls('a', 50);
  for (const tenant of ['b', 'c']) calls(tenant, 2);
  for (const tenant of busy.slice(0, 5)) await end(tenant);
  expect(begun.slice(mostInWork)).toEqual(['a', 'b', 'c', 'a', 'b']);
});

it('OP-83: the reads of a workspace do not compete with its own orders', async () => {
  const { calls, pass, end, count, refused } = queueByHand();
  calls('a control');
  calls('a parties', 20);
  expect(count('a parties')).toBe(mostAloneInWork);
  await pass(900, 'active');
  for (let ends = 0; ends < 4; ends += 1) await end('a parties');
  expect([count('a parties'), refused]).toEqual([20, []]);
});

it('OP-83: a tenant rests until others have had as much of the event loop, which idles or works for them', async () => {
  const { calls, pass, end, count } = queueByHand();
  for (const tenant of ['b', 'a', 'a']) calls(tenant);
  // Three calls share 24 ms twice, so each is charged 16 ms. `a` has used 32 ms, and the others 16 ms each.
  await pass(24, 'active');
  await end('b');
  calls('b');
  await pass(24, 'active');
  for (let ends = 0; ends < 2; ends += 1) await end('a');
  calls('a');
  await pass(5, 'active');
  expect(count('a')).toBe(2);
  await pass(5);
  expect(count('a')).toBe(3);
});

it('OP-83: a long piece of work is charged to the tenant whose call ended with it, eight times, and to nobody else', async () => {
  const { calls, count, end, pass } = queueByHand();
  calls('b');
  calls('a', 2);
  await pass(50, 'active');
  await end('a');
  await end('a');
  calls('a');
  calls('b');
  expect([count('a'), count('b')]).toEqual([2, 2]);
  await pass(340);
  expect(count('a')).toBe(2);
  await pass(80);
  expect(count('a')).toBe(3);
});

it('OP-83: next to 250 waiting calls, another tenant has half of the event loop, however little it asks for at a time', async () => {
  const { calls, pass, end, inWork } = queueByHand();
  const used: Record<string, number> = { a: 0, b: 0 };
  const work = new WeakMap<Slot, number>();
  calls('b');
  calls('a', 250);
  for (let milliseconds = 0; milliseconds < 1600; milliseconds += 1) {
    // The active calls take turns on the event loop for one millisecond each, and end after four turns.
    const next = inWork.shift();
    await pass(1, next === undefined ? 'idle' : 'active');
    if (next === undefined) continue;
    const { tenant, call } = next;
    used[tenant] = (used[tenant] ?? 0) + 1;
    const worked = (work.get(call) ?? 0) + 1;
    work.set(call, worked);
    inWork.push(next);
    if (worked < 4) continue;
    await end(tenant, call);
    calls(tenant);
  }
  const share = (tenant: string) => (used[tenant] ?? 0) / 1600;
  expect(share('b')).toBeGreaterThan(0.3);
  expect(share('a')).toBeGreaterThan(0.3);
  expect(share('a')).toBeLessThan(0.6);
});

it('OP-83: a wait ends after a second, and what was refused does not begin later', async () => {
  const { calls, pass, refused, count, end, timers } = queueByHand(4);
  calls('a', 4);
  await pass(999);
  expect([count('a'), refused]).toEqual([2, []]);
  await pass(1);
  expect(refused).toEqual(['a', 'a']);
  await end('a');
  expect([count('a'), timers.size]).toEqual([2, 0]);
});

it('OP-83: work that is not a call waits for its turn as long as it takes, and is not refused', async () => {
  const { queue, calls, pass, end } = queueByHand(2);
  calls('a');
  let turn: (() => void) | undefined;
  void queue.turn('certifications').then((ends) => {
    turn = ends;
  });
  await pass(2_500);
  expect(turn).toBeUndefined();
  await end('a');
  await pass(tickMilliseconds);
  expect(turn).toBeDefined();
});

it('OP-83: the calls of a tenant that is alone wait for each other, until another tenant comes', async () => {
  const { calls, pass, end, refused, count } = queueByHand();
  calls('a', 200);
  for (let round = 0; round < 3; round += 1) {
    await pass(900, 'active');
    for (let ends = 0; ends < mostAloneInWork; ends += 1) await end('a');
  }
  const begun = 4 * mostAloneInWork;
  expect([count('a'), refused.length]).toEqual([begun, 0]);
  calls('b');
  await pass(tickMilliseconds);
  expect(refused.length).toBe(200 - begun);
});

it('OP-83: a call that waits for another server does not keep the next one waiting', async () => {
  const { calls, count, pass } = queueByHand();
  calls('b');
  calls('a', 4);
  await pass(competingMilliseconds + tickMilliseconds);
  expect(count('a')).toBe(4);
});

it('OP-83: a call that waits for something to happen has no slot meanwhile', async () => {
  const { calls, count, inWork, end } = queueByHand(2);
  calls('a', 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const waited = inWork[0]?.call.aside(promise);
  await new Promise(setImmediate);
  expect(count('a')).toBe(2);
  resolve();
  await waited;
  calls('a');
  await end('a');
  expect(count('a')).toBe(2);
});

it('OP-83: a single tenant gets half of the slots, and each further tenant half of the free ones', async () => {
  const { calls, count, end, pass } = queueByHand(12);
  calls('a', 12);
  expect(count('a')).toBe(6);
  await pass(2 * competingMilliseconds);
  for (const tenant of ['b', 'c']) {
    for (let times = 0; times < 4; times += 1) {
      calls(tenant);
      await pass(competingMilliseconds + tickMilliseconds);
    }
  }
  expect(['a', 'b', 'c'].map(count)).toEqual([6, 3, 2]);
  await end('a');
  expect(count('a')).toBe(6);
  calls('d');
  expect(count('d')).toBe(1);
});

it('OP-83: a tenant that has left is forgotten', async () => {
  const { queue, calls, end, pass } = queueByHand();
  for (let number = 0; number < 1_000; number += 1) {
    calls(`tenant ${number}`);
    await end(`tenant ${number}`);
    await pass(1);
  }
  expect(queue.tenants).toBeLessThanOrEqual(competingMilliseconds);
});
