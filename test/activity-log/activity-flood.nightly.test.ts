/** Tests that an endless flood of refused calls does not increase memory, disk usage or restart time beyond their limits (OP-57). */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { flood } from '../harness/flood.ts';
import { folderBytes, temporaryFolder } from '../harness/folders.ts';
import { testSandbox } from '../harness/sandbox.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const megabyte = 1024 * 1024;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

it.each([12_000, 36_000])(
  'OP-57: %i refused calls with addresses of 15 KB take bounded memory and disk',
  async (calls) => {
    const dataDir = await temporaryFolder();
    const sandbox = await testSandbox({ dataDir });
    await flood(sandbox.origin, 100, async () => {});
    const before = heap();
    let folder = 0;
    await flood(sandbox.origin, calls, async () => {
      folder = Math.max(folder, await folderBytes(dataDir));
    });
    const grown = heap() - before;
    await sandbox.close();
    const closed = await folderBytes(dataDir);
    const began = performance.now();
    const again = await testSandbox({ dataDir });
    const start = performance.now() - began;
    await again.close();
    expect(grown).toBeLessThan(30 * megabyte);
    // The folder contains two call files, with at most 10,000 calls each, and the document.
    expect(closed).toBeLessThan(34 * megabyte);
    // A checkpoint temporarily doubles the document and its log.
    expect(folder).toBeLessThan(4 * closed);
    expect(start).toBeLessThan(2000);
  },
);
