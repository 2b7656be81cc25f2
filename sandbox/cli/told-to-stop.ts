/** When a command that runs until it is stopped is told to stop. */
import { realTimer } from '../runtime/timer.ts';

/**
 * What npm runs for `npm start`, `npm run proxy` and `npx --no-install rewards-sandbox`, and for scripts of
 * others that are this command alone. A shell that npm started waits for it then. It need not wait for a script with `&` in it, whose
 * sandbox may be meant to outlive it.
 */
const waitedFor = /^(?:node (?:\S*\/)?sandbox\/bin\.js|["']?rewards-sandbox["']?)(?: [^&;|\n]*)?$/;

/** Milliseconds between two looks at whether the shell is still there. */
const lookEvery = 250;

/** Whether npm runs this script in a shell that waits for it. */
export function isWaitedFor(script: string | undefined): boolean {
  return script !== undefined && waitedFor.test(script);
}

/** Resolves when a signal comes, or when npm started this process and has ended without it. */
export function toldToStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  onLeft(resolve);
  return promise;
}

/**
 * Calls back once the shell between npm and this process has ended. Whoever stops npm by a signal ends npm and that
 * shell, which hands nothing on: the process would keep its port and its data for ever.
 */
export function onLeft(left: () => void): void {
  if (!isWaitedFor(process.env.npm_lifecycle_script)) return;
  const shell = process.ppid;
  const look = () => {
    if (process.ppid === shell) realTimer(look, lookEvery);
    else left();
  };
  look();
}
