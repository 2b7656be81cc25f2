import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

// Plain JavaScript: modules that are loaded before the folder is set are compiled at each start.

/**
 * The folder for compiled code, which is executed at later starts: one that only this user can write, in the user's
 * cache directory. Undefined if there is none; then nothing is cached.
 *
 * @param {string | undefined} cacheHome the user's cache directory; left out or relative, `.cache` in the home directory
 * @param {number | undefined} uid the user; undefined if the system has no owners and modes
 * @returns {string | undefined}
 */
export function compileCacheFolder(cacheHome, uid) {
  try {
    const parent = cacheHome !== undefined && isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache');
    const folder = join(parent, 'rewards-sandbox');
    make(parent);
    make(folder);
    // A user who can write to the parent could replace this folder with another.
    const [above, own] = [statSync(parent), lstatSync(folder)];
    const safe = above.uid === uid && (above.mode & 0o022) === 0;
    return safe && own.isDirectory() && own.uid === uid && (own.mode & 0o777) === 0o700 ? folder : undefined;
  } catch {
    // No home, or no right to write there: the start only takes longer.
    return undefined;
  }
}

/**
 * Makes a folder in an existing one: a recursive mkdir would never end under /proc.
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
