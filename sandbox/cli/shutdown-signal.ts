/** What ends a command that runs until it is stopped: a signal, or the end of npm. */
import { realTimer } from '../runtime/timer.ts';

/**
 * What npm runs for `npm start`, `npm run proxy` and `npx --no-install rewards-sandbox`, and for other scripts that
 * consist of this command alone. The shell that npm started waits for these. It may not wait for a script with `&`,
 * whose sandbox may be meant to outlive the shell.
 */
const waitedFor = /^(?:node (?:\S*\/)?sandbox\/bin\.js|["']?rewards-sandbox["']?)(?: [^&;|\n]*)?$/;

/** Milliseconds between two checks of whether the shell still runs. */
const lookEvery = 250;

/** Whether npm runs this script in a shell that waits for it. */
export function isWaitedFor(script: string | undefined): boolean {
  return script !== undefined && waitedFor.test(script);
}

/** Resolves on a signal, or once the npm that started this process has ended. */
export function waitForStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  onShellExit(resolve);
  return promise;
}

/**
 * Calls back once the shell between npm and this process has ended. A signal to npm ends npm and that shell, which does
 * not forward it: the process would keep its port and its data forever.
 */
export function onShellExit(exited: () => void): void {
  if (!isWaitedFor(process.env.npm_lifecycle_script)) return;
  const shell = process.ppid;
  const look = () => {
    if (process.ppid === shell) realTimer(look, lookEvery);
    else exited();
  };
  look();
}
