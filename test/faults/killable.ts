/** Sandboxes in separate processes that tests kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { ChildOptions, Order } from './child.ts';

const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

export interface Killable {
  readonly urls: Record<'rewards' | 'client' | 'sandbox', string>;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<unknown>;
  /** Kills the process before its n-th file system call from now on. */
  killBefore(calls: number): Promise<void>;
  /** Stops the process as a signal would. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Pauses or resumes the process. */
  pause(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills the process immediately. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a sandbox. Returns `undefined` if it was killed before it was ready. */
export async function killable(options: ChildOptions): Promise<Killable | undefined> {
  const path = fileURLToPath(new URL('child.ts', import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.add(child);
  const ended = once(child, 'close').finally(() => children.delete(child));
  const line = await Promise.race([once(child.stdout ?? child, 'data'), ended.then(() => undefined)]);
  if (line === undefined) {
    if (child.signalCode !== 'SIGKILL')
      throw new Error(`the sandbox exited with ${child.exitCode} before it was ready`);
    return undefined;
  }
  const sendOrder = (order: Order) => new Promise<void>((resolve) => child.send(order, () => resolve()));
  return {
    urls: JSON.parse(String(line[0])),
    ended,
    async killBefore(calls) {
      const confirmation = once(child, 'message');
      await sendOrder({ killBefore: calls });
      await confirmation;
    },
    async stop() {
      await sendOrder('stop');
      await ended;
    },
    pause: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
