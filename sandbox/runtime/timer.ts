/** Runs something once so many milliseconds of real time have passed; calling the answer takes it back. */
export type Timer = (run: () => void, milliseconds: number) => () => void;

/** The machine's timer, for callers who wait in real time. Work on sandbox time is due work. */
export const realTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** As `realTimer`, and the process does not end meanwhile: for a wait of a command while nothing else may be under way. */
export const holdingTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Runs something again and again, each time so many milliseconds after it ended. Calling the answer ends that, and
 * resolves when a run that is under way has ended. `run` must not reject.
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
