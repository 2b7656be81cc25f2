/** Returns a function that computes a value on first use and caches it. This defers work until after the start. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
