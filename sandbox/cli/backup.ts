/** The command lines of `export` and `import`: all data of a sandbox into one file, and from it. Their own composition root. */
import { access } from 'node:fs/promises';
import { OptionError } from '../options.ts';
import { letReadersLeave } from '../runtime/terminal.ts';
import { diskFiles } from '../store/files.ts';
import { Sealer } from '../store/seal.ts';
import { StoreError } from '../store/store.ts';
import { version } from '../version.ts';
import { type Counted, exportAll, importAll } from '../workspaces/backup.ts';
import { BackupFile } from '../workspaces/backup-file.ts';
import { openStorage } from '../workspaces/open-storage.ts';
import type { Storage } from '../workspaces/storage.ts';
import { type BackupFlags, backupCommands } from './backup-command.ts';
import { parse } from './command-line.ts';
import { type Io, say } from './io.ts';
import { keyOf } from './key.ts';

/** What the process ends with: the data's are those of a start. */
const exitCodes = { done: 0, usage: 2, file: 3, dataUnreadable: 4, dataLocked: 5, dataDamaged: 6 } as const;

type Carry = (io: Io, storage: Storage, backup: BackupFile, file: string) => Promise<number>;

async function exported(io: Io, storage: Storage, backup: BackupFile, file: string): Promise<number> {
  const { bytes, ...counts } = await exportAll(storage, backup);
  say(
    io,
    `${file}: ${inWords(counts)}, ${bytes} bytes. Store the key separately: without it, nobody can read the backup.`,
  );
  return exitCodes.done;
}

async function imported(io: Io, storage: Storage, backup: BackupFile, file: string): Promise<number> {
  const counts = await importAll(storage, backup);
  if (counts === undefined) {
    say(io, `${file} does not exist.`);
    return exitCodes.file;
  }
  say(io, `${inWords(counts)} from ${file}. Start the sandbox with the same REWARDS_SANDBOX_KEY.`);
  return exitCodes.done;
}

function inWords({ workspaces, snapshots, records }: Counted): string {
  const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `${of(workspaces, 'workspace')}, ${of(snapshots, 'snapshot')}, ${of(records, 'record')}`;
}

async function carriedOut(io: Io, carry: Carry, file: string, flags: BackupFlags): Promise<number> {
  if (carry === exported && (await isThere(file))) {
    say(io, `${file} already exists. Choose another name, or remove it.`);
    return exitCodes.usage;
  }
  let storage: Storage | undefined;
  try {
    const warn = (message: string) => say(io, message);
    const { key } = await keyOf(flags, io.env.REWARDS_SANDBOX_KEY, warn);
    const dataDir = flags.store === undefined ? flags.data : undefined;
    storage = await openStorage(
      { store: flags.store, dataDir, key },
      { address: 'a backup', now: () => performance.now(), machineTime: Date.now },
      warn,
    );
    return await carry(io, storage, new BackupFile(diskFiles, file, new Sealer(key)), file);
  } catch (error) {
    return explain(io, error, file);
  } finally {
    await storage?.close();
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Says in one line why it was not done. */
function explain(io: Io, error: unknown, file: string): number {
  if (error instanceof OptionError) {
    say(io, error.message);
    return exitCodes.usage;
  }
  if (error instanceof StoreError) {
    say(io, error.message);
    if (error.code === 'refused') return exitCodes.usage;
    if (error.code === 'locked') return exitCodes.dataLocked;
    return error.code === 'damaged' || error.code === 'wrong_key' ? exitCodes.dataDamaged : exitCodes.dataUnreadable;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  say(io, `Cannot use ${file}: ${message}`);
  return exitCodes.file;
}

/** Writes all data into a file, or reads it from one. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  let code: number = exitCodes.done;
  const program = backupCommands(version, async (name, file, flags) => {
    code = await carriedOut(io, name === 'export' ? exported : imported, file, flags);
  });
  return (await parse(program, io)) ?? code;
}
