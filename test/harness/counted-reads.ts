/** A store that counts what is read through it, to show that a read costs what it returns. */
import type { Reader } from '../../sandbox/store/store.ts';

/** Books whose reads are counted: `records` says how many records, or ids, were handed out since it was last asked. */
export function countedReads<Collections, Store extends Reader<Collections>>(store: Store) {
  let count = 0;
  const books = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const result: unknown = value.apply(target, given);
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
  return { books, records };
}
