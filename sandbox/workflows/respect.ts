/**
 * Reads the Arazzo documents in `openapi/workflows/`, and runs them with `redocly respect`. That runs in a separate
 * process, because Redocly has no API for it. The package does not depend on Redocly, which would be a sixth of the installed size.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { registry } from '../apis/registry.ts';
import { type RespectLog, resultsOf, type WorkflowResult } from './results.ts';

/** The Redocly version that this project is tested with. Keep it in sync with `package.json`. */
export const redoclyVersion = '2.77.0';

/** The command and environment for starting Redocly. */
interface Program {
  /** The path of the Node executable. */
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  /** The path of Redocly's CLI script. */
  readonly cli: string;
}

/** Resolves Redocly's CLI script from each location in order. Throws `EnvironmentError` if it is not installed. */
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

/** An error that prevents workflows from running. The message contains the cause and a remedy. */
export class EnvironmentError extends Error {
  /** The lines of the message. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The origin that a run calls, and the inputs of its workflows. */
export interface Scene {
  readonly origin: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** Captured calls in HAR format. */
export interface Capture {
  readonly log: { readonly entries: readonly unknown[] };
}

/** The outcome of running a document. */
export interface Run {
  readonly results: readonly WorkflowResult[];
  /** All calls with their replies. Secrets are masked. */
  readonly capture: Capture;
}

/** The path prefix under which a sandbox serves each source description. */
const prefixes = {
  rewards: registry.rewards.prefix,
  client: registry.client.prefix,
  auth: registry.client.prefix,
  v2Platform: registry.rewards.prefix,
  v2Client: registry.client.prefix,
  sandbox: registry.sandbox.prefix,
} as const;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs all workflows of a document. Rejects with `EnvironmentError` if respect cannot run it. */
export async function respect(
  file: string,
  { origin, inputs }: Scene,
  program: Program,
  signal?: AbortSignal,
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
  try {
    const [log, har] = [join(folder, 'log.json'), join(folder, 'calls.har')];
    // Respect treats statuses documented only by class as undocumented, and would stop there.
    const criteria = ['--severity', 'STATUS_CODE_CHECK=warn'];
    const args = ['respect', file, ...criteria, '--json-output', log, '--har-output', har];
    const servers = Object.entries(prefixes).map(([name, prefix]) => `${name}=${origin}${prefix}`);
    const said = await redocly(program, args, signal, {
      REDOCLY_CLI_RESPECT_SERVER: servers.join(','),
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    });
    if (!existsSync(log)) throw new EnvironmentError(`Cannot run ${file}. Redocly reported:`, ...said.split('\n'));
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    return { results: resultsOf(read(log) as RespectLog, readDocument(file).workflows), capture: read(har) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command and returns its output. Secrets are passed in the environment, so that process lists do not show them. */
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

/** The journeys in reading order. Each name is the name of a document. */
export const journeys = [
  'earn',
  'sign-in',
  'redeem-delivered',
  'redeem-rejected',
  'insufficient-balance',
  'wallet',
  'v2-journey',
  'webhook-registration',
] as const;

/** A step of a workflow: a call, or another workflow. */
export interface Step {
  readonly stepId: string;
  readonly description: string;
  /** `$sourceDescriptions.<name>.<operationId>`, if the step is a call. */
  readonly operationId?: string;
  /** `$sourceDescriptions.<name>.workflows.<workflowId>`, if the step is another workflow. */
  readonly workflowId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in?: string; readonly value: unknown }[];
  readonly requestBody?: { readonly payload: unknown };
  readonly successCriteria?: readonly Criterion[];
  readonly 'x-security'?: readonly { readonly schemeName: string }[];
}

/** A success criterion of a step. */
export interface Criterion {
  readonly condition: string;
  readonly type?: 'jsonpath' | 'regex';
  readonly context?: string;
}

/** A workflow of an Arazzo document. */
export interface Workflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly description: string;
  readonly inputs: {
    readonly properties: Readonly<Record<string, { readonly description: string; readonly default?: unknown }>>;
  };
  readonly steps: readonly Step[];
}

/** An Arazzo document. */
export interface WorkflowDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly sourceDescriptions: readonly {
    readonly name: string;
    readonly type: 'openapi' | 'arazzo';
    readonly url: string;
  }[];
  readonly workflows: readonly Workflow[];
}

/** Returns the file path of a journey's document. */
export function journeyFile(name: string): string {
  return fileURLToPath(new URL(`../../openapi/workflows/${name}.arazzo.yaml`, import.meta.url));
}

/** Reads a document without validation, which Redocly performs. */
export function readDocument(file: string): WorkflowDocument {
  // Redocly rejects duplicate keys. Checking them here would compare each key with all others.
  return parse(readFileSync(file, 'utf8'), { uniqueKeys: false });
}
