import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from './store/store.ts';

/** The key file's name, in the data folder. */
const fileName = 'key';

/**
 * The 32 bytes that encrypt the data at rest (OP-33): from the environment when given there, else from the key file, which
 * is made with mode 0600 on the first start. Rejects with `StoreError` when neither can be used.
 *
 * @param fromEnvironment 64 hex digits, or undefined
 */
export async function dataKey(dataDir: string, fromEnvironment: string | undefined): Promise<Uint8Array> {
  if (fromEnvironment !== undefined && fromEnvironment !== '') return parse(fromEnvironment, 'REWARDS_SANDBOX_KEY');
  const file = join(dataDir, fileName);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return parse(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(error);
  }
  return makeKey(dataDir, file);
}

/** Writes the key whole under another name first, so that no start ever finds half a key. Two starts at once share one. */
async function makeKey(dataDir: string, file: string): Promise<Uint8Array> {
  const draft = join(dataDir, `${fileName}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
    return parse(await readFile(file, 'utf8'), file);
  } catch (error) {
    throw error instanceof StoreError ? error : unreadable(error);
  }
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
