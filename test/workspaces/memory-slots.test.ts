/** Tests memory slots, and the order in which workspaces receive them (OP-212). */
import { describe, expect, it } from 'vitest';
import { MemorySlots, NoFreeSlot } from '../../sandbox/cluster/memory-slots.ts';

/** Creates two memory slots. The test controls their timers and idle workspaces. */
function twoSlots() {
  const timers = new Map<() => void, number>();
  const state = { idle: 0, freeCalls: 0 };
  const slots: MemorySlots = new MemorySlots({
    most: 2,
    timer: (run, milliseconds) => {
      timers.set(run, milliseconds);
      return () => timers.delete(run);
    },
    free: async () => {
      state.freeCalls += 1;
      if (state.idle === 0) return false;
      state.idle -= 1;
      slots.release();
      return true;
    },
  });
  const ring = (milliseconds: number) => {
    for (const [run, of] of timers) if (of === milliseconds && timers.delete(run)) run();
  };
  return { slots, state, timers, ring };
}

/** Runs all work that is not waiting. */
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('OP-212: memory for two workspaces', () => {
  it('loads two concurrently, without evicting any', async () => {
    const { slots, state } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    expect([slots.used, state.freeCalls]).toEqual([2, 0]);
  });

  it('loads a third once an idle one is evicted', async () => {
    const { slots, state, timers } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    state.idle = 1;
    await slots.acquire();
    expect([slots.used, state.idle, timers.size]).toEqual([2, 0, 0]);
  });

  it('serves waiting workspaces in the order in which they came', async () => {
    const { slots } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    const order: string[] = [];
    const third = slots.acquire().then(() => order.push('third'));
    const fourth = slots.acquire().then(() => order.push('fourth'));
    await yieldToEventLoop();
    expect(order).toEqual([]);
    slots.release();
    await third;
    expect(order).toEqual(['third']);
    slots.release();
    await fourth;
    expect([order, slots.used]).toEqual([['third', 'fourth'], 2]);
  });

  it('checks again when a workspace may be idle, and every 100 ms', async () => {
    const { slots, state, ring } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    const third = slots.acquire();
    await yieldToEventLoop();
    state.idle = 1;
    slots.recheck();
    await third;
    const fourth = slots.acquire();
    await yieldToEventLoop();
    state.idle = 1;
    ring(100);
    await fourth;
    expect(slots.used).toBe(2);
  });

  it('refuses after five seconds, and a slot that is freed later goes to others', async () => {
    const { slots, ring, timers } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    const late = [slots.acquire(), slots.acquire()];
    const refused = Promise.all(late.map((each) => expect(each).rejects.toThrow(NoFreeSlot)));
    await yieldToEventLoop();
    ring(5000);
    await refused;
    slots.release();
    ring(100);
    await yieldToEventLoop();
    expect([slots.used, timers.size]).toEqual([1, 0]);
    await slots.acquire();
    expect(slots.used).toBe(2);
  });

  it('counts workspaces that are already loaded, even above the limit', () => {
    const { slots } = twoSlots();
    for (let more = 0; more < 3; more += 1) slots.occupy();
    expect(slots.used).toBe(3);
  });
});
