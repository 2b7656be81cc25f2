/** A third-party tool, as `run.ts` installs and runs it, and functions that run its commands. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** Commands that must be installed on the machine. */
  readonly needs: readonly string[];
  /** A file whose existence shows that the tool is installed, relative to the tools folder. */
  readonly file: string;
  /** Installs exactly this version in the tools folder. */
  readonly install: (tools: string) => Promise<void>;
  /** Runs the tool, with a folder for its output. Returns a summary. Throws if the tool finds a fault. */
  readonly run: (tools: string, work: string) => Promise<string>;
}

/** A fault that a tool found. */
export class Fault extends Error {}

/** The project root. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The default tools folder. */
export const toolsFolder = join(root, 'node_modules/.cache/other-tools');

/** The working folder of a command, and additions to this process's environment. */
export interface Setting {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command to completion and returns the output of both streams. Throws `Fault` with that output if the command fails. */
export async function command(file: string, args: readonly string[], setting: Setting): Promise<string> {
  const { code, printed } = await outcome(file, args, setting);
  if (code !== 0) throw new Fault(`${[file, ...args].join(' ')} ended with ${code}:\n${tail(printed)}`);
  return printed;
}

/** Runs a command to completion, regardless of its exit code. */
export function outcome(file: string, args: readonly string[], { cwd, env }: Setting) {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 1_800_000, maxBuffer: 256 * 1024 * 1024 };
  return new Promise<{ code: number | string; stdout: string; printed: string }>((resolve) => {
    execFile(file, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? 1), stdout, printed: stdout + stderr }),
    );
  });
}

/** Returns whether the machine has a command. */
export function has(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-400).join('\n');
}
