/** Runs something once so many milliseconds of real time have passed; calling the answer takes it back. */
export type Timer = (run: () => void, milliseconds: number) => () => void;

/** The machine's timer, for callers who wait in real time. Work on sandbox time is due work. */
export const realTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** Waits real milliseconds, until the signal aborts at the longest; an aborted wait ends early, and quietly. */
export type Delay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Waiting by a timer. */
export function delayBy(timer: Timer): Delay {
  return (milliseconds, signal) => {
    if (signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = timer(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(cancel);
  };
}
