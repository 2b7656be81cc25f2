/** The command lines of `export` and `import`: all data of a sandbox into one file, and from it. Their own composition root. */
import { access } from 'node:fs/promises';
import { CommanderError } from 'commander';
import { OptionError } from '../options.ts';
import { letReadersLeave, writeLines } from '../runtime/terminal.ts';
import { BackupFile } from '../store/backup-file.ts';
import { diskFiles } from '../store/files.ts';
import { Sealer } from '../store/seal.ts';
import { StoreError } from '../store/store.ts';
import { version } from '../version.ts';
import { type Counted, exportAll, importAll } from '../workspaces/backup.ts';
import { openStorage } from '../workspaces/open-storage.ts';
import type { Storage } from '../workspaces/storage.ts';
import { type BackupFlags, backupCommands } from './backup-command.ts';
import { keyOf } from './key.ts';

/** What the process ends with: the data's are those of a start. */
const exitCodes = { done: 0, usage: 2, file: 3, dataUnreadable: 4, dataLocked: 5, dataDamaged: 6 } as const;

type Carry = (storage: Storage, backup: BackupFile, file: string) => Promise<number>;

async function exported(storage: Storage, backup: BackupFile, file: string): Promise<number> {
  const { bytes, ...counts } = await exportAll(storage, backup);
  say(`${file}: ${inWords(counts)}, ${bytes} bytes. Keep the key apart from it: without the key nobody can read it.`);
  return exitCodes.done;
}

async function imported(storage: Storage, backup: BackupFile, file: string): Promise<number> {
  const counts = await importAll(storage, backup);
  if (counts === undefined) {
    say(`${file} is not there.`);
    return exitCodes.file;
  }
  say(`${inWords(counts)} from ${file}. Start the sandbox with the same REWARDS_SANDBOX_KEY.`);
  return exitCodes.done;
}

function inWords({ workspaces, snapshots, records }: Counted): string {
  const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `${of(workspaces, 'workspace')}, ${of(snapshots, 'snapshot')}, ${of(records, 'record')}`;
}

async function carriedOut(carry: Carry, file: string, flags: BackupFlags): Promise<number> {
  if (carry === exported && (await isThere(file))) {
    say(`${file} is there already: choose another name, or remove it.`);
    return exitCodes.usage;
  }
  let storage: Storage | undefined;
  try {
    const { key } = await keyOf(flags, process.env.REWARDS_SANDBOX_KEY, say);
    const dataDir = flags.store === undefined ? flags.data : undefined;
    storage = await openStorage(
      { store: flags.store, dataDir, key },
      { address: 'a backup', now: () => performance.now(), machineTime: Date.now },
      say,
    );
    return await carry(storage, new BackupFile(diskFiles, file, new Sealer(key)), file);
  } catch (error) {
    return explain(error, file);
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
function explain(error: unknown, file: string): number {
  if (error instanceof OptionError) {
    say(error.message);
    return exitCodes.usage;
  }
  if (error instanceof StoreError) {
    say(error.message);
    if (error.code === 'refused') return exitCodes.usage;
    if (error.code === 'locked') return exitCodes.dataLocked;
    return error.code === 'damaged' || error.code === 'wrong_key' ? exitCodes.dataDamaged : exitCodes.dataUnreadable;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  say(`${file} cannot be used: ${message}`);
  return exitCodes.file;
}

/** Messages go to stderr: what is written is a file. */
function say(message: string): void {
  writeLines(process.stderr, message);
}

letReadersLeave(process.stdout, process.stderr);
try {
  await backupCommands(version, async (name, file, flags) => {
    process.exitCode = await carriedOut(name === 'export' ? exported : imported, file, flags);
  }).parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
