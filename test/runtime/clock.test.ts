import { describe, expect, test } from 'vitest';
import {
  Clock,
  type ClockState,
  freshClock,
  frozenStart,
  indianTime,
  resumeClock,
} from '../../sandbox/runtime/clock.ts';

/** Creates a clock on a machine whose time the test controls. */
function clockOn(state: ClockState, real: number) {
  const machine = { now: real };
  return { machine, clock: new Clock(state, () => machine.now) };
}

describe('a frozen clock', () => {
  test('starts at a fixed instant and does not follow the machine', () => {
    const { machine, clock } = clockOn(freshClock('frozen'), 5);
    machine.now += 1_000_000;
    expect(clock.now()).toBe(frozenStart);
    expect(clock.iso()).toBe('2026-01-12T04:30:00.000Z');
    expect(clock.state()).toEqual({ mode: 'frozen', value: frozenStart });
  });

  test('returns its state for an instant, and shows that instant once the state is committed', () => {
    const { clock } = clockOn(freshClock('frozen'), 5);
    for (const instant of [frozenStart + 1000, frozenStart - 1000]) {
      const before = clock.now();
      const state = clock.at(instant);
      expect([state, clock.now()]).toEqual([{ mode: 'frozen', value: instant }, before]);
      clock.follow(state);
      expect(clock.now()).toBe(instant);
    }
  });
});

describe('a running clock', () => {
  test('starts at real time and follows it', () => {
    const { machine, clock } = clockOn(freshClock('running'), 7_000);
    expect(clock.now()).toBe(7_000);
    machine.now += 250;
    expect(clock.now()).toBe(7_250);
    expect(clock.iso()).toBe('1970-01-01T00:00:07.250Z');
  });

  test('runs with real time from the instant that was set', () => {
    const { machine, clock } = clockOn(freshClock('running'), 7_000);
    for (const instant of [10_000, 4_000]) {
      const now = clock.now();
      const state = clock.at(instant);
      expect([state, clock.now()]).toEqual([{ mode: 'running', value: instant - machine.now }, now]);
      clock.follow(state);
      machine.now += 1;
      expect(clock.now()).toBe(instant + 1);
    }
  });
});

describe('when the clock of the machine is set back, a running clock', () => {
  const hour = 3_600_000;

  test('continues from where it was, as often as that happens', () => {
    const { machine, clock } = clockOn(freshClock('running'), 10 * hour);
    const began = clock.now();
    for (let times = 1; times <= 3; times += 1) {
      machine.now -= hour;
      expect(clock.now()).toBe(began + (times - 1) * 40);
      machine.now += 40;
      expect(clock.now()).toBe(began + times * 40);
    }
  });

  test('stays there after a change of its record that repeats the stored state, and after a restart', () => {
    const { machine, clock } = clockOn(freshClock('running'), 10 * hour);
    const [began, stored] = [clock.now(), clock.state()];
    machine.now -= hour;
    clock.now();
    clock.follow(stored);
    expect(clock.now()).toBe(began);
    const resumed = clockOn(resumeClock(clock.state(), 'running', machine.now), machine.now).clock;
    expect(resumed.now()).toBe(began);
  });

  test('shows the instant that it is set to, also an earlier one', () => {
    const { machine, clock } = clockOn(freshClock('running'), 10 * hour);
    clock.now();
    machine.now -= hour;
    clock.follow(clock.at(4_000));
    expect(clock.now()).toBe(4_000);
  });
});

describe('a stored clock continues from its last instant', () => {
  const modes = ['running', 'frozen'] as const;

  test.each(modes.flatMap((before) => modes.map((after) => ({ before, after }))))(
    'stored $before, resumed $after at the same real instant: the same sandbox time',
    ({ before, after }) => {
      const { clock } = clockOn(freshClock(before), 7_000);
      clock.follow(clock.at(clock.now() + 5_000));
      const resumed = clockOn(resumeClock(clock.state(), after, 7_000), 7_000).clock;
      expect([resumed.mode, resumed.now()]).toEqual([after, clock.now()]);
    },
  );

  test('while the sandbox is off, a running clock advances and a frozen one does not', () => {
    const [running, frozen] = [{ mode: 'running', value: 5_000 } as const, { mode: 'frozen', value: 12_000 } as const];
    const hourLater = 7_000 + 3_600_000;
    expect(clockOn(resumeClock(running, 'running', hourLater), hourLater).clock.now()).toBe(12_000 + 3_600_000);
    expect(clockOn(resumeClock(frozen, 'frozen', hourLater), hourLater).clock.now()).toBe(12_000);
  });

  test.each(modes)(
    'OP-236: a running clock that is resumed %s when real time is behind continues from the newest stored instant',
    (mode) => {
      const stored = { mode: 'running', value: 5_000 } as const;
      const newest = 1_000_000;
      const { machine, clock } = clockOn(resumeClock(stored, mode, newest - 600_000, newest), newest - 600_000);
      expect(clock.now()).toBe(newest);
      machine.now += 1_000;
      expect(clock.now()).toBe(mode === 'running' ? newest + 1_000 : newest);
    },
  );

  test('OP-236: the newest stored instant changes nothing if real time is past it, or the clock is frozen', () => {
    const [running, frozen] = [{ mode: 'running', value: 5_000 } as const, { mode: 'frozen', value: 12_000 } as const];
    expect(resumeClock(running, 'running', 1_000_000, 1_005_000)).toEqual(running);
    expect(resumeClock(frozen, 'frozen', 1_000_000, 13_000)).toEqual(frozen);
    expect(clockOn(resumeClock(frozen, 'running', 7_000, 13_000), 7_000).clock.now()).toBe(12_000);
  });
});

describe('Indian Standard Time (OP-47)', () => {
  test.each([
    ['2026-01-12T04:30:00.000Z', '2026-01-12 10:00:00'],
    ['2026-01-12T18:29:59.999Z', '2026-01-12 23:59:59'],
    ['2026-01-12T18:30:00.000Z', '2026-01-13 00:00:00'],
    ['2025-12-31T18:30:00.000Z', '2026-01-01 00:00:00'],
    ['2028-02-28T20:00:00.000Z', '2028-02-29 01:30:00'],
  ])('%s is %s', (utc, indian) => {
    expect(indianTime(Date.parse(utc))).toBe(indian);
  });
});
