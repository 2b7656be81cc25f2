/** How long a workspace lives (OP-54). Real time, in milliseconds but for what is asked for in seconds. */

export interface Life {
  readonly made: number;
  /** When it was used last, as far as it was written down. */
  readonly used: number;
  /** Seconds after the last use when it ends; null for a workspace that stays. */
  readonly expiresIn: number | null;
}

/** Seconds that a workspace lives after its last use, unless its maker says otherwise. */
export const usualLife = 7 * 24 * 3600;

const hour = 3_600_000;

/** A life that begins now. */
export function newLife(now: number, expiresIn: number | null): Life {
  return { made: now, used: now, expiresIn };
}

/** When it ends unless it is used before; null when it does not. */
export function endOf({ used, expiresIn }: Life): number | null {
  return expiresIn === null ? null : used + expiresIn * 1000;
}

export function isOver(life: Life, now: number): boolean {
  return (endOf(life) ?? Number.POSITIVE_INFINITY) <= now;
}

/** Whether the last use is to be written down anew: after an hour, or a tenth of the life where that is shorter. */
export function isOutdated(written: Life, used: number): boolean {
  const tenth = written.expiresIn === null ? hour : written.expiresIn * 100;
  return used - written.used >= Math.min(hour, tenth);
}
