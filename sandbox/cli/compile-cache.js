import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

// Plain JavaScript, because modules that are loaded before the folder is set are compiled at each start.

/**
 * Returns the folder for compiled code, which later starts execute. It is in the user's cache directory, and only this
 * user can write to it. Returns `undefined` if no folder is safe; nothing is cached in that case.
 *
 * @param {string | undefined} cacheHome the user's cache directory; if undefined or relative, `.cache` in the home
 *   directory
 * @param {number | undefined} uid the user id; undefined if the system has no owners and modes
 * @returns {string | undefined}
 */
export function compileCacheFolder(cacheHome, uid) {
  try {
    const parent = cacheHome !== undefined && isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache');
    const folder = join(parent, 'rewards-sandbox');
    make(parent);
    make(folder);
    // A user with write access to the parent could replace this folder.
    const [above, own] = [statSync(parent), lstatSync(folder)];
    const safe = above.uid === uid && (above.mode & 0o022) === 0;
    return safe && own.isDirectory() && own.uid === uid && (own.mode & 0o777) === 0o700 ? folder : undefined;
  } catch {
    // There is no home directory, or it is not writable. Without the cache, starts are only slower.
    return undefined;
  }
}

/**
 * Creates a folder in an existing one. A recursive `mkdir` would never end under /proc.
 *
 * @param {string} folder
 */
function make(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
