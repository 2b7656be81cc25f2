import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { callFileNames } from '../activity-log/call-file.ts';
import { documentName } from '../store/document-draft.ts';
import { createOnce, diskFiles, type Files, systemCode } from '../store/files.ts';
import { StoreError } from '../store/store.ts';
import { logName } from '../store/wal.ts';
import { below } from '../workspaces/storage.ts';

/** The name of the key file in the data folder. */
const keyFileName = 'key';

/** The names of files and folders that indicate encrypted data. */
const encryptedNames: readonly string[] = [documentName, logName, ...Object.values(callFileNames), below, 'snapshots'];

/**
 * Returns the encryption key of the data. A shared database has no key file, so its key must be in the environment.
 * Rejects with `StoreError` if the key of a folder cannot be used.
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

/** Exit codes for data that cannot be opened: unusable, in use, and damaged or with another key. */
export const dataExitCodes = { unreadable: 4, locked: 5, damaged: 6 } as const;

/** Returns the exit code for data that cannot be opened. */
export function dataExitCode({ code }: StoreError): number {
  if (code === 'locked') return dataExitCodes.locked;
  return code === 'damaged' || code === 'wrong_key' ? dataExitCodes.damaged : dataExitCodes.unreadable;
}

/**
 * Warns if other users can read a key file. This is not an error, because some file systems, such as Windows folders
 * under Linux, show all files as readable by everyone and ignore chmod.
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

/**
 * Returns the 32 bytes that encrypt the data at rest (OP-33). The key is read from the environment if it is set there.
 * Otherwise it is read from the key file, which the first start creates with mode 0600. The file and its folder are
 * synced to disk before the key encrypts anything. Rejects with `StoreError` if neither source can be used.
 *
 * @param fromEnvironment 64 hex digits, or undefined
 */
export async function dataKey(
  dataDir: string,
  fromEnvironment: string | undefined,
  files: Files = diskFiles,
): Promise<Uint8Array> {
  if (fromEnvironment !== undefined && fromEnvironment !== '') return parse(fromEnvironment, 'REWARDS_SANDBOX_KEY');
  try {
    await refuseWithoutKey(dataDir, files);
    const bytes = await createOnce(dataDir, keyFileName, () => `${randomBytes(32).toString('hex')}\n`, files);
    return parse(bytes.toString('utf8'), join(dataDir, keyFileName));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('unreadable', `cannot use the folder (${(error as Error).message}).`, { cause: error });
  }
}

/** Rejects if there is encrypted data without a key file. With a new key, the data would seem to have another key. */
async function refuseWithoutKey(dataDir: string, files: Files): Promise<void> {
  const names = await files.list(dataDir).catch((error): string[] => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const data = names.find((name) => encryptedNames.includes(name));
  if (data === undefined || names.includes(keyFileName)) return;
  const missing = `The key file ${join(dataDir, keyFileName)} is missing, but the folder contains ${data}. Nothing was changed`;
  throw new StoreError('wrong_key', `${missing}: restore the file, or set REWARDS_SANDBOX_KEY to its key.`);
}

function parse(text: string, source: string): Uint8Array {
  const hex = text.trim();
  if (!/^[0-9a-f]{64}$/i.test(hex))
    throw new StoreError('wrong_key', `${source} does not contain a key of 64 hex digits.`);
  return Buffer.from(hex, 'hex');
}
