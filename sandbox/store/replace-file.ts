import { randomBytes } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';

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
