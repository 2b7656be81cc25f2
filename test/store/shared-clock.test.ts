/** Tests that instances share PostgreSQL's clock, regardless of their machines' clocks (OP-236). */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../sandbox/cluster/postgres/database.ts';
import { Instance, SharedClock } from '../../sandbox/cluster/postgres/instance.ts';

const noon = Date.UTC(2026, 0, 5, 12);
const minutes = (count: number) => count * 60_000;

/** Simulates a machine whose clock is ahead of PostgreSQL's by the given number of milliseconds. */
function clockAhead(ahead: number) {
  const there = { database: noon, monotonic: 1_000, ahead, warnings: [] as string[] };
  const clock = new SharedClock({
    now: () => there.monotonic,
    machineTime: () => there.database + there.ahead,
    warn: (message) => there.warnings.push(message),
  });
  const pass = (milliseconds: number) => {
    there.database += milliseconds;
    there.monotonic += milliseconds;
  };
  /** Simulates a time query. PostgreSQL reads its clock after `before` milliseconds, and the reply takes `after` more. */
  const measure = (before = 0, after = 0) => {
    const sent = there.monotonic;
    pass(before);
    const time = there.database;
    pass(after);
    clock.measure(time, sent, there.monotonic);
  };
  measure();
  return { there, clock, pass, measure };
}

describe('OP-236: the time', () => {
  it.each([minutes(-10), 0, minutes(10)])(
    'is that of PostgreSQL when the machine is %i ms ahead, and advances with it',
    (ahead) => {
      const { clock, pass } = clockAhead(ahead);
      expect([clock.time(), clock.skew()]).toEqual([noon, ahead]);
      pass(1_500);
      expect([clock.time(), clock.skew()]).toEqual([noon + 1_500, ahead]);
    },
  );

  it("does not follow the machine's clock when it is changed", () => {
    const { there, clock, pass } = clockAhead(0);
    there.ahead = minutes(-60);
    pass(1_000);
    expect([clock.time(), clock.skew()]).toEqual([noon + 1_000, minutes(-60)]);
  });

  it('is corrected by no more than a reply proves: a slow one proves less', () => {
    const { there, clock, measure } = clockAhead(0);
    there.database += 900;
    measure(0, 1_000);
    expect(clock.time() - there.database, 'it may have been said a second ago').toBe(-900);
    measure(0, 100);
    expect(clock.time() - there.database, 'or a tenth of a second ago').toBe(-100);
    measure();
    expect(clock.time() - there.database).toBe(0);
  });

  it("never goes back: it runs at half its speed until PostgreSQL's clock, which was set back, has caught up", () => {
    const { there, clock, pass, measure } = clockAhead(0);
    expect(clock.time()).toBe(noon);
    there.database -= 4_000;
    measure();
    const times = [clock.time()];
    for (let second = 0; second < 5; second += 1) {
      pass(2_000);
      times.push(clock.time());
    }
    expect(times.map((time) => time - noon)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 6_000]);
    expect(clock.time()).toBe(there.database);
  });
});

describe('OP-236: a skewed machine', () => {
  it.each([
    [minutes(-10), '600.0 s behind'],
    [1_100, '1.1 s ahead of'],
  ])('causes one warning while the skew lasts: %i ms, %s', (ahead, how) => {
    const { there, measure } = clockAhead(ahead);
    const warning = `This machine's clock is ${how} PostgreSQL's, which sandbox time follows. Synchronise both, for example with NTP.`;
    measure();
    expect(there.warnings).toEqual([warning]);
    there.ahead = 0;
    measure();
    there.ahead = ahead;
    measure();
    expect(there.warnings).toEqual([warning, warning]);
  });

  it('causes no warning below a second, or if only a slow reply suggests it', () => {
    const { there, measure } = clockAhead(900);
    measure(3_000, 0);
    measure(0, 3_000);
    expect(there.warnings).toEqual([]);
  });
});

it('OP-236: an instance reads the time of PostgreSQL when it joins, and with each renewal of its lease', async () => {
  const there = { database: noon, monotonic: 1_000 };
  const statements: string[] = [];
  const rows: Database['rows'] = async (text) => {
    statements.push(text.trimStart().split(' ', 1)[0] ?? '');
    // The driver returns large numbers as text.
    return [{ time: `${there.database}.123000` }];
  };
  let renewal = Promise.withResolvers<() => void>();
  const instance = await Instance.join(
    { rows },
    {
      newId: () => 'one',
      address: 'here',
      timer: (run) => {
        renewal.resolve(run);
        return () => {};
      },
      now: () => there.monotonic,
      machineTime: () => noon + minutes(10),
      warn: () => {},
    },
  );
  onTestFinished(() => instance.leave());
  const joined = instance.clock.time();
  there.database += minutes(1);
  there.monotonic += 1_000;
  const renew = await renewal.promise;
  renewal = Promise.withResolvers();
  renew();
  await renewal.promise;
  expect([joined, instance.clock.time(), statements]).toEqual([noon, noon + minutes(1), ['with', 'update']]);
});
