/**
 * The `export` and `import` commands, which write all data of a sandbox to one file and restore it. They have their own
 * composition root.
 */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { OptionError } from '../options.ts';
import { diskFiles } from '../store/files.ts';
import { Sealer } from '../store/seal.ts';
import { StoreError } from '../store/store.ts';
import type { Counted } from '../workspaces/backup.ts';
import { BackupFile } from '../workspaces/backup-file.ts';
import { diskStorage, type Storage } from '../workspaces/storage.ts';
import type { Act } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import { dataExitCode, keyOf } from './key.ts';

interface BackupFlags {
  readonly data: string;
  readonly store?: string;
}

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

/** Adds the `export` and `import` commands to the program. */
export function addTo(program: Command, act: Act): void {
  const add = (name: string, description: string, fileText: string, carry: Carry) =>
    program
      .command(name)
      .description(description)
      .argument('<file>', fileText)
      .addOption(new Option('--data <dir>', 'data folder').env('REWARDS_SANDBOX_DATA').default('.sandbox-data'))
      .addOption(new Option('--store <url>', 'PostgreSQL database to use instead').env('REWARDS_SANDBOX_STORE'))
      .addHelpText('after', help)
      .action(act((io, file: string, flags: BackupFlags) => carryOut(io, carry, file, flags)));
  const backUp = 'Back up all workspaces and snapshots to one file.';
  add('export', backUp, 'file to write; must not exist yet', exported);
  add('import', 'Restore a backup into an empty folder or database.', 'backup written by export', imported);
}

/** Exit codes of `export` and `import`, in addition to those for unusable data. */
const exitCodes = { done: 0, usage: 2, file: 3 } as const;

type Carry = (io: Io, storage: Storage, backup: BackupFile, file: string) => Promise<number>;

async function exported(io: Io, storage: Storage, backup: BackupFile, file: string): Promise<number> {
  const { exportAll } = await import('../workspaces/backup.ts');
  const { bytes, ...counts } = await exportAll(storage, backup);
  say(
    io,
    `${file}: ${inWords(counts)}, ${bytes} bytes. Store the key separately: without it, nobody can read the backup.`,
  );
  return exitCodes.done;
}

async function imported(io: Io, storage: Storage, backup: BackupFile, file: string): Promise<number> {
  const { importAll } = await import('../workspaces/backup.ts');
  const counts = await importAll(storage, backup);
  if (counts === undefined) return failWith(io, exitCodes.file, `${file} does not exist.`);
  say(io, `${inWords(counts)} from ${file}. Start the sandbox with the same REWARDS_SANDBOX_KEY.`);
  return exitCodes.done;
}

function inWords({ workspaces, snapshots, records }: Counted): string {
  const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `${of(workspaces, 'workspace')}, ${of(snapshots, 'snapshot')}, ${of(records, 'record')}`;
}

async function carryOut(io: Io, carry: Carry, file: string, flags: BackupFlags): Promise<number> {
  if (carry === exported && existsSync(file))
    return failWith(io, exitCodes.usage, `${file} already exists. Choose another name, or remove it.`);
  let storage: Storage | undefined;
  try {
    const warn = (message: string) => say(io, message);
    const { key } = await keyOf({ ...flags, dataDir: flags.data }, io.env.REWARDS_SANDBOX_KEY, warn);
    storage = await openStorage(flags, key, warn);
    return await carry(io, storage, new BackupFile(diskFiles, file, new Sealer(key)), file);
  } catch (error) {
    return explain(io, error, file);
  } finally {
    await storage?.close();
  }
}

/** Opens the database or the folder. The database driver is loaded only if needed. */
async function openStorage(
  { store: url, data }: BackupFlags,
  key: Uint8Array | undefined,
  warn: (message: string) => void,
): Promise<Storage> {
  if (url === undefined) return diskStorage(data, { key, warn });
  const { openDatabase } = await import('../cluster/open.ts');
  const own = { address: 'a backup', now: () => performance.now(), machineTime: Date.now };
  return (await openDatabase({ ...own, url, key, warn })).storage;
}

/** Prints a one-line reason for a failure. Returns the exit code. */
function explain(io: Io, error: unknown, file: string): number {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof OptionError) return failWith(io, exitCodes.usage, message);
  if (error instanceof StoreError)
    return failWith(io, error.code === 'refused' ? exitCodes.usage : dataExitCode(error), message);
  if (code === undefined) throw error;
  return failWith(io, exitCodes.file, `Cannot use ${file}: ${message}`);
}
