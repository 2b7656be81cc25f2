/**
 * The commands about the workspaces of a running sandbox: `workspaces`, for its operator, `credentials`, and `ready`, the
 * going-live checklist. They have their own composition root, because they call a remote sandbox.
 */
import { type Command, Option } from 'commander';
import { createSandboxClient } from '../../generated/sandbox/client.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { columns, printable, writeLines } from '../runtime/terminal.ts';
import { type Act, noAnswer, type RunningSandbox, wholeNumber, withSandbox } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';

interface ListFlags extends RunningSandbox {
  readonly search?: string;
  readonly json?: boolean;
}

interface ExtendFlags extends RunningSandbox {
  readonly days?: number;
  /** False for `--no-end`. */
  readonly end: boolean;
}

const help = `
Examples:
  rewards-sandbox workspaces list                          all workspaces on port 4010, oldest first
  rewards-sandbox workspaces list --search meadow --json   only matching ids or names, one JSON line each
  rewards-sandbox workspaces rename ws_9f86d081884c7d65 "Meadow Bank"
  rewards-sandbox workspaces extend ws_9f86d081884c7d65 --days 90
  rewards-sandbox workspaces delete ws_9f86d081884c7d65 ws_60303ae22b998861

Run these on the machine of the sandbox, or with the admin token of the demo workspace (the operator's token).

Exit codes:
  0 done   1 refused, e.g. unknown workspace   2 usage error   3 no response from the sandbox`;

type Schemas = components['schemas'];
type Change = Schemas['ListedWorkspaceChange'];

const day = 24 * 3600;
const mostDays = 365;

/** Adds the `workspaces`, `credentials` and `ready` commands to the program. */
export function addTo(program: Command, act: Act): void {
  addWorkspaces(program, act);
  addCredentials(program, act);
  addReady(program, act);
}

/** Adds the `workspaces list`, `rename`, `extend` and `delete` commands to the program. */
function addWorkspaces(program: Command, act: Act): void {
  const workspaces = program
    .command('workspaces')
    .description('Find, rename, extend and delete the workspaces of a running sandbox.')
    .addHelpText('after', help);
  const command = (name: string, about: string) =>
    withSandbox(workspaces.command(name).description(about).addHelpText('after', help));
  command('list', 'List workspaces, oldest first.')
    .option('--search <text>', 'show only ids and names that contain the text (case-insensitive)')
    .option('--json', 'print one JSON line per workspace')
    .action(act(list));
  command('rename', 'Name a workspace.')
    .argument('<id>', 'id of the workspace')
    .argument('[name]', 'new name, at most 100 characters; omit it to remove the name')
    .action(
      act((io, id: string, name: string | undefined, flags: RunningSandbox) =>
        change(io, id, { name: name ?? null }, flags),
      ),
    );
  command('extend', 'Set how long an unused workspace is kept.')
    .argument('<id>', 'id of the workspace')
    .option('--days <number>', `days after its last use, 1 to ${mostDays}`, (text) => wholeNumber(text, mostDays, 1))
    .addOption(new Option('--no-end', 'keep it until it is deleted').conflicts('days'))
    .action(
      act((io, id: string, { days: lifetime, end, ...flags }: ExtendFlags, self: Command) => {
        if (lifetime === undefined && end) self.error('error: use --days or --no-end');
        return change(io, id, { expires_in: lifetime === undefined ? null : lifetime * day }, flags);
      }),
    );
  command('delete', 'Delete workspaces and all their data.')
    .argument('<id...>', 'ids of the workspaces')
    .action(act(remove));
}

/** Exit codes of `workspaces`, and of other commands that call a running sandbox. `ready` exits with 1 for two reasons. */
const exitCodes = { done: 0, refused: 1, notReady: 1, noAnswer: 3 } as const;

/** Prints why a request to a running sandbox failed. Returns the exit code; throws the error again if it is unexpected. */
export function explain(io: Io, error: unknown): number {
  if (!(error instanceof Failed)) throw error;
  return failWith(io, error.code, error.message);
}

/** An error with the exit code of the command. */
export class Failed extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

type Client = ReturnType<typeof createSandboxClient>;

/** Calls a running sandbox. Throws `Failed` if the sandbox refuses the call or does not respond. */
export async function request<T>(
  running: RunningSandbox,
  what: string,
  call: (client: Client) => Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { sandbox, adminToken } = running;
  const client = createSandboxClient({
    baseUrl: `${sandbox}/sandbox/v1`,
    ...(adminToken !== undefined && { token: adminToken }),
  });
  const answer = await call(client).catch((error) => {
    throw new Failed(noAnswer(running, error), exitCodes.noAnswer);
  });
  // Some replies have no body, for example to a deletion.
  if (answer.response.ok) return answer.data as T;
  const { status } = answer.response;
  const { message } = (answer.error ?? {}) as { readonly message?: string };
  // The message of a 404 already names the resource.
  const about = status === 404 && message?.startsWith(what) ? '' : `${what}: `;
  throw new Failed(`${about}${message ?? 'the sandbox refused the call'} (${status}).`, exitCodes.refused);
}

/** Reads the workspaces that contain `search`, or all of them, oldest first. */
export async function* workspacesOf(running: RunningSandbox, search?: string) {
  let query: { search?: string; after?: string } = search === undefined ? {} : { search };
  for (;;) {
    const page = await request(running, 'List', (client) => client.GET('/workspaces', { params: { query } }));
    yield* page.items;
    if (!page.next) return;
    query = { ...query, after: page.next };
  }
}

async function list({ stdout }: Io, { search, json, ...running }: ListFlags): Promise<number> {
  const all: Schemas['WorkspaceSummary'][] = [];
  for await (const one of workspacesOf(running, search)) {
    if (json) stdout.write(`${JSON.stringify(one)}\n`);
    else all.push(one);
  }
  if (!json) stdout.write(table(all));
  return exitCodes.done;
}

