import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that is not a capture. */
export class CaptureError extends Error {}

/** What the name of a capture ends in. Everything else in a folder is left alone. */
const endings = ['.har', '.json', '.jsonl', '.ndjson', '.log'];

/** The captures of a folder and the folders in it, in the order of their names. Rejects with a CaptureError where there is none. */
export async function capturesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)));
  if (files.length === 0) throw new CaptureError(`the folder has no file that ends in ${endings.join(', ')}`);
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
