/**
 * The `verdict` command, which checks all effects of a CI job in a running sandbox and reports one exit code. It has
 * its own composition root.
 */
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { components } from '../../generated/sandbox/types.ts';
import { type NamedSchemas, schemaFindings } from '../certification/input.ts';
import { fails } from '../conformance/finding.ts';
import { count } from '../conformance/report-text.ts';
import { nearest } from '../contract/problem-texts.ts';
import { printable, writeLines } from '../runtime/terminal.ts';
import { type Act, adminTokenOption, type RunningSandbox, run, url } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import { Failed, request, workspacesOf } from './workspaces.ts';
import { InputError, readYaml } from './yaml-file.ts';

const help = `
Examples:
  rewards-sandbox verdict
  rewards-sandbox verdict --config ci.yaml

The command checks every workspace that still exists. A test that deletes a workspace must check it first.

Exit codes:
  0 all checks passed
  1 a message violates its contract, points differ, calls are too few, or a required operation never succeeded
  2 usage error   3 environment: no response from the sandbox, or it refused the call
  any code of certify, if the configuration includes it and all other checks passed`;

/** The schema of `ci.yaml`. */
export const verdictSchemas: NamedSchemas = {
  VerdictFile: {
    type: 'object',
    additionalProperties: false,
    properties: {
      sandbox: {
        type: 'string',
        pattern: '^https?://[^\\s@]+$',
        maxLength: 500,
        default: 'http://127.0.0.1:4010',
        description: 'Address of the running sandbox.',
      },
      min_calls: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000,
        default: 1,
        description: 'With fewer calls of the interface, the job fails, because its tests did not reach this sandbox.',
      },
      required: {
        type: 'array',
        maxItems: 100,
        items: { type: 'string', maxLength: 64 },
        description: 'Operations that must have succeeded at least once, by operationId.',
      },
      fail_on: {
        type: 'string',
        enum: ['error', 'warning'],
        default: 'error',
        description: 'Which findings fail the job: errors only, or also warnings.',
      },
      certify: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: 'Configuration of `certify`, relative to this file. Without it, no server is certified.',
      },
    },
  },
};

/** The content of a configuration file, as defined in `verdictSchemas`. */
interface VerdictFile {
  readonly sandbox?: string;
  readonly min_calls?: number;
  readonly required?: readonly string[];
  readonly fail_on?: 'error' | 'warning';
  readonly certify?: string;
}

type Schemas = components['schemas'];
type Verdict = Schemas['WorkspaceVerdict'];

/** The result of one check of a job: whether it passed, and the lines to print. */
interface Judgement {
  readonly name: string;
  readonly holds: boolean;
  readonly lines: readonly string[];
}

const exitCodes = { holds: 0, fails: 1, usage: 2, environment: 3 } as const;

/** Maximum number of lines about one kind of problem. */
const mostLines = 20;

/** Adds the `verdict` command to the program. */
export function addTo(program: Command, act: Act): void {
  program
    .command('verdict')
    .description('Check the calls, messages and points of a CI job, and certify its server.')
    .option('--config <file>', 'YAML file; its schema is ci.schema.json in the downloads')
    .option('--sandbox <url>', 'address of the sandbox; overrides the file', (text) => url(text).origin)
    .addOption(adminTokenOption())
    .addHelpText('after', help)
    .action(act(judge));
}

/** Prints why there is no verdict. Returns the exit code; throws the error again if it is unexpected. */
export function explain(io: Io, error: unknown): number {
  if (error instanceof InputError) return failWith(io, exitCodes.usage, ...error.lines);
  if (!(error instanceof Failed)) throw error;
  return failWith(io, exitCodes.environment, error.message);
}

interface Flags extends Partial<RunningSandbox> {
  readonly config?: string;
}

async function judge(io: Io, { config = '', adminToken, sandbox }: Flags): Promise<number> {
  const file: VerdictFile =
    config === '' ? {} : readYaml(config, (value) => schemaFindings(verdictSchemas, 'VerdictFile', value));
  const { origin } = new URL(sandbox ?? file.sandbox ?? 'http://127.0.0.1:4010');
  const running = { sandbox: origin, ...(adminToken !== undefined && { adminToken }) };
  await refuseUnknown(running, config, file.required ?? []);
  const verdicts = await verdictsOf(running);
  for (const { id, findings } of verdicts)
    if (findings.checked_from > 1)
      say(io, `The log of ${id} begins with entry ${findings.checked_from}: earlier calls are not checked.`);
  const judgements = [callsIn(verdicts, file), messagesIn(verdicts, file), pointsIn(verdicts)];
  writeLines(io.stdout, ...judgements.flatMap(({ lines }) => lines).map(printable));
  const certified = file.certify === undefined ? exitCodes.holds : await certify(io, config, file.certify);
  const failed = judgements.filter(({ holds }) => !holds).map(({ name }) => name);
  const all = certified === exitCodes.holds ? failed : [...failed, 'certification'];
  writeLines(io.stdout, all.length === 0 ? 'Verdict: passed.' : `Verdict: failed (${all.join(', ')}).`);
  return failed.length > 0 ? exitCodes.fails : certified;
}

