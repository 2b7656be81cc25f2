import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { callFileNames } from '../activity-log/call-file.ts';
import { documentName } from '../store/document-draft.ts';
import { createOnce, diskFiles, type Files, systemCode } from '../store/files.ts';
import { StoreError } from '../store/store.ts';
import { logName } from '../store/wal.ts';
import { below } from './storage.ts';

/** The key file's name, in the data folder. */
export const keyFileName = 'key';

/** What a folder has once something was encrypted. */
const encryptedNames: readonly string[] = [documentName, logName, ...Object.values(callFileNames), below, 'snapshots'];

/**
 * The 32 bytes that encrypt the data at rest (OP-33): from the environment when given there, else from the key file,
 * which is made with mode 0600 on the first start. It is on the disk, with its folder, before anything is encrypted
 * with it. Rejects with `StoreError` when neither can be used.
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
    throw error instanceof StoreError ? error : unreadable(error);
  }
}

/** A new key would make data without its key look like data of another key. */
async function refuseWithoutKey(dataDir: string, files: Files): Promise<void> {
  const names = await files.list(dataDir).catch((error): string[] => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const data = names.find((name) => encryptedNames.includes(name));
  if (data === undefined || names.includes(keyFileName)) return;
  const missing = `The key file ${join(dataDir, keyFileName)} is missing next to ${data}. Nothing was changed`;
  throw new StoreError('wrong_key', `${missing}: restore the file, or set REWARDS_SANDBOX_KEY to its key.`);
}

function parse(text: string, source: string): Uint8Array {
  const hex = text.trim();
  if (!/^[0-9a-f]{64}$/i.test(hex))
    throw new StoreError('wrong_key', `${source} does not contain a key of 64 hex digits.`);
  return Buffer.from(hex, 'hex');
}

function unreadable(error: unknown): StoreError {
  return new StoreError('unreadable', `cannot use the folder (${(error as Error).message}).`, { cause: error });
}
