/** The lifetime of a workspace (OP-54) and its name (OP-227), in real milliseconds; requested lifetimes are in seconds. */

export interface Life {
  readonly made: number;
  /** When it was used last, as far as it was written down. */
  readonly used: number;
  /** Seconds after the last use when it ends; null for a workspace that stays. */
  readonly expiresIn: number | null;
  /** The name that the operator of the sandbox sees. */
  readonly name?: string;
  /** The id of the workspace that answers for it: 'demo' where the operator created it; left out in older data. */
  readonly createdBy?: string;
  /** When name or end were changed last; left out where they never were. */
  readonly changed?: number;
}

/** What the operator of the sandbox can change. An omitted field stays as it is; null removes the end or the name. */
export interface LifeChange {
  readonly expiresIn?: number | null | undefined;
  readonly name?: string | null | undefined;
}

/** Seconds from a workspace's last use to its expiry, unless its creator sets another lifetime. */
export const usualLife = 7 * 24 * 3600;

/** The longest lifetime that a creator can request; the operator can set a longer one. */
const longestRequest = 30 * 24 * 3600;

const hour = 3_600_000;

/** A life that begins now. */
export function newLife(
  now: number,
  expiresIn: number | null,
  { name, createdBy }: { readonly name?: string | undefined; readonly createdBy?: string } = {},
): Life {
  return {
    ...{ made: now, used: now, expiresIn },
    ...(name !== undefined && { name }),
    ...(createdBy !== undefined && { createdBy }),
  };
}

/** Which workspace answers for what one with this id and life creates: itself where the operator created it. */
export function creatorOf(id: string, { createdBy }: Life): string {
  return createdBy === undefined || createdBy === 'demo' ? id : createdBy;
}

/** A life after a change, `now`. */
export function changedLife(
  life: Life,
  { expiresIn = life.expiresIn, name = life.name }: LifeChange,
  now: number,
): Life {
  const { name: _, ...unnamed } = life;
  // Later than the one before, whatever the clock says: the later one holds.
  const changed = Math.max(now, (life.changed ?? 0) + 1);
  return { ...unnamed, expiresIn, changed, ...(typeof name === 'string' && { name }) };
}

/** Merges a life that is stored twice: name and end from the newer change, the last use from `one`. */
export function newerOf(one: Life, other: Life): Life {
  return (one.changed ?? 0) >= (other.changed ?? 0) ? one : { ...other, used: one.used };
}

/** The lifetime of a workspace that begins as a copy of one with this life. */
export function inheritedLifetime({ expiresIn }: Life): number {
  return Math.min(expiresIn ?? usualLife, longestRequest);
}

/** When it ends unless it is used before; null when it does not. */
export function endOf({ used, expiresIn }: Life): number | null {
  return expiresIn === null ? null : used + expiresIn * 1000;
}

export function isOver(life: Life, now: number): boolean {
  return (endOf(life) ?? Number.POSITIVE_INFINITY) <= now;
}

/** Whether the last use is to be written down again: after an hour, or a tenth of the life where that is shorter. */
export function isOutdated(written: Life, used: number): boolean {
  const tenth = written.expiresIn === null ? hour : written.expiresIn * 100;
  return used - written.used >= Math.min(hour, tenth);
}
