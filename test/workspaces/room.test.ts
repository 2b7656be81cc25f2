/** Places in memory, and who gets one when (OP-212). */
import { describe, expect, it } from 'vitest';
import { NoRoom, Room } from '../../sandbox/workspaces/room.ts';

/** A room of two places, whose timers and whose free places are the test's. */
function roomOfTwo() {
  const timers = new Map<() => void, number>();
  const state = { idle: 0, asked: 0 };
  const room: Room = new Room({
    most: 2,
    timer: (run, milliseconds) => {
      timers.set(run, milliseconds);
      return () => timers.delete(run);
    },
    free: async () => {
      state.asked += 1;
      if (state.idle === 0) return false;
      state.idle -= 1;
      room.give();
      return true;
    },
  });
  const ring = (milliseconds: number) => {
    for (const [run, of] of timers) if (of === milliseconds && timers.delete(run)) run();
  };
  return { room, state, timers, ring };
}

/** Lets everything go on that waits for nothing. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('OP-212: memory for two workspaces', () => {
  it('takes two at once, without asking anybody to leave', async () => {
    const { room, state } = roomOfTwo();
    await Promise.all([room.take(), room.take()]);
    expect([room.used, state.asked]).toEqual([2, 0]);
  });

  it('takes a third once one that is idle has left', async () => {
    const { room, state, timers } = roomOfTwo();
    await Promise.all([room.take(), room.take()]);
    state.idle = 1;
    await room.take();
    expect([room.used, state.idle, timers.size]).toEqual([2, 0, 0]);
  });

  it('lets those who find none wait in the order in which they came', async () => {
    const { room } = roomOfTwo();
    await Promise.all([room.take(), room.take()]);
    const got: string[] = [];
    const third = room.take().then(() => got.push('third'));
    const fourth = room.take().then(() => got.push('fourth'));
    await turn();
    expect(got).toEqual([]);
    room.give();
    await third;
    expect(got).toEqual(['third']);
    room.give();
    await fourth;
    expect([got, room.used]).toEqual([['third', 'fourth'], 2]);
  });

  it('looks again when somebody may be idle, and every 100 ms', async () => {
    const { room, state, ring } = roomOfTwo();
    await Promise.all([room.take(), room.take()]);
    const third = room.take();
    await turn();
    state.idle = 1;
    room.look();
    await third;
    const fourth = room.take();
    await turn();
    state.idle = 1;
    ring(100);
    await fourth;
    expect(room.used).toBe(2);
  });

  it('refuses after five seconds, and what gets free later is for others', async () => {
    const { room, ring, timers } = roomOfTwo();
    await Promise.all([room.take(), room.take()]);
    const late = [room.take(), room.take()];
    const refused = Promise.all(late.map((each) => expect(each).rejects.toThrow(NoRoom)));
    await turn();
    ring(5000);
    await refused;
    room.give();
    ring(100);
    await turn();
    expect([room.used, timers.size]).toEqual([1, 0]);
    await room.take();
    expect(room.used).toBe(2);
  });

  it('counts what is there already, also where that is more', () => {
    const { room } = roomOfTwo();
    for (let more = 0; more < 3; more += 1) room.takeOver();
    expect(room.used).toBe(3);
  });
});
