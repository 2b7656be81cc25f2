/** Runs commands from the documentation as a reader would, in a shell or in Node, each in its own folder. */
import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { root } from './sources.ts';

const run = promisify(execFile);

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Replaces the documented sandbox address with that of the test's sandbox. */
export function readdressed(text: string, origin: string): string {
  return text.replaceAll(/http:\/\/(127\.0\.0\.1|localhost):4010/g, origin);
}

/** Runs a program to its end, regardless of its exit code. */
export function execute(file: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Outcome> {
  return outcomeOf(run(file, args, { ...options, encoding: 'utf8' }));
}

/** Returns this process's environment without the variables by which a nested test runner would detect the outer one. */
export function withoutTestRunner(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, VITEST: __, NODE_OPTIONS: ___, ...env } = process.env;
  return env;
}

/** Runs a shell script. */
export function shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return execute('bash', ['-c', script], { env: { ...process.env, ...env }, timeout: 60_000 });
}

/** Runs a module, resolving imports of `./generated` and `@rewards-sandbox/sandbox/clients` to this repository. */
export async function node(module: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-module-'));
  try {
    const file = join(folder, 'sample.mts');
    const clients = `'${root}generated/index.ts'`;
    await writeFile(
      file,
      module
        .replaceAll("'./generated/", `'${root}generated/`)
        .replaceAll("'@rewards-sandbox/sandbox/clients'", clients),
    );
    return await execute(execPath, [file], { env: { ...process.env, ...env }, timeout: 60_000 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function outcomeOf(process: Promise<{ stdout: string; stderr: string }>): Promise<Outcome> {
  try {
    return { code: 0, ...(await process) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: code ?? -1, stdout, stderr };
  }
}
