import { hostname } from 'node:os';
import { pid } from 'node:process';
import { HeldLock, type Lock, type Pauses } from './held-lock.ts';
import { holdKernelLock, type KernelLock } from './kernel-lock.ts';
import { type Holder, LockFile, lookAt, newestHolder, removeLockFile, type Sight, termsIn, told } from './lock-file.ts';
import { StoreError } from './store.ts';

/** What a lock is taken with. */
export interface LockOptions {
  /** The newest generation of the store's files in the folder. */
  readonly newest: () => Promise<number>;
  readonly warn: (message: string) => void;
  readonly kernelLock?: (dir: string) => Promise<KernelLock | undefined>;
  readonly pauses?: Pauses;
}

const machinePauses: Pauses = {
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  later: (run, milliseconds) => {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** A holder who gives no sign in so many looks is taken for dead. Looks are counted, so that no clock decides. */
const looks = { most: 20, milliseconds: 250 } as const;
/** How often another start may come in between. */
const mostTries = 20;

/**
 * Locks the folder, or throws `locked` with who holds it.
 *
 * The kernel's lock decides at once between processes that share it. It does not reach into another network namespace
 * or machine; there the lock file does: its holder changes its time every second, and who sees that for five seconds
 * unchanged takes over, by making the file of the next term and removing the others. The earlier holder sees then that
 * its file is gone, before it acknowledges anything more.
 */
export async function lockFolder(dir: string, options: LockOptions): Promise<Lock> {
  const { kernelLock = holdKernelLock, pauses = machinePauses } = options;
  const kernel = await kernelLock(dir);
  if (!kernel) throw inUse(dir, await newestHolder(dir));
  try {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const claimed = await claim(dir, kernel, { ...options, pauses });
      if (claimed) return new HeldLock({ dir, kernel, pauses, warn: options.warn, ...claimed });
    }
    throw inUse(dir, await newestHolder(dir));
  } catch (error) {
    await kernel.release();
    throw error;
  }
}

/** Tries once; undefined where another start came in between. */
async function claim(
  dir: string,
  { reach }: KernelLock,
  { newest, warn, pauses }: LockOptions & { readonly pauses: Pauses },
): Promise<{ readonly file: LockFile; readonly doubtful: boolean } | undefined> {
  const terms = await termsIn(dir);
  const generation = await newest();
  const sights = await Promise.all(terms.map((term) => lookAt(dir, term)));
  const found = sights.filter((sight) => sight !== undefined);
  if (found.length < terms.length) return undefined;
  // Of the same reach: this process could not have the kernel's lock if that one still lived.
  const silent = found.filter(({ holder }) => holder?.reach !== reach);
  if (!(await staySilent(dir, silent, pauses))) return undefined;
  // A holder that died before it had moved on from a doubtful one leaves the doubt behind.
  const doubtful = silent.length > 0 || found.some(({ term, holder }) => holder?.doubtful && generation < term);
  const term = Math.max(generation, ...terms) + 1;
  const file = await LockFile.create(dir, term, { pid, host: hostname(), reach, doubtful });
  if (!file) return undefined;
  try {
    const others = (await termsIn(dir)).filter((other) => other !== term && !terms.includes(other));
    // Without this, one who looked long ago could make a file of a term that is over.
    if (others.length > 0 || (await newest()) >= term) {
      await file.remove();
      return undefined;
    }
    for (const earlier of terms) await removeLockFile(dir, earlier);
  } catch (error) {
    await (doubtful ? file.leave() : file.remove());
    throw error;
  }
  for (const { holder } of silent) warn(`${dir} was taken over from ${told(holder)}, which gave no sign of life`);
  return { file, doubtful };
}

/** Watches holders. False where one of them ended properly meanwhile; throws `locked` where one lives. */
async function staySilent(dir: string, silent: readonly Sight[], pauses: Pauses): Promise<boolean> {
  if (silent.length === 0) return true;
  for (let look = 0; look < looks.most; look += 1) {
    await pauses.wait(looks.milliseconds);
    for (const before of silent) {
      const now = await lookAt(dir, before.term);
      if (!now) return false;
      if (now.signs !== before.signs) throw inUse(dir, now.holder);
    }
  }
  return true;
}

function inUse(dir: string, holder: Holder | undefined): StoreError {
  return new StoreError('locked', `${dir} is in use by ${told(holder)}: stop it first, or choose another folder`);
}
