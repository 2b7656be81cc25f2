/** The folder for compiled code; see beside. */
export function compileCacheFolder(cacheHome: string | undefined, uid: number | undefined): string | undefined;
