/** What a command has of its process. A test gives it streams, arguments and an environment of its own. */
import type { Readable, Writable } from 'node:stream';
import type { Channel } from '../proxy/findings-channel.ts';
import { writeLines } from '../runtime/terminal.ts';
import { toldToStop } from './told-to-stop.ts';

/** A stream to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The process that started this one with a channel between them. */
export interface Parent extends Channel {
  readonly connected: boolean;
  disconnect(): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Arguments, environment, streams, and the ways in which a command is stopped or ends at once. */
export interface Io {
  /** The name of the command first, or its flags where it is a start. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: () => Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly pid: number;
  /** The program that runs this one: Node. */
  readonly execPath: string;
  readonly parent?: Parent;
  /** Resolves when the command is told to stop. Until it is called, a signal ends the process. */
  readonly stopped: () => Promise<void>;
  /** Calls back at each SIGINT and SIGTERM, or once for each of the two: further ones then end the process, as before. */
  readonly onSignal: (heard: (signal: NodeJS.Signals) => void, how?: 'on' | 'once') => void;
  /** Ends the process at once, whatever is still under way. */
  readonly exit: (code: number) => number;
}

/** The process itself, for a command with these arguments. */
export function ofProcess(args: readonly string[]): Io {
  const { env, stdout, stderr, pid, execPath } = process;
  return {
    ...{ args, env, stdout, stderr, pid, execPath },
    // Who does not read it must not open it.
    stdin: () => process.stdin,
    ...(process.channel !== undefined && { parent: process as Parent }),
    stopped: toldToStop,
    onSignal: (heard, how = 'on') => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process[how](signal, heard);
    },
    exit: (code) => process.exit(code),
  };
}

/** Messages go to stderr, data to stdout. */
export function say({ stderr }: Io, ...lines: readonly string[]): void {
  writeLines(stderr, ...lines);
}
