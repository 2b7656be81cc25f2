/** A value, or the promise of one: most calls wait for nothing, and a promise for each of their steps costs more than the steps. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once where it is there. */
export function next<T, R>(value: Soon<T>, go: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(go) : go(value);
}