/** Throws an `InputError` if an operation is in no contract. */
async function refuseUnknown(running: RunningSandbox, config: string, required: readonly string[]): Promise<void> {
  const list = await request(running, 'Operations', (client) => client.GET('/operations'));
  const known = list.items.map(({ operation }) => operation);
  const unknown = required.filter((operation) => !known.includes(operation));
  if (unknown.length === 0) return;
  const lines = unknown.map((operation) => {
    const near = nearest(operation, known);
    return `${config}: required: unknown operation ${operation}${near === undefined ? '' : `, did you mean ${near}?`}`;
  });
  throw new InputError(...lines);
}

/** Returns the verdicts on all workspaces, oldest first. */
async function verdictsOf(running: RunningSandbox): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for await (const { id } of workspacesOf(running)) verdicts.push(await verdictOf(running, id));
  return verdicts;
}

/** Returns the verdict on a workspace, with all pages of its mismatches. */
async function verdictOf(running: RunningSandbox, id: string): Promise<Verdict> {
  const items: Schemas['Reconciliation']['items'] = [];
  let query: { after?: string } = {};
  for (;;) {
    const verdict = await request(running, `Workspace ${id}`, (client) =>
      client.GET('/workspaces/{id}/verdict', { params: { path: { id }, query } }),
    );
    const { items: found, next } = verdict.reconciliation;
    items.push(...found);
    if (next === null) return { ...verdict, reconciliation: { items, next } };
    query = { after: next };
  }
}

/** Checks whether the tests reached the sandbox and the required operations. */
function callsIn(verdicts: readonly Verdict[], { min_calls = 1, required = [] }: VerdictFile): Judgement {
  const all = verdicts.flatMap(({ calls }) => calls);
  const used = verdicts.filter(({ calls }) => calls.length > 0);
  const sent = all.reduce((sum, { calls }) => sum + calls, 0);
  const succeeded = new Set(all.flatMap((of) => (of.succeeded > 0 ? [of.operation] : [])));
  const missing = required.filter((operation) => !succeeded.has(operation));
  const lines = [
    `Calls: ${sent} in ${count(used.length, 'workspace')}.`,
    ...(sent < min_calls ? [`  Fewer than ${min_calls} (min_calls): run your tests against this sandbox.`] : []),
    ...(missing.length > 0 ? [`  Never succeeded (required): ${missing.join(', ')}.`] : []),
  ];
  return { name: 'calls', holds: lines.length === 1, lines };
}

function messagesIn(verdicts: readonly Verdict[], { fail_on }: VerdictFile): Judgement {
  const lines = verdicts.flatMap(({ id, findings: { items } }) =>
    items
      .filter((found) => fails(found, fail_on))
      .map(({ seq, severity, code, method, url, pointer, expected, actual, party, basis }) => {
        const what = `${method} ${url}: ${pointer} ${expected}, found ${actual}`;
        return `  ${id}, entry ${seq}: ${severity} ${code} ${what} (at fault: ${party}; ${basis})`;
      }),
  );
  return judgement('messages', count(lines.length, 'finding'), lines);
}

function pointsIn(verdicts: readonly Verdict[]): Judgement {
  const lines = verdicts.flatMap(({ id, reconciliation: { items } }) =>
    items.map((item) => `  ${id}: ${JSON.stringify(item)}`),
  );
  return judgement('points', count(lines.length, 'mismatch', 'mismatches'), lines);
}

/** Creates the result of a check, which passes if there are no lines. */
function judgement(name: string, found: string, lines: readonly string[]): Judgement {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${found}.`;
  const rest = lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : [];
  return { name, holds: lines.length === 0, lines: [title, ...lines.slice(0, mostLines), ...rest] };
}

/** Runs `certify` with its configuration. Resolves with its exit code. */
async function certify(io: Io, config: string, file: string): Promise<number> {
  const args = ['certify', '--config', resolve(dirname(config), file)];
  return run({ ...io, args }, await import('./certify.ts'));
}
