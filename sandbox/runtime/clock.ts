/** Everything but the composition root asks this clock, never the machine's. */

/** Sandbox time runs with real time plus an offset, or is paused. */
export type ClockMode = 'running' | 'frozen';

/** The stored state of the clock: enough to continue after a restart. */
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

/**
 * Resumes a stored clock in a mode: sandbox time continues from where it was.
 *
 * @param newest the newest recorded instant: a running clock continues from there if real time is behind it
 */
export function resumeClock(
  stored: ClockState,
  mode: ClockMode,
  real: number,
  newest = Number.NEGATIVE_INFINITY,
): ClockState {
  if (stored.mode === 'frozen') return mode === 'frozen' ? stored : clockAt(mode, stored.value, real);
  const now = real + stored.value;
  return mode === 'running' && now >= newest ? stored : clockAt(mode, Math.max(now, newest), real);
}

/** The state of a clock of this mode that shows an instant at this real time. */
export function clockAt(mode: ClockMode, instant: number, real: number): ClockState {
  return { mode, value: mode === 'frozen' ? instant : instant - real };
}

/**
 * Sandbox time. Its state is stored and changes only by a transaction: the clock follows what was
 * committed, and says beforehand in which state it would stand elsewhere (OP-94). When the machine's clock is set back, a running
 * clock continues from where it was.
 */
export class Clock {
  readonly mode: ClockMode;
  readonly #real: () => number;
  #value: number;
  /** By how much the machine's clock was set back since the committed state, and what it said last. */
  #setBack = 0;
  #lastReal = Number.NEGATIVE_INFINITY;

  /** @param real real time in milliseconds, given by the composition root */
  constructor(state: ClockState, real: () => number) {
    this.mode = state.mode;
    this.#value = state.value;
    this.#real = real;
  }

  /** Now, in milliseconds since 1970; given the value of another state of its mode, now in that state. */
  now(value?: number): number {
    if (this.mode === 'frozen') return value ?? this.#value;
    const real = this.#readReal();
    return real + (value ?? this.#value + this.#setBack);
  }

  /** Now, as the interface writes instants. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /** The state in which it would stand at an instant, also an earlier one. */
  at(instant: number): ClockState {
    return clockAt(this.mode, instant, this.#readReal());
  }

  /** Continues from a committed state. */
  follow({ value }: ClockState): void {
    // Other changes of the record that has the state repeat it.
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

/** Date and time in Indian Standard Time as `YYYY-MM-DD HH:MM:SS` (OP-47). */
export function indianTime(instant: number): string {
  const shifted = new Date(instant + 5.5 * 3600 * 1000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)}`;
}

/** The instant of a time that `indianTime` wrote. */
export function fromIndianTime(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}+05:30`);
}
