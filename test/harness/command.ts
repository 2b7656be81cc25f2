/** Runs the command, either in this process or in a separate one, as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { main } from '../../sandbox/cli/main.ts';
import { afterEveryTest } from './lifecycle.ts';

const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));
const started = new Set<ChildProcess>();
const within = new Set<InProcess>();
const brokenReplies: string[] = [];

afterEveryTest(async () => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
  for (const command of within) command.stop();
  await Promise.allSettled([...within].map(({ ended }) => ended));
  within.clear();
  // The command reports broken replies on stderr. Such a report fails the test that started the command.
  expect(brokenReplies.splice(0)).toEqual([]);
});

/** The output of a command, by stream. */
class Printed {
  stdout = '';
  stderr = '';
  readonly #waiting = new Set<() => void>();
  readonly onStdout = new Set<(text: string) => void>();

  add(to: 'stdout' | 'stderr', text: string): void {
    this[to] += text;
    if (to === 'stdout') for (const listener of this.onStdout) listener(text);
    if (to === 'stderr' && text.includes('breaks its contract')) brokenReplies.push(text);
    for (const look of this.#waiting) look();
  }

  /** Resolves with the match as soon as stdout matches the pattern. Rejects if the command ends first. */
  saw(pattern: RegExp, ended: Promise<unknown>): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.stdout);
        if (match !== null) resolve(match);
      };
      this.#waiting.add(look);
      look();
      const over = () => reject(new Error(`it ended before ${pattern} was seen: ${this.stdout}${this.stderr}`));
      void ended.then(over, over);
    });
  }
}

/** Returns the arguments unchanged if they name a subcommand. Otherwise adds `--no-docs`. */
function argumentsOf(args: readonly string[]): readonly string[] {
  return /^[a-z]/.test(args[0] ?? '') ? args : ['--no-docs', ...args];
}

/** A command that runs in its own process. */
export interface Run {
  readonly child: ChildProcess;
  /** Resolves with the match as soon as stdout matches the pattern. Rejects if the process ends first. */
  readonly saw: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

/** Starts `rewards-sandbox` with these arguments and environment variables, without its documentation. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, program = bin): Run {
  const child = spawn(process.execPath, [program, ...argumentsOf(args)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  const output = new Printed();
  const end = Promise.withResolvers<Awaited<Run['ended']>>();
  child.stdout?.on('data', (chunk) => output.add('stdout', String(chunk)));
  child.stderr?.on('data', (chunk) => output.add('stderr', String(chunk)));
  child.once('close', (code, signal) => {
    const { stdout, stderr } = output;
    end.resolve({ code, signal, stdout, stderr });
  });
  return { child, saw: (pattern) => output.saw(pattern, end.promise), ended: end.promise };
}

/** A command that runs in this process. */
export interface InProcess {
  readonly stdin: PassThrough;
  /** Listeners for each string that the command prints from now on. */
  readonly onStdout: Set<(text: string) => void>;
  readonly saw: Run['saw'];
  /** Acts like SIGTERM to a process, and ends its input. */
  readonly stop: () => void;
  /** Resolves when the command has ended. Rejects if a process would print a stack trace. */
  readonly ended: Promise<{ code: number; stdout: string; stderr: string }>;
}

/**
 * Runs the command within this process, at a hundredth of the cost of `run`. Signals, pipes and exit codes differ from those of a real
 * process, so tests of these use `run`. `env` is the complete environment.
 */
export function inProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): InProcess {
  const output = new Printed();
  const stream = (to: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _, written) => {
        output.add(to, String(chunk));
        written();
      },
    });
  const stopping = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<number>();
  const stdin = new PassThrough();
  const { pid, execPath } = process;
  const code = main({
    args: argumentsOf(args),
    env,
    pid,
    execPath,
    stdin: () => stdin,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    stopped: () => stopping.promise,
    onSignal: (listener) => void stopping.promise.then(() => listener('SIGTERM')),
    exit: (code) => {
      exited.resolve(code);
      return code;
    },
  });
  const ended = Promise.race([code, exited.promise]).then((code) => {
    const { stdout, stderr } = output;
    return { code, stdout, stderr };
  });
  const stop = () => {
    stopping.resolve();
    stdin.end();
  };
  const saw = (pattern: RegExp) => output.saw(pattern, ended);
  const command = { stdin, onStdout: output.onStdout, saw, stop, ended };
  within.add(command);
  return command;
}

/** Starts a sandbox on a free port and waits until it is ready. */
export async function ready(args: readonly string[], env: NodeJS.ProcessEnv = {}, program = bin) {
  const process = run(['--port', '0', '--json', ...args], env, program);
  return { ...process, urls: await urlsOf(process) };
}

/** Starts a sandbox within this process and waits until it is ready. */
export async function readyInProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const command = inProcess(['--port', '0', '--json', ...args], env);
  return { ...command, urls: await urlsOf(command) };
}

async function urlsOf({ saw }: Pick<Run, 'saw'>) {
  const [line] = await saw(/^\{.*\}$/m);
  const { urls } = JSON.parse(line) as { urls: Record<'rewards' | 'client' | 'dashboard' | 'sandbox', string> };
  return urls;
}
