/** When workspaces that are not in memory are brought back (OP-211). */
import { expect, it } from 'vitest';
import { Wakes } from '../../sandbox/workspaces/wakes.ts';

/** Wakes on a clock and a timer of the test; each that is brought back waits for the test. */
function timed() {
  const state = { now: 0, timer: undefined as (() => void) | undefined };
  const woken: string[] = [];
  const ends: (() => void)[] = [];
  const wakes = new Wakes(
    (run) => {
      state.timer = run;
      return () => {
        state.timer = undefined;
      };
    },
    () => state.now,
    (id) => {
      woken.push(id);
      return new Promise((resolve) => void ends.push(resolve));
    },
  );
  return { wakes, state, woken, ends };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('OP-211: each is brought back at its instant, once, the earliest first', () => {
  const { wakes, state, woken } = timed();
  wakes.set('later', 20);
  wakes.set('sooner', 10);
  wakes.set('not at all', 15);
  wakes.delete('not at all');
  wakes.start();
  expect(woken).toEqual([]);
  state.now = 10;
  state.timer?.();
  expect(woken).toEqual(['sooner']);
  state.now = 30;
  state.timer?.();
  expect([woken, state.timer]).toEqual([['sooner', 'later'], undefined]);
});

it('OP-211: eight are brought back at the same time, and the next one as soon as one of them is there', async () => {
  const { wakes, woken, ends } = timed();
  for (let one = 0; one < 20; one += 1) wakes.set(`${one}`, 0);
  wakes.start();
  expect(woken).toHaveLength(8);
  ends[0]?.();
  await turn();
  expect(woken).toHaveLength(9);
  for (let done = 1; done < 20; done += 1) {
    ends[done]?.();
    await turn();
  }
  expect(woken).toHaveLength(20);
});

it('OP-211: none is brought back once that has ended', () => {
  const { wakes, state, woken } = timed();
  wakes.set('one', 10);
  wakes.start();
  wakes.stop();
  state.now = 20;
  wakes.set('two', 20);
  expect([woken, state.timer]).toEqual([[], undefined]);
});
