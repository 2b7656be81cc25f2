/** Process resources of a command. Tests pass their own streams, arguments and environment. */
import type { Readable, Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Channel } from '../proxy/findings-channel.ts';
import { realTimer } from '../runtime/clock.ts';
import { writeLines } from '../runtime/terminal.ts';

/** An output stream, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The parent process, if it has a channel to this one. */
interface Parent extends Channel {
  readonly connected: boolean;
  disconnect(): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** The arguments, environment and streams of a command, and the ways to stop it. */
export interface Io {
  /** The arguments, beginning with the name of the command, or with a flag if no command is named. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: () => Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly pid: number;
  /** The path of the Node executable. */
  readonly execPath: string;
  readonly parent?: Parent;
  /** Resolves on a signal to stop. Until it is called, a signal ends the process. */
  readonly stopped: () => Promise<void>;
  /**
   * Calls `listener` on each SIGINT and SIGTERM. With `once`, calls it only for the first of each; the next one ends
   * the process.
   */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void, how?: 'on' | 'once') => void;
  /** Collects garbage, if the command has a heap of its own. Without it, an idle process keeps the garbage from its start. */
  readonly collectGarbage?: () => void;
  /** Ends the process immediately, without waiting for work in progress. */
  readonly exit: (code: number) => number;
}

/** Returns the resources of the current process, for a command with these arguments. */
export function processIo(args: readonly string[]): Io {
  const { env, stdout, stderr, pid, execPath } = process;
  return {
    args,
    env,
    stdout,
    stderr,
    pid,
    execPath,
    // A command that does not read stdin must not open it.
    stdin: () => process.stdin,
    ...(process.channel !== undefined && { parent: process as Parent }),
    stopped: waitForStop,
    onSignal: (listener, how = 'on') => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process[how](signal, listener);
    },
    collectGarbage,
    exit: (code) => process.exit(code),
  };
}

/** Runs a full collection. The engine starts a collection only while it allocates. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}

/** Prints messages to stderr. Data belongs on stdout. */
export function say({ stderr }: Io, ...lines: readonly string[]): void {
  writeLines(stderr, ...lines);
}

/** Prints why a command fails. Returns its exit code. */
export function failWith(io: Io, code: number, ...lines: readonly string[]): number {
  say(io, ...lines);
  return code;
}

/**
 * Matches the scripts of `npm start`, `npm run proxy` and `npx --no-install rewards-sandbox`, and other scripts that
 * consist of this command alone. The shell that npm started waits for these scripts. It may not wait for a script with
 * `&`, whose sandbox may be intended to outlive the shell.
 */
const waitedFor = /^(?:node (?:\S*\/)?sandbox\/bin\.js|["']?rewards-sandbox["']?)(?: [^&;|\n]*)?$/;

/** Milliseconds between two checks of whether the shell still runs. */
const lookEvery = 250;

/** Returns whether npm runs this script in a shell that waits for it. */
export function isWaitedFor(script: string | undefined): boolean {
  return script !== undefined && waitedFor.test(script);
}

/** Resolves on a signal, or once the npm process that started this one has ended. */
function waitForStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  onShellExit(resolve);
  return promise;
}

/**
 * Calls `exited` once the shell between npm and this process has ended. A signal to npm ends npm and that shell, which
 * does not forward it. Without this check, the process would keep its port and its data forever.
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
