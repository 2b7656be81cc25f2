import { randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { diskFiles, type Files, writeAll } from '../store/files.ts';
import { StoreError } from '../store/store.ts';

/** The key file's name, in the data folder. */
const fileName = 'key';

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
  const file = join(dataDir, fileName);
  try {
    await files.makeDir(resolve(dataDir));
    if ((await files.read(file)) === undefined) await makeKey(dataDir, file, files);
    // Also where an earlier start made it: that start may have been cut off before it came to this.
    await files.syncDir(dataDir);
    return parse(await readFile(file, 'utf8'), file);
  } catch (error) {
    throw error instanceof StoreError ? error : unreadable(error);
  }
}

/**
 * Writes the key whole under another name first, so that no start ever finds half a key. Two starts at once share one.
 */
async function makeKey(dataDir: string, file: string, files: Files): Promise<void> {
  const draft = join(dataDir, `${fileName}.${randomBytes(6).toString('hex')}`);
  const handle = await files.create(draft);
  try {
    await writeAll(handle, Buffer.from(`${randomBytes(32).toString('hex')}\n`), 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
}

function parse(text: string, source: string): Uint8Array {
  const hex = text.trim();
  if (!/^[0-9a-f]{64}$/i.test(hex))
    throw new StoreError('wrong_key', `${source} does not hold a key of 64 hex digits.`);
  return Buffer.from(hex, 'hex');
}

function unreadable(error: unknown): StoreError {
  return new StoreError('unreadable', `the folder cannot be used (${(error as Error).message}).`, { cause: error });
}
