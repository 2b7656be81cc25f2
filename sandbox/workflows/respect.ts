/**
 * Runs a document with `redocly respect`, in a process of its own: the program has no entry for other programs. The package does
 * not contain it, because it would be a sixth of what is installed.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { registry } from '../apis/registry.ts';
import { readDocument } from './documents.ts';
import { type RespectLog, resultsOf, type WorkflowResult } from './results.ts';

/** The version that this project is tested with; `package.json` names it too. */
export const redoclyVersion = '2.77.0';

/** How it is started. */
interface Program {
  /** Node. */
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its file. */
  readonly cli: string;
}

/** Its file, searched from each of these places, as Node searches for a package. Throws `EnvironmentError` if it is missing. */
export function redoclyFrom(...places: readonly (string | URL)[]): string {
  for (const place of places) {
    try {
      return join(dirname(createRequire(place).resolve('@redocly/cli/package.json')), 'bin/cli.js');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new EnvironmentError(
    `Workflows need @redocly/cli, which is not installed: npm install --save-dev @redocly/cli@${redoclyVersion}`,
  );
}

/** Nothing could be run: why, and what can be done. */
export class EnvironmentError extends Error {
  /** The message, line by line. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Where the calls of a run go, and what its documents are given as inputs. */
export interface Scene {
  readonly origin: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** A capture of calls, in the form of a HAR. */
export interface Capture {
  readonly log: { readonly entries: readonly unknown[] };
}

export interface Run {
  readonly results: readonly WorkflowResult[];
  /** Every call with its reply; secrets are masked. */
  readonly capture: Capture;
}

/** Under which path of a sandbox each source description is served. */
const prefixes = {
  rewards: registry.rewards.prefix,
  client: registry.client.prefix,
  auth: registry.client.prefix,
  v2Platform: registry.rewards.prefix,
  v2Client: registry.client.prefix,
  sandbox: registry.sandbox.prefix,
} as const;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs all workflows of a document. Rejects with `EnvironmentError` where respect cannot run it at all. */
export async function respect(
  file: string,
  { origin, inputs }: Scene,
  program: Program,
  signal?: AbortSignal,
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
  try {
    const [log, har] = [join(folder, 'log.json'), join(folder, 'calls.har')];
    // Where a contract leaves errors open by class it takes none for documented, and would end there.
    const criteria = ['--severity', 'STATUS_CODE_CHECK=warn'];
    const said = await redocly(
      program,
      ['respect', file, ...criteria, '--json-output', log, '--har-output', har],
      signal,
      {
        REDOCLY_CLI_RESPECT_SERVER: Object.entries(prefixes)
          .map(([name, prefix]) => `${name}=${origin}${prefix}`)
          .join(','),
        REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      },
    );
    if (!existsSync(log)) throw new EnvironmentError(`Cannot run ${file}. Redocly reported:`, ...said.split('\n'));
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    return { results: resultsOf(read(log) as RespectLog, readDocument(file).workflows), capture: read(har) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command, with secrets in its environment where no list of processes shows them. Returns what it printed. */
async function redocly(
  { execPath, cli, env }: Program,
  args: readonly string[],
  signal: AbortSignal | undefined,
  own: NodeJS.ProcessEnv,
) {
  const child = spawn(execPath, [cli, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
    env: {
      ...env,
      NO_COLOR: '1',
      NO_PROXY: ['127.0.0.1', 'localhost', ...(env.NO_PROXY ? [env.NO_PROXY] : [])].join(','),
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      ...own,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return said.trim();
}
