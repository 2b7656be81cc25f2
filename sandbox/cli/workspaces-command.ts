/** The command line of `workspaces`: its flags and help. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type RunningSandbox, withSandbox } from './running-sandbox.ts';

export interface ListFlags extends RunningSandbox {
  readonly search?: string;
  readonly json?: boolean;
}

interface ExtendFlags extends RunningSandbox {
  readonly days?: number;
  /** False for `--no-end`. */
  readonly end: boolean;
}

/** What becomes of a workspace: seconds after its last use when it ends, null for never; its name, null for none. */
export interface Change {
  readonly expires_in?: number | null;
  readonly name?: string | null;
}

/** What is done with workspaces. */
export interface WorkspacesActions {
  list(flags: ListFlags): Promise<void>;
  change(id: string, change: Change, sandbox: RunningSandbox): Promise<void>;
  remove(ids: readonly string[], sandbox: RunningSandbox): Promise<void>;
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

/** `workspaces list`, `rename`, `extend` and `delete`. */
export function workspacesCommand(version: string, actions: WorkspacesActions): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  const workspaces = program
    .command('workspaces')
    .description('Find, rename, extend and delete the workspaces of a running sandbox.')
    .addHelpText('after', help)
    .exitOverride();
  const command = (name: string, about: string) =>
    withSandbox(workspaces.command(name).description(about).addHelpText('after', help).exitOverride());
  command('list', 'List workspaces, oldest first.')
    .option('--search <text>', 'show only ids and names that contain the text (case-insensitive)')
    .option('--json', 'print one JSON line per workspace')
    .action((flags: ListFlags) => actions.list(flags));
  command('rename', 'Name a workspace.')
    .argument('<id>', 'id of the workspace')
    .argument('[name]', 'new name, at most 100 characters; omit it to remove the name')
    .action((id: string, name: string | undefined, flags: RunningSandbox) =>
      actions.change(id, { name: name ?? null }, flags),
    );
  command('extend', 'Set how long an unused workspace is kept.')
    .argument('<id>', 'id of the workspace')
    .option('--days <number>', `days after its last use, 1 to ${mostDays}`, days)
    .addOption(new Option('--no-end', 'keep it until it is deleted').conflicts('days'))
    .action((id: string, { days: lifetime, end, ...flags }: ExtendFlags, self: Command) => {
      if (lifetime === undefined && end) self.error('error: use --days or --no-end');
      return actions.change(id, { expires_in: lifetime === undefined ? null : lifetime * day }, flags);
    });
  command('delete', 'Delete workspaces and all their data.')
    .argument('<id...>', 'ids of the workspaces')
    .action((ids: string[], flags: RunningSandbox) => actions.remove(ids, flags));
  return program;
}

function days(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > mostDays)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostDays}.`);
  return number;
}
