/** Sandbox time. Everything but the composition root asks this clock, never the machine's. */

/** Sandbox time runs with real time plus an offset, or stands still. */
export type ClockMode = 'running' | 'frozen';

/** Where the clock stands, as it is stored: enough to go on from there after a restart. */
export interface ClockState {
  readonly mode: ClockMode;
  /** Milliseconds: the offset to real time of a running clock, the instant of a frozen one. */
  readonly value: number;
}

/** The instant at which a frozen clock starts: a fixed one, so that runs can be compared. */
export const frozenStart = Date.UTC(2026, 0, 12, 4, 30);

/** Where a new clock starts: at real time, or at the fixed instant. */
export function freshClock(mode: ClockMode): ClockState {
  return { mode, value: mode === 'running' ? 0 : frozenStart };
}

/** A stored clock taken over in a mode: sandbox time goes on from where it was. */
export function resumeClock(stored: ClockState, mode: ClockMode, real: number): ClockState {
  if (stored.mode === mode) return stored;
  return { mode, value: mode === 'frozen' ? real + stored.value : stored.value - real };
}

export class Clock {
  readonly mode: ClockMode;
  readonly #real: () => number;
  #value: number;

  /** @param real the machine's time in milliseconds, given by the composition root */
  constructor(state: ClockState, real: () => number) {
    this.mode = state.mode;
    this.#value = state.value;
    this.#real = real;
  }

  /** Now, in milliseconds since 1970. */
  now(): number {
    return this.mode === 'running' ? this.#real() + this.#value : this.#value;
  }

  /** Now, as the interface writes instants. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /** Moves forward to an instant; a clock that is there already, or past it, stays. */
  moveTo(instant: number): void {
    this.#value += Math.max(0, instant - this.now());
  }

  /** Stands at an instant, also an earlier one: for going back to a snapshot. */
  set(instant: number): void {
    this.#value += instant - this.now();
  }

  /** Back to where a new clock of this mode starts. */
  restart(): void {
    this.#value = freshClock(this.mode).value;
  }

  state(): ClockState {
    return { mode: this.mode, value: this.#value };
  }
}

/** Date and time in Indian Standard Time as `YYYY-MM-DD HH:MM:SS` (OP-47). */
export function indianTime(instant: number): string {
  const shifted = new Date(instant + 5.5 * 3600 * 1000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)}`;
}
