/**
 * The lifetime (OP-54) and the name (OP-227) of a workspace. Instants are real milliseconds; requested lifetimes are in
 * seconds.
 */

export interface Life {
  readonly made: number;
  /** The last recorded use. */
  readonly used: number;
  /** Seconds from the last use to expiry; null for a workspace without expiry. */
  readonly expiresIn: number | null;
  /** The name shown to the operator of the sandbox. */
  readonly name?: string;
  /** The id of the workspace that is accountable for this one; `demo` if the operator created it. Absent in older data. */
  readonly createdBy?: string;
  /** The time of the last change of the name or the lifetime; absent if there was none. */
  readonly changed?: number;
}

/** A change by the operator of the sandbox. An omitted field stays unchanged; null removes the expiry or the name. */
export interface LifeChange {
  readonly expiresIn?: number | null | undefined;
  readonly name?: string | null | undefined;
}

/** The default lifetime, in seconds from the last use to expiry. */
export const usualLife = 7 * 24 * 3600;

/** The longest lifetime that a creator can request, in seconds. The operator can set a longer one. */
const longestRequest = 30 * 24 * 3600;

const hour = 3_600_000;

/** Creates a life that begins now. */
export function newLife(
  now: number,
  expiresIn: number | null,
  { name, createdBy }: { readonly name?: string | undefined; readonly createdBy?: string } = {},
): Life {
  return {
    made: now,
    used: now,
    expiresIn,
    ...(name !== undefined && { name }),
    ...(createdBy !== undefined && { createdBy }),
  };
}

/**
 * Returns the id of the workspace that is accountable for new workspaces of this one. That is this workspace if the
 * operator created it, and its own creator otherwise.
 */
export function creatorOf(id: string, { createdBy }: Life): string {
  return createdBy === undefined || createdBy === 'demo' ? id : createdBy;
}

/** Returns a life after a change at the time `now`. */
export function changedLife(
  life: Life,
  { expiresIn = life.expiresIn, name = life.name }: LifeChange,
  now: number,
): Life {
  const { name: _, ...unnamed } = life;
  // Always later than the previous change, even if the clock was set back, because the latest change wins.
  const changed = Math.max(now, (life.changed ?? 0) + 1);
  return { ...unnamed, expiresIn, changed, ...(typeof name === 'string' && { name }) };
}

/** Merges two stored versions of a life: the name and the lifetime from the newer change, the last use from `one`. */
export function newerOf(one: Life, other: Life): Life {
  return (one.changed ?? 0) >= (other.changed ?? 0) ? one : { ...other, used: one.used };
}

/** Returns the lifetime of a workspace that is created as a copy of one with this life. */
export function inheritedLifetime({ expiresIn }: Life): number {
  return Math.min(expiresIn ?? usualLife, longestRequest);
}

/** Returns the expiry time unless the workspace is used before; null if it does not expire. */
export function endOf({ used, expiresIn }: Life): number | null {
  return expiresIn === null ? null : used + expiresIn * 1000;
}

export function isOver(life: Life, now: number): boolean {
  return (endOf(life) ?? Number.POSITIVE_INFINITY) <= now;
}

/** Returns whether to record the last use again: after an hour, or a tenth of the lifetime if that is shorter. */
export function isOutdated(written: Life, used: number): boolean {
  const tenth = written.expiresIn === null ? hour : written.expiresIn * 100;
  return used - written.used >= Math.min(hour, tenth);
}
