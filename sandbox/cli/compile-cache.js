import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

// Plain JavaScript: whatever is loaded before the folder is known is compiled at each start.

/**
 * The folder for compiled code, which is executed at later starts: one that only this user can write, in the user's
 * cache directory. Undefined where there is none, and nothing is kept then.
 *
 * @param {string | undefined} cacheHome the user's cache directory; left out or relative, `.cache` in the home directory
 * @param {number | undefined} uid the user; undefined where the system tells no owners and modes
 * @returns {string | undefined}
 */
export function compileCacheFolder(cacheHome, uid) {
  try {
    const parent = cacheHome !== undefined && isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache');
    const folder = join(parent, 'rewards-sandbox');
    make(parent);
    make(folder);
    // Whoever can write the parent can put another folder in the place of this one.
    const [above, own] = [statSync(parent), lstatSync(folder)];
    const safe = above.uid === uid && (above.mode & 0o022) === 0;
    return safe && own.isDirectory() && own.uid === uid && (own.mode & 0o777) === 0o700 ? folder : undefined;
  } catch {
    // No home, no right to write there: the start takes longer, and that is all.
    return undefined;
  }
}

/**
 * Makes a folder in one that is there: making all that is missing on the way would never end under /proc.
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
