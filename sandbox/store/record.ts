/**
 * Deeper than any record of the sandbox, and far from the depth at which JSON.stringify runs out of stack (about
 * 5,000).
 */
const DEEPEST = 100;

/**
 * Freezes `record` all the way down and returns it. Throws a TypeError for what would not come back from disk as it is
 * in memory: undefined, functions, dates and other objects with a class, numbers without a JSON form, cycles.
 */
export function freezeRecord<R>(record: R, where: string): R {
  weighRecord(record, where);
  return record;
}

/**
 * Freezes `value` as `freezeRecord` does, and returns how many bytes its JSON takes. A character that JSON escapes counts
 * as it is, and a name counts its characters, so the weight of unusual text is a little low.
 */
export function weighRecord(value: unknown, where: string, depth = 0): number {
  if (typeof value !== 'object' || value === null) return weighScalar(value, where);
  if (depth > DEEPEST) throw new TypeError(`${where} is nested more than ${DEEPEST} levels deep`);
  let bytes = 0;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) bytes += weighRecord(value[at], `${where}[${at}]`, depth + 1) + 1;
  } else {
    // By the length of the prototype chain, so that a plain object of another realm is plain too.
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new TypeError(`${where} is an instance of a class, which JSON cannot represent`);
    }
    // Nothing else is enumerable: it is plain.
    for (const name in value) {
      const part = (value as Record<string, unknown>)[name];
      bytes += name.length + '"":,'.length;
      // Most fields are text or numbers, for which no name has to be put together.
      if (typeof part === 'string') bytes += Buffer.byteLength(part) + 2;
      else if (Number.isFinite(part)) bytes += String(part).length;
      else bytes += weighRecord(part, `${where}.${name}`, depth + 1);
    }
  }
  Object.freeze(value);
  // Two brackets, less the comma that follows no part.
  return Math.max(bytes + 1, 2);
}

function weighScalar(value: unknown, where: string): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return String(value).length;
  throw new TypeError(`${where} is ${describe(value)}, which JSON cannot represent`);
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}
