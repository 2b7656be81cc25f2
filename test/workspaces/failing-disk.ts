import { diskFiles } from '../../sandbox/store/files.ts';
import { type Call, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';

/** A disk that accepts every call until a test sets a refusal. */
export interface Disk {
  /** Returns the error code of a call, or `undefined` if the call succeeds. */
  refuses: (call: Call) => string | undefined;
}

/** Starts a sandbox that stores its data on such a disk. Its warnings are discarded, because the test causes them. */
export async function onDisk(options: Parameters<typeof testSandbox>[0] = {}): Promise<[TestSandbox, Disk]> {
  const disk: Disk = { refuses: () => undefined };
  const dataDir = await temporaryFolder();
  const files = withFaults(diskFiles, (call) => {
    const code = disk.refuses(call);
    if (code !== undefined) throw systemError(code);
  });
  return [await testSandbox({ dataDir, files, warn: () => {}, ...options }), disk];
}

/** Simulates a full disk, which refuses every write. */
export const full: Disk['refuses'] = ({ name }) => (name === 'write' ? 'ENOSPC' : undefined);

/** Runs a function while the disk is full. */
export async function whileFull<R>(disk: Disk, run: () => Promise<R>): Promise<R> {
  disk.refuses = full;
  try {
    return await run();
  } finally {
    disk.refuses = () => undefined;
  }
}
