/** Counts the records read through a store, to show that a read costs only the records it returns. */
import type { Reader } from '../../sandbox/store/store.ts';

/** Wraps a store to count its reads. `records` returns the number of records or ids read since its last call. */
export function countedReads<Collections, Store extends Reader<Collections>>(original: Store) {
  let count = 0;
  const store = new Proxy(original, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        count += Array.isArray(result) ? result.length : 1;
        return result;
      };
    },
  });
  const records = () => {
    const counted = count;
    count = 0;
    return counted;
  };
  return { store, records };
}
