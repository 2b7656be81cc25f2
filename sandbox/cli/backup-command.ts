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
  rewards-sandbox export sandbox.backup                     back up .sandbox-data to one file
  rewards-sandbox import sandbox.backup --data ./restored   restore into a new or empty folder
  rewards-sandbox import sandbox.backup --store postgres://sandbox@db.example/sandbox

Stop the sandbox first. The backup is encrypted with the key of the data: REWARDS_SANDBOX_KEY, or the file "key" in the
data folder. To import it, set REWARDS_SANDBOX_KEY to that key.

Exit codes:
  0 done   2 usage error, file already exists, or target not empty   3 file cannot be read or written
  4 data unusable   5 data in use by another process   6 data or backup damaged, or wrong key`;

/** Both commands. */
export function backupCommands(version: string, action: BackupAction): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  const ways = {
    export: 'Back up all workspaces and snapshots to one file.',
    import: 'Restore a backup into an empty folder or database.',
  };
  for (const name of ['export', 'import'] as const) {
    program
      .command(name)
      .description(ways[name])
      .argument('<file>', name === 'export' ? 'file to write; must not exist yet' : 'backup written by export')
      .addOption(new Option('--data <dir>', 'data folder').env('REWARDS_SANDBOX_DATA').default('.sandbox-data'))
      .addOption(new Option('--store <url>', 'PostgreSQL database to use instead').env('REWARDS_SANDBOX_STORE'))
      .addHelpText('after', help)
      .exitOverride()
      .action((file: string, flags: BackupFlags) => action(name, file, flags));
  }
  return program;
}
