import { type BigIntStats, constants, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from './files.ts';

/** Who holds a folder, as its lock file says. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** See `KernelLock`. */
  readonly reach: string;
  /** ISO, by the clock of the file system. */
  readonly since: string;
  /** Whether the one before it may still have lived: see `Lock.doubtful`. */
  readonly doubtful: boolean;
}

/** What a look at a lock file saw. Two looks with different `signs` saw its holder alive in between. */
export interface Sight {
  readonly term: number;
  /** Undefined for a file that a crash left unwritten. */
  readonly holder: Holder | undefined;
  readonly signs: string;
}

const NAME = /^lock-(\d+)$/;

/** Whether this is the name of a lock file. */
export function isLockFile(name: string): boolean {
  return NAME.test(name);
}

/** How much newer a sign of life looks than the last one. */
const stepSeconds = 1;

function pathOf(dir: string, term: number): string {
  return join(dir, `lock-${term}`);
}

/** The terms of the lock files in a folder, the highest last. */
export async function termsIn(dir: string): Promise<number[]> {
  const terms = (await readdir(dir)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
  return terms.sort((one, other) => one - other);
}

/** Looks at a lock file; undefined where it is gone. It is opened, since over a network only that asks the server. */
export async function lookAt(dir: string, term: number): Promise<Sight | undefined> {
  const handle = await unlessGone(open(pathOf(dir, term), constants.O_RDONLY));
  if (!handle) return undefined;
  try {
    const { ino, mtimeNs } = await handle.stat({ bigint: true });
    const text = await handle.readFile('utf8');
    return { term, holder: holderOf(text), signs: `${ino} ${mtimeNs} ${text}` };
  } finally {
    await handle.close();
  }
}

export function removeLockFile(dir: string, term: number): Promise<void> {
  return rm(pathOf(dir, term), { force: true });
}

/** Who holds the folder now, as far as a lock file says so. */
export async function newestHolder(dir: string): Promise<Holder | undefined> {
  const term = (await termsIn(dir)).at(-1);
  return term === undefined ? undefined : (await lookAt(dir, term))?.holder;
}

/** A holder, for people. */
export function told(holder: Holder | undefined): string {
  return holder ? `process ${holder.pid} on ${holder.host} since ${holder.since}` : 'an unknown process';
}

/** The lock file that this process made and holds open. */
export class LockFile {
  readonly term: number;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #text: string;
  readonly #made: BigIntStats;
  #lastSign: number;

  private constructor(path: string, term: number, handle: FileHandle, text: string, made: BigIntStats) {
    this.term = term;
    this.#path = path;
    this.#handle = handle;
    this.#text = text;
    this.#made = made;
    this.#lastSign = Number(made.mtimeMs) / 1000;
  }

  /** Makes the file of this term; undefined where there is one, which only one of several can make. */
  static async create(dir: string, term: number, by: Omit<Holder, 'since'>): Promise<LockFile | undefined> {
    const path = pathOf(dir, term);
    const handle = await open(path, 'wx', 0o600).catch((error) => {
      if (systemCode(error) === 'EEXIST') return undefined;
      throw error;
    });
    if (!handle) return undefined;
    try {
      const made = await handle.stat({ bigint: true });
      const text = `${JSON.stringify({ ...by, since: new Date(Number(made.mtimeMs)).toISOString() })}\n`;
      await handle.writeFile(text);
      const file = new LockFile(path, term, handle, text, made);
      await file.#prove();
      return file;
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Shows that the process lives. What counts is that the time differs from the last one, not what it is. */
  async giveSign(): Promise<void> {
    this.#lastSign += stepSeconds;
    await this.#handle.utimes(this.#lastSign, this.#lastSign);
  }

  /** Whether the folder still has this file. */
  async isThere(): Promise<boolean> {
    const found = await unlessGone(stat(this.#path, { bigint: true }));
    if (found === undefined) return false;
    return this.#isMade(found) || (await unlessGone(readFile(this.#path, 'utf8'))) === this.#text;
  }

  /** Some file systems that are shared with a host give a file another number now and then: its text tells then. */
  #isMade({ ino, dev }: BigIntStats): boolean {
    return ino === this.#made.ino && dev === this.#made.dev;
  }

  /** The same at once. */
  isThereNow(): boolean {
    try {
      const found = statSync(this.#path, { bigint: true });
      return this.#isMade(found) || readFileSync(this.#path, 'utf8') === this.#text;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  /** Removes the file where it is still there. */
  async remove(): Promise<void> {
    try {
      if (await this.isThere()) await rm(this.#path, { force: true });
    } finally {
      await this.#handle.close();
    }
  }

  /** Leaves the file to the next start. */
  leave(): Promise<void> {
    return this.#handle.close();
  }

  /** A holder who cannot show that it lives would be taken for dead. */
  async #prove(): Promise<void> {
    const { mtimeNs } = await this.#handle.stat({ bigint: true });
    await this.giveSign();
    await this.giveSign();
    if ((await this.#handle.stat({ bigint: true })).mtimeNs !== mtimeNs) return;
    const why = 'The file system keeps no time of a change, so that others could not see that this process lives';
    throw Object.assign(new Error(why), { code: 'ENOTSUP' });
  }
}

function holderOf(text: string): Holder | undefined {
  // A crash can leave the file empty or full of zeros, and a look can come before it is written.
  return /^\{.*\}\n$/.test(text) ? (JSON.parse(text) as Holder) : undefined;
}

/** What a call on a path gives; undefined where nothing is there. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ESTALE';
}
