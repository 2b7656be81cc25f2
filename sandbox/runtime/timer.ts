/** Runs a function after a number of real milliseconds. Call the returned function to cancel it. */
export type Timer = (run: () => void, milliseconds: number) => () => void;

/** The machine's timer, for callers who wait in real time. Work on sandbox time is due work. */
export const realTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** The same, and the process lives on until then: for programs that end when nothing is left to wait for. */
export const holdingTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Runs a function repeatedly, each time a number of milliseconds after it ended. Call the returned function to stop; it
 * resolves when the current run has ended. `run` must not reject.
 */
export function repeatedly(timer: Timer, run: () => Promise<void>, milliseconds: number): () => Promise<void> {
  let running = Promise.resolve();
  let cancel = () => {};
  let ended = false;
  const wait = () => {
    if (!ended) cancel = timer(go, milliseconds);
  };
  const go = () => {
    running = run().then(wait);
  };
  wait();
  return () => {
    ended = true;
    cancel();
    return running;
  };
}

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
