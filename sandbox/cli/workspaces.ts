/** The `workspaces` command, for the operator of a sandbox. It has its own composition root, because it calls a sandbox that runs elsewhere. */
import { createSandboxClient } from '../../generated/sandbox/client.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { letReadersLeave, printable } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { parse } from './command-line.ts';
import { type Io, say } from './io.ts';
import { noAnswer, type RunningSandbox } from './running-sandbox.ts';
import { type Change, type ListFlags, workspacesCommand } from './workspaces-command.ts';

type Summary = components['schemas']['WorkspaceSummary'];

/** What the process ends with. */
const exitCodes = { done: 0, refused: 1, noAnswer: 3 } as const;

/** Lists, changes or deletes workspaces of a running sandbox. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const program = workspacesCommand(version, {
    list: (flags) => list(io, flags),
    change: (id, body, running) => change(io, id, body, running),
    remove: (ids, running) => remove(io, ids, running),
  });
  try {
    return (await parse(program, io)) ?? exitCodes.done;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    say(io, error.message);
    return error.code;
  }
}

/** Something cannot be done, and the exit code for it. */
class Failed extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

type Client = ReturnType<typeof createSandboxClient>;

/** Calls the sandbox. Throws `Failed` if the sandbox refuses the call or does not answer. */
async function request<T>(
  running: RunningSandbox,
  what: string,
  call: (client: Client) => Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T | undefined> {
  const { sandbox, adminToken } = running;
  const client = createSandboxClient({
    baseUrl: `${sandbox}/sandbox/v1`,
    ...(adminToken !== undefined && { token: adminToken }),
  });
  const answer = await call(client).catch((error) => {
    throw new Failed(noAnswer(running, error), exitCodes.noAnswer);
  });
  if (answer.response.ok) return answer.data;
  const { status } = answer.response;
  const { message } = (answer.error ?? {}) as { readonly message?: string };
  throw new Failed(`${what}: ${message ?? 'the sandbox refused the call'} (${status}).`, exitCodes.refused);
}

async function list({ stdout }: Io, { search, json, ...running }: ListFlags): Promise<void> {
  const all: Summary[] = [];
  let after: string | null | undefined;
  do {
    const query = { ...(search !== undefined && { search }), ...(typeof after === 'string' && { after }) };
    const page = await request(running, 'List', (client) => client.GET('/workspaces', { params: { query } }));
    if (json) for (const one of page?.items ?? []) stdout.write(`${JSON.stringify(one)}\n`);
    else all.push(...(page?.items ?? []));
    after = page?.next;
  } while (typeof after === 'string');
  if (!json) stdout.write(table(all));
}

async function change({ stdout }: Io, id: string, body: Change, running: RunningSandbox): Promise<void> {
  const params = { path: { id } };
  const changed = await request(running, `Workspace ${id}`, (client) =>
    client.PATCH('/workspaces/{id}', { params, body }),
  );
  if (changed !== undefined) stdout.write(table([changed]));
}

async function remove(io: Io, ids: readonly string[], running: RunningSandbox): Promise<void> {
  for (const id of ids) {
    const params = { path: { id } };
    await request(running, `Workspace ${id}`, (client) => client.DELETE('/workspaces/{id}', { params }));
    say(io, `Deleted ${id}.`);
  }
}

/** Columns as wide as what is in them, instants to the minute. */
function table(all: readonly Summary[]): string {
  const minute = (instant: string) => instant.slice(0, 16).replace('T', ' ');
  const rows = [
    ['ID', 'CREATED (UTC)', 'LAST USED', 'EXPIRES UNLESS USED', 'NAME'],
    ...all.map(({ id, name, created_at, last_used_at, expires_at }) => [
      ...[id, minute(created_at), minute(last_used_at), expires_at === null ? 'never' : minute(expires_at)],
      printable(name ?? ''),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
