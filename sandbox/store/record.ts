/**
 * Deeper than any record of the sandbox, and far from the depth at which JSON.stringify runs out of stack (about
 * 5,000).
 */
const DEEPEST = 100;

/**
 * Freezes `record` all the way down and returns it. Throws a TypeError for what would not come back from disk as it is
 * in memory: undefined, functions, dates and other objects with a class, numbers without a JSON form, cycles.
 */
export function freezeRecord<R>(record: R, where: string, depth = 0): R {
  const value: unknown = record;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return record;
  if (typeof value === 'number' && Number.isFinite(value)) return record;
  if (typeof value !== 'object') throw new TypeError(`${where} is ${describe(value)}, which JSON cannot represent`);
  if (depth > DEEPEST) throw new TypeError(`${where} is nested more than ${DEEPEST} levels deep`);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) freezeRecord(value[at], `${where}[${at}]`, depth + 1);
  } else {
    // By the length of the prototype chain, so that a plain object of another realm is plain too.
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new TypeError(`${where} is an instance of a class, which JSON cannot represent`);
    }
    // Nothing else is enumerable: it is plain.
    for (const name in value) {
      const part = (value as Record<string, unknown>)[name];
      // Most fields are text, numbers or null, for which no name has to be put together.
      if (typeof part === 'string' || part === null || Number.isFinite(part)) continue;
      freezeRecord(part, `${where}.${name}`, depth + 1);
    }
  }
  return Object.freeze(record);
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}
