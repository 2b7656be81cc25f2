import { diskFiles } from '../../sandbox/store/files.ts';
import { type Call, systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';

/** A disk that takes everything until a test says what it refuses. */
export interface Disk {
  /** The code of the error that a call ends with; undefined where it goes well. */
  refuses: (call: Call) => string | undefined;
}

/** A sandbox whose data is on such a disk. What it warns of is the test's own doing. */
export async function onDisk(options: Parameters<typeof testSandbox>[0] = {}): Promise<[TestSandbox, Disk]> {
  const disk: Disk = { refuses: () => undefined };
  const dataDir = await temporaryFolder();
  const files = withFaults(diskFiles, (call) => {
    const code = disk.refuses(call);
    if (code !== undefined) throw systemError(code);
  });
  return [await testSandbox({ dataDir, files, warn: () => {}, ...options }), disk];
}

/** What a full disk refuses: every byte. */
export const full: Disk['refuses'] = ({ name }) => (name === 'write' ? 'ENOSPC' : undefined);

/** Does something while the disk is full. */
export async function whileFull<R>(disk: Disk, run: () => Promise<R>): Promise<R> {
  disk.refuses = full;
  try {
    return await run();
  } finally {
    disk.refuses = () => undefined;
  }
}
