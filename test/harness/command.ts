/** Runs the command as a user would, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { afterEveryTest } from './lifecycle.ts';

const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));
const started = new Set<ChildProcess>();
const brokenReplies: string[] = [];

afterEveryTest(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
  // The process says on stderr when a reply broke its contract; that fails the test that started it.
  expect(brokenReplies.splice(0)).toEqual([]);
});

/** A command under way. */
export interface Run {
  readonly child: ChildProcess;
  /** Resolves with the match once stdout matches the pattern; rejects when the process ends before. */
  readonly saw: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

/** Starts `rewards-sandbox` with arguments and environment, without its documentation. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, program = bin): Run {
  // Whoever names a command says all of its flags; the others know no documentation.
  const own = /^[a-z]/.test(args[0] ?? '');
  const child = spawn(process.execPath, [program, ...(own ? [] : ['--no-docs']), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let [stdout, stderr] = ['', ''];
  const waiting = new Set<() => void>();
  const end = Promise.withResolvers<Awaited<Run['ended']>>();
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
    for (const look of waiting) look();
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
    if (String(chunk).includes('breaks its contract')) brokenReplies.push(String(chunk));
  });
  child.once('close', (code, signal) => {
    end.resolve({ code, signal, stdout, stderr });
  });
  const saw = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout);
        if (match !== null) resolve(match);
      };
      waiting.add(look);
      look();
      void end.promise.then(() => reject(new Error(`it ended before ${pattern} was seen: ${stdout}${stderr}`)));
    });
  return { child, saw, ended: end.promise };
}

/** Starts a sandbox on a free port and waits until it is ready. */
export async function ready(args: readonly string[], env: NodeJS.ProcessEnv = {}, program = bin) {
  const process = run(['--port', '0', '--json', ...args], env, program);
  const [line] = await process.saw(/^\{.*\}$/m);
  const { urls } = JSON.parse(line) as { urls: Record<'rewards' | 'client' | 'dashboard' | 'sandbox', string> };
  return { ...process, urls };
}
