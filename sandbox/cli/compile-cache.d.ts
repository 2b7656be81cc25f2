/** Returns the folder for compiled code; see `compile-cache.js`. */
export function compileCacheFolder(cacheHome: string | undefined, uid: number | undefined): string | undefined;
