/** Sandboxes in processes of their own that tests kill. */
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
  /** Resolves when the process has ended, however it ended. */
  readonly ended: Promise<unknown>;
  /** Lets it die before a call to the file system, counted from now on. */
  killBefore(calls: number): Promise<void>;
  /** Has it stop as it does on a signal, and resolves when it has ended. */
  stop(): Promise<void>;
  /** Stops it where it is, or lets it go on. */
  pause(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it now, and resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts one; undefined where it died before it was ready. */
export async function killable(options: ChildOptions): Promise<Killable | undefined> {
  const path = fileURLToPath(new URL('child.ts', import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.add(child);
  const ended = once(child, 'close').finally(() => children.delete(child));
  const line = await Promise.race([once(child.stdout ?? child, 'data'), ended.then(() => undefined)]);
  if (line === undefined) {
    if (child.signalCode !== 'SIGKILL') throw new Error(`it ended with ${child.exitCode} before it was ready`);
    return undefined;
  }
  const tell = (order: Order) => new Promise<void>((resolve) => child.send(order, () => resolve()));
  return {
    urls: JSON.parse(String(line[0])),
    ended,
    async killBefore(calls) {
      const armed = once(child, 'message');
      await tell({ killBefore: calls });
      await armed;
    },
    async stop() {
      await tell('stop');
      await ended;
    },
    pause: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
