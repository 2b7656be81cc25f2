/** Runs something once so many milliseconds of real time have passed; calling the answer takes it back. */
export type Timer = (run: () => void, milliseconds: number) => () => void;

/** The machine's timer, for callers who wait in real time. Work on sandbox time is due work. */
export const realTimer: Timer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
};
