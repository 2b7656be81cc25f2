/**
 * The entry point of the executable. Unpacks the embedded package into the user's cache directory, once for each build,
 * and runs it from there. Node runs this file as CommonJS, and it cannot import other files.
 */
const {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const process = require('node:process');
const { getAsset, getAssetKeys } = require('node:sea');
const { pathToFileURL } = require('node:url');

/** Assets that `tools/package/build-executables.ts` adds to the files of the package. */
const own = { id: 'id', command: 'command', start: 'start.cjs' };

/** Returns a folder in the user's cache directory that only this user can write to, or `undefined` if there is none. */
function cacheFolder() {
  const { XDG_CACHE_HOME: home } = process.env;
  const parent = home !== undefined && isAbsolute(home) ? home : join(homedir(), '.cache');
  const folder = join(parent, 'rewards-sandbox');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [parentStat, folderStat] = [statSync(parent), lstatSync(folder)];
    // Windows reports no owners, but the home folder there belongs to the user.
    const uid = process.getuid?.();
    const isOwn =
      uid === undefined ||
      (parentStat.uid === uid && folderStat.uid === uid && ((parentStat.mode | folderStat.mode) & 0o022) === 0);
    return folderStat.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the files of the package into a folder. */
function unpack(folder) {
  for (const name of getAssetKeys()) {
    if (name === own.id || name === own.command) continue;
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(getAsset(name)));
  }
}

/** Returns the folder with the files of the package. Without a cache directory, the files are deleted when the process exits. */
function unpacked() {
  const cache = cacheFolder();
  if (cache === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'rewards-sandbox-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    unpack(folder);
    return folder;
  }
  const folder = join(cache, `executable-${getAsset(own.id, 'utf8')}`);
  if (isThere(folder)) return folder;
  const place = mkdtempSync(join(cache, 'unpacking-'));
  unpack(place);
  try {
    // The rename is atomic: the folder is complete or absent, even if the process is killed.
    renameSync(place, folder);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    // Another process may have finished first.
    if (!isThere(folder)) throw error;
  }
  return folder;
}

function isThere(folder) {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

const folder = unpacked();
const [program, , ...given] = process.argv;
// The package starts its own commands and neighbouring tools as `node SCRIPT ...`.
const isScript = given[0] !== undefined && isAbsolute(given[0]) && /\.[cm]?js$/.test(given[0]);
const script = isScript ? given[0] : join(folder, getAsset(own.command, 'utf8'));
process.argv = [program, script, ...(isScript ? given.slice(1) : given)];
createRequire(join(folder, own.start))(join(folder, own.start))(pathToFileURL(script).href);
