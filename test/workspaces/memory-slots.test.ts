/** Places in memory, and who gets one when (OP-212). */
import { describe, expect, it } from 'vitest';
import { MemorySlots, NoFreeSlot } from '../../sandbox/workspaces/memory-slots.ts';

/** Two memory slots, with timers and idle workspaces of the test. */
function twoSlots() {
  const timers = new Map<() => void, number>();
  const state = { idle: 0, asked: 0 };
  const slots: MemorySlots = new MemorySlots({
    most: 2,
    timer: (run, milliseconds) => {
      timers.set(run, milliseconds);
      return () => timers.delete(run);
    },
    free: async () => {
      state.asked += 1;
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

/** Lets everything go on that waits for nothing. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('OP-212: memory for two workspaces', () => {
  it('takes two at once, without asking anybody to leave', async () => {
    const { slots, state } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    expect([slots.used, state.asked]).toEqual([2, 0]);
  });

  it('takes a third once one that is idle has left', async () => {
    const { slots, state, timers } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    state.idle = 1;
    await slots.acquire();
    expect([slots.used, state.idle, timers.size]).toEqual([2, 0, 0]);
  });

  it('lets those who find none wait in the order in which they came', async () => {
    const { slots } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    const got: string[] = [];
    const third = slots.acquire().then(() => got.push('third'));
    const fourth = slots.acquire().then(() => got.push('fourth'));
    await turn();
    expect(got).toEqual([]);
    slots.release();
    await third;
    expect(got).toEqual(['third']);
    slots.release();
    await fourth;
    expect([got, slots.used]).toEqual([['third', 'fourth'], 2]);
  });

  it('looks again when somebody may be idle, and every 100 ms', async () => {
    const { slots, state, ring } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    const third = slots.acquire();
    await turn();
    state.idle = 1;
    slots.recheck();
    await third;
    const fourth = slots.acquire();
    await turn();
    state.idle = 1;
    ring(100);
    await fourth;
    expect(slots.used).toBe(2);
  });

  it('refuses after five seconds, and what gets free later is for others', async () => {
    const { slots, ring, timers } = twoSlots();
    await Promise.all([slots.acquire(), slots.acquire()]);
    const late = [slots.acquire(), slots.acquire()];
    const refused = Promise.all(late.map((each) => expect(each).rejects.toThrow(NoFreeSlot)));
    await turn();
    ring(5000);
    await refused;
    slots.release();
    ring(100);
    await turn();
    expect([slots.used, timers.size]).toEqual([1, 0]);
    await slots.acquire();
    expect(slots.used).toBe(2);
  });

  it('counts what is there already, also where that is more', () => {
    const { slots } = twoSlots();
    for (let more = 0; more < 3; more += 1) slots.occupy();
    expect(slots.used).toBe(3);
  });
});
