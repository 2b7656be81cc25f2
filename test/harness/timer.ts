/** Timers in place of the machine's: rung by the test, or over at once. */
import type { Delay } from '../../sandbox/runtime/timer.ts';

/** A timer that the test rings. Waits end when it is rung, or at once when the signal aborts. */
export function handTimer() {
  const asked: number[] = [];
  const waiting = new Set<() => void>();
  let heard = Promise.withResolvers<void>();
  const delay: Delay = (milliseconds, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    asked.push(milliseconds);
    waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    heard.resolve();
    return promise;
  };
  return {
    delay,
    /** The milliseconds that were asked for so far. */
    asked,
    /** Resolves when somebody waits. */
    async waits(): Promise<void> {
      await heard.promise;
      heard = Promise.withResolvers();
    },
    /** Ends every wait. */
    ring(): void {
      for (const end of waiting) end();
      waiting.clear();
    },
  };
}

/** A timer whose waits are over at once, and that notes what was asked for. */
export function instantTimer() {
  const asked: number[] = [];
  const delay: Delay = async (milliseconds) => {
    asked.push(milliseconds);
  };
  return { delay, asked };
}
