/** Reads of one caller take turns: one at a time, with a pause after each while there is other work. */
import { expect, it } from 'vitest';
import { ReadTurns } from '../../sandbox/http/read-turns.ts';

/** Turns on a clock that the test moves, with a number of other calls in service. */
function turnsWith(others: number) {
  const set: { at: number; run: () => void }[] = [];
  const state = { now: 0, others, reads: 0, admitted: 0 };
  const turns = new ReadTurns({
    now: () => state.now,
    timer: (run, milliseconds) => {
      set.push({ at: state.now + milliseconds, run });
      return () => {};
    },
    inService: () => state.others + state.reads,
    admitted: () => state.admitted,
  });
  const begun: string[] = [];
  /** A read of the given duration once it has its turn. Records the time when it begins. */
  const read = async (caller: string, took: number) => {
    const turn = await turns.begin(caller);
    state.reads += 1;
    begun.push(`${caller} ${state.now}`);
    return () => {
      state.now += took;
      state.reads -= 1;
      turn.end();
    };
  };
  const settled = () => new Promise(setImmediate);
  const rest = async () => {
    const next = set.shift();
    if (next === undefined) throw new Error('nobody rests');
    state.now = Math.max(state.now, next.at);
    next.run();
    await settled();
  };
  /** Another call arrives, and ends immediately. */
  const comeAndGo = () => {
    state.admitted += 1;
  };
  return { read, rest, begun, set, settled, comeAndGo };
}

it('reads run one after another, each after a pause of nine times the duration of the previous one', async () => {
  const { read, rest, begun, settled } = turnsWith(1);
  const reads = [read('a', 10), read('a', 5), read('a', 1)];
  (await reads[0])?.();
  await settled();
  expect(begun).toEqual(['a 0']);
  await rest();
  (await reads[1])?.();
  await rest();
  (await reads[2])?.();
  expect(begun).toEqual(['a 0', 'a 100', 'a 150']);
});

it('there is no pause without other work', async () => {
  const { read, begun, set } = turnsWith(0);
  const reads = [read('a', 10), read('a', 5)];
  (await reads[0])?.();
  (await reads[1])?.();
  expect([begun, set]).toEqual([['a 0', 'a 10'], []]);
});

it('each caller has its own turns', async () => {
  const { read, begun } = turnsWith(1);
  const reads = [read('a', 10), read('a', 10), read('b', 10)];
  (await reads[0])?.();
  (await reads[2])?.();
  expect(begun).toEqual(['a 0', 'b 0']);
});

it('a read counts for a quarter of a second at most, since it may have waited for others', async () => {
  const { read, rest, begun } = turnsWith(1);
  const reads = [read('a', 5_000), read('a', 1)];
  (await reads[0])?.();
  await rest();
  await reads[1];
  expect(begun).toEqual(['a 0', 'a 7250']);
});

it('a caller that arrives after the pause does not wait', async () => {
  const { read, rest, begun } = turnsWith(1);
  (await read('a', 10))();
  await rest();
  (await read('a', 10))();
  expect(begun).toEqual(['a 0', 'a 100']);
});

it('a pause also follows if other calls come one at a time, and none is in service when the read ends', async () => {
  const { read, rest, begun, set, settled, comeAndGo } = turnsWith(0);
  const first = await read('a', 10);
  const second = read('a', 10);
  await settled();
  comeAndGo();
  first();
  await settled();
  expect([begun, set.map(({ at }) => at)]).toEqual([['a 0'], [100]]);
  await rest();
  (await second)();
  const third = read('a', 10);
  await settled();
  expect(begun).toEqual(['a 0', 'a 100', 'a 110']);
  (await third)();
});
