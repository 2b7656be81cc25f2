import { stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { dataKey, keyFileName } from '../workspaces/data-key.ts';

/**
 * What data is encrypted with. A database that others share has no key of its own making: without one in the environment
 * there is none. Rejects with `StoreError` where the key of a folder cannot be used.
 */
export async function keyOf(
  { store, dataDir }: { readonly store?: string; readonly dataDir: string },
  given: string | undefined,
  warn: (message: string) => void,
): Promise<{ readonly key?: Uint8Array }> {
  if (given) return { key: await dataKey(dataDir, given) };
  if (store !== undefined) return {};
  const key = await dataKey(dataDir, given);
  await warnOfExposedKey(join(dataDir, keyFileName), warn);
  return { key };
}

/**
 * Warns if other users can read a file with a key. It is a warning and no refusal, because some file systems, such as
 * Windows folders under Linux, show every file as open to everyone and ignore chmod.
 */
export async function warnOfExposedKey(file: string, warn: (message: string) => void): Promise<void> {
  // Windows has no such modes, and reports that everyone can read everything.
  if (platform() === 'win32') return;
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || (found.mode & 0o077) === 0) return;
  warn(
    `Other users of this machine can read ${file}. Run: chmod 600 '${file}'. If anyone may have copied it, replace the key.`,
  );
}
