/** The command lines of `export` and `import`, their flags and help. */
import { Command, Option } from 'commander';

export interface BackupFlags {
  readonly data: string;
  readonly store?: string;
}

/** What is done for each of the two. */
export type BackupAction = (name: 'export' | 'import', file: string, flags: BackupFlags) => Promise<void>;

const help = `
Examples:
  rewards-sandbox export sandbox.backup                     all of .sandbox-data into one file
  rewards-sandbox import sandbox.backup --data ./restored   into another folder, which is empty or not there yet
  rewards-sandbox import sandbox.backup --store postgres://sandbox@db.example/sandbox

The sandbox must be stopped. The file is encrypted with the key of the data: REWARDS_SANDBOX_KEY, or the file "key" of the
folder. Whoever imports it needs that key in REWARDS_SANDBOX_KEY.

Exit codes:
  0 done   2 usage, the file is there already, or the target is not empty   3 the file cannot be read or written
  4 the data cannot be used   5 it is in use by another process   6 data or file are damaged, or the key does not open them`;

/** Both commands. */
export function backupCommands(version: string, action: BackupAction): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  const ways = {
    export: 'Write all workspaces and snapshots into one file.',
    import: 'Fill an empty folder or database from such a file.',
  };
  for (const name of ['export', 'import'] as const) {
    program
      .command(name)
      .description(ways[name])
      .argument('<file>', name === 'export' ? 'where to; it must not be there yet' : 'what export wrote')
      .addOption(new Option('--data <dir>', 'folder of the data').env('REWARDS_SANDBOX_DATA').default('.sandbox-data'))
      .addOption(new Option('--store <url>', 'a PostgreSQL database instead').env('REWARDS_SANDBOX_STORE'))
      .addHelpText('after', help)
      .exitOverride()
      .action((file: string, flags: BackupFlags) => action(name, file, flags));
  }
  return program;
}
