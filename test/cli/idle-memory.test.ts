/** When a sandbox that nobody calls gives back what its start needed. */
import { expect, it, vi } from 'vitest';
import { collectOnceIdle } from '../../sandbox/cli/idle-memory.ts';

/** What a process has computed, in milliseconds, when it begins to look and after each look; what came of it. */
function looked(...computed: readonly number[]) {
  const collect = vi.fn();
  const times = [...computed];
  let looks = 0;
  const timer = (look: () => void) => {
    if (times.length === 0) return;
    looks += 1;
    look();
  };
  collectOnceIdle({ timer: timer as never, computed: () => times.shift() ?? 0, collect });
  return { looks, collected: collect.mock.calls.length };
}

it('once, after the first look in which there was nothing to do', () => {
  expect(looked(500, 520)).toEqual({ looks: 1, collected: 1 });
  expect(looked(500, 900, 900, 910)).toEqual({ looks: 2, collected: 1 });
});

it('never in a process that has worked: what was compiled for its calls would go too', () => {
  expect(looked(2_400, 2_410)).toEqual({ looks: 1, collected: 0 });
  expect(looked(500, 2_400, 2_400, 2_410)).toEqual({ looks: 1, collected: 0 });
});
