import { randomBytes } from 'node:crypto';
import { link, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Files, writeAll } from './files.ts';

/** Names of streams that a process has open. They are links, and must be written through. */
const streams = /^\/(dev\/(stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Writes a file that is there under its name once it is whole. It takes the place of a symbolic link instead of being
 * written through it: in a folder such as /tmp, others can plant one. A device, a pipe and standard output are written to.
 * Rejects with the system's error.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const earlier = await lstat(path).catch(() => undefined);
  const isReplaced = earlier === undefined || earlier.isFile() || earlier.isSymbolicLink();
  if (!isReplaced || streams.test(path)) return writeFile(path, content);
  const draft = draftOf(path);
  try {
    await writeFile(draft, content, { flag: 'wx', mode: earlier?.isFile() ? earlier.mode & 0o777 : 0o666 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A name beside a file, for what is to take its place: nobody can guess it, and plant a link there. */
export function draftOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

/**
 * The bytes of a file with mode 0600 that is made once: by this call where it is missing, else by an earlier one. It is on
 * the disk, with its folder, when this resolves. Two calls at once, also of two processes, get the same bytes.
 */
export async function createOnce(folder: string, name: string, content: () => string, files: Files): Promise<Buffer> {
  const file = join(folder, name);
  await files.makeDir(resolve(folder));
  if ((await files.read(file)) === undefined) await write(folder, name, Buffer.from(content()), files);
  // Also where an earlier call made it: that one may have been cut off before it came to this.
  await files.syncDir(folder);
  const bytes = await files.read(file);
  if (bytes === undefined) throw new Error(`${file} is gone`);
  return Buffer.from(bytes);
}

/** Writes it whole under another name first, so that nobody ever finds half of it. */
async function write(folder: string, name: string, bytes: Buffer, files: Files): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}`);
  const handle = await files.create(draft);
  try {
    await writeAll(handle, bytes, 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await link(draft, join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
}
