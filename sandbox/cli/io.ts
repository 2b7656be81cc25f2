/** What a command uses of its process. Tests pass their own streams, arguments and environment. */
import type { Readable, Writable } from 'node:stream';
import type { Channel } from '../proxy/findings-channel.ts';
import { writeLines } from '../runtime/terminal.ts';
import { realTimer } from '../runtime/timer.ts';

/** A stream to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The process that started this one with a channel between them. */
interface Parent extends Channel {
  readonly connected: boolean;
  disconnect(): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Arguments, environment, streams, and how a command is stopped or exits. */
export interface Io {
  /** Begins with the name of the command, or with a flag if no command is named. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: () => Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly pid: number;
  /** The program that runs this one: Node. */
  readonly execPath: string;
  readonly parent?: Parent;
  /** Resolves on a signal to stop. Until it is called, a signal ends the process. */
  readonly stopped: () => Promise<void>;
  /** Calls back on each SIGINT and SIGTERM, or once for each: a further one then ends the process. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void, how?: 'on' | 'once') => void;
  /** Ends the process immediately, without waiting for work in progress. */
  readonly exit: (code: number) => number;
}

/** The process itself, for a command with these arguments. */
export function processIo(args: readonly string[]): Io {
  const { env, stdout, stderr, pid, execPath } = process;
  return {
    ...{ args, env, stdout, stderr, pid, execPath },
    // A command that does not read stdin must not open it.
    stdin: () => process.stdin,
    ...(process.channel !== undefined && { parent: process as Parent }),
    stopped: waitForStop,
    onSignal: (listener, how = 'on') => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process[how](signal, listener);
    },
    exit: (code) => process.exit(code),
  };
}

/** Messages go to stderr, data to stdout. */
export function say({ stderr }: Io, ...lines: readonly string[]): void {
  writeLines(stderr, ...lines);
}

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
function waitForStop(): Promise<void> {
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
