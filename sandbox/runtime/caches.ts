/** Returns a function that computes a value on first use and caches it. This defers work until after the start. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Adds a value to a cache, and drops its oldest entry if it has more than `most`. */
export function addBounded<V>(cache: Map<string, V>, key: string, value: V, most: number): void {
  cache.set(key, value);
  const [oldest = ''] = cache.keys();
  if (cache.size > most) cache.delete(oldest);
}

/** Returns the value stored under a key. If there is none, makes one and stores it. */
export function getOrCreate<K, V>(
  values: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const stored = values.get(key);
  if (stored !== undefined) return stored;
  const made = make();
  values.set(key, made);
  return made;
}
