/**
 * The `workspaces` command, for the operator of a sandbox. It has its own composition root, because it calls a remote
 * sandbox.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createSandboxClient } from '../../generated/sandbox/client.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { columns } from '../runtime/terminal.ts';
import { type Act, noAnswer, type RunningSandbox, withSandbox } from './command-line.ts';
import { type Io, say } from './io.ts';

interface ListFlags extends RunningSandbox {
  readonly search?: string;
  readonly json?: boolean;
}

interface ExtendFlags extends RunningSandbox {
  readonly days?: number;
  /** False for `--no-end`. */
  readonly end: boolean;
}

/**
 * A change of a workspace. `expires_in` is in seconds after its last use, or null for no expiry. A `name` of null
 * removes the name.
 */
interface Change {
  readonly expires_in?: number | null;
  readonly name?: string | null;
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

const day = 24 * 3600;
const mostDays = 365;

/** Adds the `workspaces list`, `rename`, `extend` and `delete` commands to the program. */
export function addTo(program: Command, act: Act): void {
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
    .option('--days <number>', `days after its last use, 1 to ${mostDays}`, days)
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

function days(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > mostDays)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostDays}.`);
  return number;
}

type Summary = components['schemas']['WorkspaceSummary'];

/** Exit codes of `workspaces`, and of other commands that call a running sandbox. */
const exitCodes = { done: 0, refused: 1, noAnswer: 3 } as const;

/** Prints why a request to a running sandbox failed. Returns the exit code; throws the error again if it is unexpected. */
export function explain(io: Io, error: unknown): number {
  if (!(error instanceof Failed)) throw error;
  say(io, error.message);
  return error.code;
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

async function list({ stdout }: Io, { search, json, ...running }: ListFlags): Promise<number> {
  const all: Summary[] = [];
  let after: string | null | undefined;
  do {
    const query = { ...(search !== undefined && { search }), ...(typeof after === 'string' && { after }) };
    const page = await request(running, 'List', (client) => client.GET('/workspaces', { params: { query } }));
    if (json) for (const one of page.items) stdout.write(`${JSON.stringify(one)}\n`);
    else all.push(...page.items);
    after = page.next;
  } while (typeof after === 'string');
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
function table(all: readonly Summary[]): string {
  const minute = (instant: string) => instant.slice(0, 16).replace('T', ' ');
  return columns([
    ['ID', 'CREATED (UTC)', 'LAST USED', 'EXPIRES UNLESS USED', 'NAME'],
    ...all.map(({ id, name, created_at, last_used_at, expires_at }) => [
      ...[id, minute(created_at), minute(last_used_at), expires_at === null ? 'never' : minute(expires_at)],
      name ?? '',
    ]),
  ]);
}
