/** Only the composition root reads the machine's clock. All other code uses this one. */

/** The mode of sandbox time: it either follows real time with an offset, or is paused. */
export type ClockMode = 'running' | 'frozen';

/** The stored state of the clock, sufficient to resume after a restart. */
export interface ClockState {
  readonly mode: ClockMode;
  /** In milliseconds: the offset from real time if the clock is running, or the instant if it is frozen. */
  readonly value: number;
}

/** The instant at which a frozen clock starts. It is fixed so that runs can be compared. */
export const frozenStart = Date.UTC(2026, 0, 12, 4, 30);

/** Returns the initial state of a clock: real time if running, the fixed instant if frozen. */
export function freshClock(mode: ClockMode): ClockState {
  return { mode, value: mode === 'running' ? 0 : frozenStart };
}

/**
 * Resumes a stored clock in the given mode. Sandbox time continues from its last value.
 *
 * @param newest the latest recorded instant; a running clock continues from it if real time is earlier
 */
export function resumeClock(stored: ClockState, mode: ClockMode, real: number, newest = Number.NEGATIVE_INFINITY) {
  if (stored.mode === 'frozen') return mode === 'frozen' ? stored : clockAt(mode, stored.value, real);
  const now = real + stored.value;
  return mode === 'running' && now >= newest ? stored : clockAt(mode, Math.max(now, newest), real);
}

/** Returns the state of a clock in this mode that shows `instant` at the real time `real`. */
export function clockAt(mode: ClockMode, instant: number, real: number): ClockState {
  return { mode, value: mode === 'frozen' ? instant : instant - real };
}

/**
 * The clock of sandbox time. Its state is stored, and only a transaction changes it. The clock follows committed
 * states, and computes the state for any other instant without changing its own (OP-94). If the machine's clock is set
 * back, a running clock does not go back.
 */
export class Clock {
  readonly mode: ClockMode;
  readonly #real: () => number;
  #value: number;
  /** Milliseconds by which the machine's clock was set back since the committed state. */
  #setBack = 0;
  #lastReal = Number.NEGATIVE_INFINITY;

  /** @param real returns real time in milliseconds; supplied by the composition root */
  constructor(state: ClockState, real: () => number) {
    this.mode = state.mode;
    this.#value = state.value;
    this.#real = real;
  }

  /**
   * Returns the current time in milliseconds since 1970. With `value`, returns the time that a clock of this mode and
   * that value shows.
   */
  now(value?: number): number {
    if (this.mode === 'frozen') return value ?? this.#value;
    const real = this.#readReal();
    return real + (value ?? this.#value + this.#setBack);
  }

  /** Returns the current time in the interface's ISO 8601 format. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /** Returns the state in which this clock would show an instant, which may be in the past. */
  at(instant: number): ClockState {
    return clockAt(this.mode, instant, this.#readReal());
  }

  /** Adopts a committed state. */
  follow({ value }: ClockState): void {
    // The record also contains other data, so a commit can repeat the same clock state.
    if (value === this.#value) return;
    this.#value = value;
    this.#setBack = 0;
  }

  state(): ClockState {
    return { mode: this.mode, value: this.#value + this.#setBack };
  }

  #readReal(): number {
    const real = this.#real();
    if (real < this.#lastReal) this.#setBack += this.#lastReal - real;
    this.#lastReal = real;
    return real;
  }
}

/** Formats an instant in Indian Standard Time as `YYYY-MM-DD HH:MM:SS` (OP-47). */
export function indianTime(instant: number): string {
  const shifted = new Date(instant + 5.5 * 3600 * 1000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)}`;
}

/** Parses a time in the format of `indianTime`. Returns milliseconds since 1970. */
export function fromIndianTime(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}+05:30`);
}

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
