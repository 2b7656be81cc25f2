/** Replaces the machine's timers. The test fires them, or they fire immediately. */
import type { Delay } from '../../sandbox/runtime/clock.ts';

/** Creates a timer that the test fires. A wait ends when the timer fires, or immediately if the signal aborts. */
export function handTimer() {
  const delays: number[] = [];
  const waiting = new Set<() => void>();
  let wait = Promise.withResolvers<void>();
  const delay: Delay = (milliseconds, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    delays.push(milliseconds);
    waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    wait.resolve();
    return promise;
  };
  return {
    delay,
    /** The requested delays so far, in milliseconds. */
    delays,
    /** Resolves when a caller waits. */
    async waits(): Promise<void> {
      await wait.promise;
      wait = Promise.withResolvers();
    },
    /** Ends every wait. */
    ring(): void {
      for (const end of waiting) end();
      waiting.clear();
    },
  };
}

/** Creates a timer whose waits end immediately. It records the requested delays. */
export function instantTimer() {
  const delays: number[] = [];
  const delay: Delay = async (milliseconds) => {
    delays.push(milliseconds);
  };
  return { delay, delays };
}
