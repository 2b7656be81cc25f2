/** Reads one-time passwords from a command that the operator supplies (OP-170). */
import { spawn } from 'node:child_process';
import { codeIn } from '../certification/reading-codes.ts';
import { MissingInput, type ReadCode } from '../certification/verdict.ts';
import type { Timer } from '../runtime/clock.ts';

/** Milliseconds after which the command is killed. */
const longest = 3000;
/** Maximum number of characters read from the output of the command. */
const mostBytes = 4096;

/** Returns a function that reads a code from the output of a command. That output is never shown. */
export function byCommand(command: string, timer: Timer): ReadCode {
  return async ({ customer_id, reference_id }) => {
    const { code, text, problem } = await printed(command, [customer_id, reference_id], timer);
    const found = code === 0 ? codeIn(text) : undefined;
    if (found !== undefined) return found;
    const why = problem ?? (code === 0 ? 'it printed no code' : `it exited with code ${code}`);
    throw new MissingInput(`--otp-command returned no code for ${customer_id}: ${why}.`, '--otp-command CMD');
  };
}

interface Printed {
  readonly code: number | null;
  readonly text: string;
  readonly problem?: string;
}

/** Runs a shell command. The ids are passed as positional parameters, so that the shell never executes their content. */
function printed(command: string, [customer, reference]: readonly [string, string], timer: Timer): Promise<Printed> {
  const { promise, resolve } = Promise.withResolvers<Printed>();
  const script = command.replaceAll('{customer_id}', '"$1"').replaceAll('{reference_id}', '"$2"');
  // The command runs in its own process group, so that processes started by the shell end with it.
  const child = spawn('sh', ['-c', script, 'otp-command', clean(customer), clean(reference)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let text = '';
  let problem: string | undefined;
  const end = (why: string) => {
    problem ??= why;
    endGroup(child.pid);
    child.stdout.destroy();
  };
  const cancel = timer(() => end(`it took longer than ${longest / 1000} s`), longest);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > mostBytes) end(`it printed more than ${mostBytes} characters`);
  });
  child.once('error', (error) => resolve({ code: null, text: '', problem: error.message }));
  child.once('close', (code) => resolve({ code, text, ...(problem !== undefined && { problem }) }));
  return promise.finally(cancel);
}

/** Removes NUL characters, which process arguments cannot contain. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}

/** Kills a process and all processes in its group. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
