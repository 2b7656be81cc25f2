/** Runs a function after a delay in real milliseconds. Call the returned function to cancel it. */
export type Timer = (run: () => void, milliseconds: number) => () => void;

/**
 * The machine's timer, for callers that wait in real time. It does not keep the process alive. Work in sandbox time is
 * scheduled as due work instead.
 */
export const realTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** A timer that keeps the process alive until it fires, for programs that exit when nothing is pending. */
export const holdingTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Runs a function repeatedly, with a pause of `milliseconds` before each run. Call the returned function to stop; it
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

/** Waits the given number of real milliseconds. If the signal aborts, the wait ends early and does not reject. */
export type Delay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Creates a `Delay` that uses a timer. */
export function delayBy(timer: Timer): Delay {
  return (milliseconds, signal) => {
    if (signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = timer(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(cancel);
  };
}
