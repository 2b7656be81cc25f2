/** Returns the value stored under a key. If there is none, makes one and stores it. */
export function cached<K, V>(
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
