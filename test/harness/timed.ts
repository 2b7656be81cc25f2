/** Starts sandboxes whose real time a test controls. */
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { testSandbox } from './sandbox.ts';

const minute = 60_000;
/** The default start time. */
export const start = Date.UTC(2026, 0, 5, 8);

/** Starts a sandbox. The test controls its real time and its check for expired workspaces. */
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
    /** Runs the check for expired workspaces. Resolves once the check is complete and the next one is scheduled. */
    async look() {
      const run = await looking.promise;
      looking = Promise.withResolvers();
      run();
      await looking.promise;
    },
  };
}
