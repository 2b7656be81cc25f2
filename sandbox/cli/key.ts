import { dataKey } from '../workspaces/data-key.ts';

/**
 * What data is encrypted with. A database that others share has no key of its own making: without one in the environment
 * there is none. Rejects with `StoreError` where the key of a folder cannot be used.
 */
export async function keyOf(
  { store, data }: { readonly store?: string; readonly data: string },
  given: string | undefined,
): Promise<{ readonly key?: Uint8Array }> {
  return store !== undefined && !given ? {} : { key: await dataKey(data, given) };
}
