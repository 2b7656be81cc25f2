/** Sandboxes whose real time is a test's own. */
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { testSandbox } from './sandbox.ts';

const minute = 60_000;
/** When their time begins. */
export const start = Date.UTC(2026, 0, 5, 8);

/** A sandbox whose real time and whose look at the lives of workspaces are the test's own. */
export async function timedSandbox(options: SandboxOptions = {}, from = start) {
  let now = from;
  let looking = Promise.withResolvers<() => void>();
  const timer = (run: () => void, milliseconds: number) => {
    if (milliseconds === minute) looking.resolve(run);
    return () => {};
  };
  const sandbox = await testSandbox({ realTime: () => now, timer, ...options });
  return {
    ...sandbox,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Looks whose life is over, and resolves when that is done: the next look is asked for then. */
    async look() {
      const run = await looking.promise;
      looking = Promise.withResolvers();
      run();
      await looking.promise;
    },
  };
}
