/**
 * The `workflows` command. Messages go to stderr, and reports to the files that flags specify. It has its own
 * composition root, like `start.ts`.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { createSandboxClient } from '../../generated/sandbox/client.ts';
import { replaceFile } from '../store/files.ts';
import { version } from '../version.ts';
import {
  type Capture,
  EnvironmentError,
  journeyFile,
  journeys,
  type Run,
  redoclyFrom,
  respect,
  type Scene,
} from '../workflows/respect.ts';
import { junitReport, summaryText, workflowLines } from '../workflows/results.ts';
import { type Act, adaptHelp, url } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';

interface Flags {
  readonly sandbox?: URL;
  readonly adminToken?: string;
  readonly junit?: string;
  readonly har?: string;
}

const help = `
Workflows:
  ${journeys.join(', ')}

Examples:
  npm run workflows                                  all workflows, in a new sandbox
  npm run workflows -- earn wallet                   two of them
  npm run workflows -- ./my.arazzo.yaml              your own document
  npm run workflows -- --junit workflows.xml         also write JUnit XML, for CI
  npm run workflows -- --har calls.har && npm run check -- calls.har
  npm run workflows -- --sandbox http://127.0.0.1:4010    in a running sandbox, each in a new workspace

Exit codes:
  0 all passed   1 a workflow failed   2 usage error   3 environment: no sandbox, unreadable file, invalid document`;

/** Exit codes of `workflows`. */
const exitCodes = { passed: 0, failed: 1, usage: 2, environment: 3, stopped: 130 } as const;

/** Adds the `workflows` command to the program. */
export function addTo(program: Command, act: Act): void {
  program
    .command('workflows')
    .description('Run the journeys of openapi/workflows against a sandbox, with redocly respect.')
    .argument('[workflows...]', 'names of workflows, or your own files (default: all)')
    .version(version)
    .option('--sandbox <url>', 'running sandbox to use (default: a new one)', url)
    .addOption(
      new Option('--admin-token <token>', 'token for the control API of --sandbox, if it is on another machine').env(
        'REWARDS_SANDBOX_ADMIN_TOKEN',
      ),
    )
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--har <file>', 'also write all calls as a HAR, with secrets masked')
    .addHelpText('after', adaptHelp(help))
    .action(act(runNamed));
}

/** Runs workflows until they have ended or a signal arrives. Resolves with the exit code. */
async function runNamed(io: Io, given: readonly string[], flags: Flags): Promise<number> {
  const stopping = new AbortController();
  io.onSignal(() => stopping.abort(), 'once');
  const names = given.length > 0 ? given : journeys;
  const files = names.flatMap((name) => fileOf(name) ?? []);
  if (files.length < names.length) {
    const unknown = names.filter((name) => fileOf(name) === undefined);
    const problem = `Unknown workflow: ${unknown.join(', ')}.`;
    return failWith(io, exitCodes.usage, `${problem} Use a file, or one of ${journeys.join(', ')}.`);
  }
  const runs = await runAll(io, files, flags, stopping.signal);
  const results = runs.flatMap((run) => run.results);
  say(io, summaryText(results));
  if (flags.junit !== undefined) await replaceFile(flags.junit, junitReport(results));
  if (flags.har !== undefined) await replaceFile(flags.har, JSON.stringify(joined(runs.map(({ capture }) => capture))));
  return results.every(({ passed }) => passed) ? exitCodes.passed : exitCodes.failed;
}

/** Returns the path of the document for a name or a path; `undefined` if there is none. */
function fileOf(name: string): string | undefined {
  if ((journeys as readonly string[]).includes(name)) return journeyFile(name);
  return name.endsWith('.yaml') && existsSync(name) ? resolve(name) : undefined;
}

/** Runs the documents in sequence, each in its own workspace, and prints the results. */
async function runAll(io: Io, files: readonly string[], flags: Flags, signal: AbortSignal): Promise<Run[]> {
  const { sandbox, adminToken } = flags;
  const { execPath, env } = io;
  const program = { execPath, env, cli: redoclyFrom(import.meta.url, resolve('package.json')) };
  const { origin, token, close } = await sandboxOf(sandbox, adminToken);
  const receiver = await openReceiver();
  const runs: Run[] = [];
  try {
    for (const file of files) {
      const start = performance.now();
      const act = (scene: Scene) => respect(file, scene, program, signal);
      const run = await inWorkspace({ origin, token, receiver: receiver.url, act });
      runs.push(run);
      for (const result of run.results) say(io, ...workflowLines(result, performance.now() - start));
    }
  } finally {
    await Promise.all([close(), receiver.close()]);
  }
  return runs;
}

/** Merges captures into one. */
function joined(captures: readonly Capture[]): Capture {
  const [first] = captures;
  return { log: { ...first?.log, entries: captures.flatMap(({ log }) => log.entries) } };
}

/** Prints a one-line error message with a remedy. Returns the exit code. */
export function explain(io: Io, error: unknown): number {
  if ((error as Error).name === 'AbortError') return exitCodes.stopped;
  const lines = error instanceof EnvironmentError ? error.lines : [`Cannot continue: ${(error as Error).message}`];
  return failWith(io, exitCodes.environment, ...lines);
}

interface WorkspaceRun<T> {
  readonly origin: string;
  /** The token for the control API; `undefined` if the sandbox requires none. */
  readonly token: string | undefined;
  /** The URL of the webhook receiver. */
  readonly receiver: string;
  readonly act: (scene: Scene) => Promise<T>;
}

/**
 * Runs `act` in a new workspace with a frozen clock, then removes the workspace. Rejects with `EnvironmentError` if the
 * sandbox cannot create a workspace.
 */
async function inWorkspace<T>({ origin, token, receiver, act }: WorkspaceRun<T>): Promise<T> {
  const control = (admin?: string) =>
    createSandboxClient({ baseUrl: `${origin}/sandbox/v1`, ...(admin !== undefined && { token: admin }) });
  const made = await control(token)
    .POST('/workspaces', { body: { clock: 'frozen' } })
    .catch((error) => {
      const problem = `No response from a sandbox at ${origin} (${reason(error)}).`;
      throw new EnvironmentError(`${problem} Start one, or omit --sandbox.`);
    });
  if (made.data === undefined) {
    const said = made.error?.message ?? 'it is not a rewards sandbox';
    const problem = `The sandbox at ${origin} refused to create a workspace`;
    throw new EnvironmentError(`${problem}: ${made.response.status}, ${said}`);
  }
  const { id, admin_token: adminToken, credentials } = made.data;
  const inputs = {
    companySecret: credentials.company_secret,
    micrositeUser: credentials.basic.username,
    micrositePassword: credentials.basic.password,
    adminToken,
    receiver,
  };
  try {
    return await act({ origin, inputs });
  } finally {
    await control(adminToken).DELETE('/workspaces/{id}', { params: { path: { id } } });
  }
}

/** Returns the given sandbox, or starts one. The module is loaded lazily, so that help and usage errors appear immediately. */
async function sandboxOf(existing: URL | undefined, adminToken: string | undefined) {
  if (existing !== undefined) return { origin: existing.origin, token: adminToken, close: async () => {} };
  const { startSandbox } = await import('../sandbox.ts');
  const { origin, workspace, close } = await startSandbox({ port: 0, clock: 'frozen' });
  return { origin, token: workspace.admin_token, close };
}

/** Starts a webhook receiver, which accepts every request with 204. */
async function openReceiver() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/catalogue`,
    close: () => new Promise<void>((closed) => server.close(() => closed()).closeAllConnections()),
  };
}

function reason(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