async function change({ stdout }: Io, id: string, body: Change, running: RunningSandbox): Promise<number> {
  const params = { path: { id } };
  const changed = await request(running, `Workspace ${id}`, (client) =>
    client.PATCH('/workspaces/{id}', { params, body }),
  );
  stdout.write(table([changed]));
  return exitCodes.done;
}

async function remove(io: Io, ids: readonly string[], running: RunningSandbox): Promise<number> {
  for (const id of ids) {
    const params = { path: { id } };
    await request(running, `Workspace ${id}`, (client) => client.DELETE('/workspaces/{id}', { params }));
    say(io, `Deleted ${id}.`);
  }
  return exitCodes.done;
}

/** Formats workspaces as a table, with times to the minute. */
function table(all: readonly Schemas['WorkspaceSummary'][]): string {
  const minute = (instant: string) => instant.slice(0, 16).replace('T', ' ');
  return columns([
    ['ID', 'CREATED (UTC)', 'LAST USED', 'EXPIRES UNLESS USED', 'NAME'],
    ...all.map(({ id, name, created_at, last_used_at, expires_at }) => [
      ...[id, minute(created_at), minute(last_used_at), expires_at === null ? 'never' : minute(expires_at)],
      name ?? '',
    ]),
  ]);
}

/** The credentials by their name in the workspace, with their purpose. */
const credentials: Readonly<Record<string, readonly [read: (of: Schemas['Workspace']) => string, about: string]>> = {
  company_secret: [({ credentials: of }) => of.company_secret, 'companyAuth'],
  'basic.username': [({ credentials: of }) => of.basic.username, 'sign-in of customers'],
  'basic.password': [({ credentials: of }) => of.basic.password, 'sign-in of customers'],
  service_token: [({ credentials: of }) => of.service_token, 'calls to the reference client'],
  client_token: [({ settings }) => settings.client_token, 'calls of the platform to the client in use'],
  'general.password': [({ credentials: of }) => of.general.password, 'general API, with the uid of a customer'],
  gateway_token: [({ credentials: of }) => of.gateway_token, 'messages from your server to the gateway'],
  admin_token: [({ admin_token: token }) => token, 'control API and dashboard'],
};

const credentialsHelp = `
Examples:
  rewards-sandbox credentials                                    all credentials of the demo workspace on port 4010
  SECRET=$(rewards-sandbox credentials --field company_secret)   one of them, for a script

Exit codes:
  0 done   1 refused by the sandbox   2 usage error   3 no response from the sandbox`;

/** Adds the `credentials` command to the program. */
function addCredentials(program: Command, act: Act): void {
  withSandbox(
    program
      .command('credentials')
      .description('Show the credentials of a workspace of a running sandbox.')
      .addOption(new Option('--field <name>', 'print only this one').choices(Object.keys(credentials)))
      .addHelpText('after', credentialsHelp),
  ).action(act(show));
}

async function show(io: Io, { field, ...running }: RunningSandbox & { readonly field?: string }): Promise<number> {
  const workspace = await request(running, 'Credentials', (client) => client.GET('/workspace'));
  const rows = Object.entries(credentials).map(([name, [read, about]]) => [name, read(workspace), about] as const);
  const [, value] = rows.find(([name]) => name === field) ?? [];
  if (value === undefined) io.stdout.write(columns([['NAME', 'VALUE', 'FOR'], ...rows]));
  else writeLines(io.stdout, value);
  return exitCodes.done;
}

const readyHelp = `
Examples:
  rewards-sandbox ready                          the checklist, with the evidence of the sandbox on port 4010 for each item
  rewards-sandbox ready --json                   the same as one JSON object

Exit codes:
  0 every item that can be shown is shown   1 an item is not shown, or the sandbox refused the call
  2 usage error   3 no response from the sandbox`;

const groups: Readonly<Record<Schemas['ChecklistItem']['group'], string>> = {
  your_server: 'Your server',
  your_calls: 'Your calls',
  agreed: 'Agreed with the platform',
  rehearsed: 'Rehearsed',
};
const states: Readonly<Record<Schemas['ChecklistItem']['state'], string>> = {
  shown: 'shown',
  not_shown: 'NOT SHOWN',
  yours: 'yours',
};

/** Adds the `ready` command to the program. */
function addReady(program: Command, act: Act): void {
  withSandbox(
    program
      .command('ready')
      .description('Show which items of the going-live checklist the sandbox has evidence for.')
      .option('--json', 'print one JSON object')
      .addHelpText('after', readyHelp),
  ).action(act(ready));
}

async function ready(io: Io, { json, ...running }: RunningSandbox & { readonly json?: true }): Promise<number> {
  const found = await request(running, 'Checklist', (client) => client.GET('/checklist'));
  io.stdout.write(json ? `${JSON.stringify(found)}\n` : textOf(found));
  return found.ready ? exitCodes.done : exitCodes.notReady;
}

function textOf({ items, shown, not_shown: missing, yours }: Schemas['Checklist']): string {
  const lines = Object.entries(groups).flatMap(([group, title]) => [
    title,
    ...items.filter((item) => item.group === group).map(lineOf),
    '',
  ]);
  const total = `${shown} shown, ${missing} not shown, ${yours} for you to confirm.`;
  return [...lines, `${missing === 0 ? 'Ready' : 'Not ready'}: ${total}`]
    .map((line) => `${printable(line)}\n`)
    .join('');
}

function lineOf({ state, title, evidence }: Schemas['ChecklistItem']): string {
  return `  ${states[state].padEnd(9)}  ${title}${state === 'yours' ? '' : ` ${evidence}`}`;
}
