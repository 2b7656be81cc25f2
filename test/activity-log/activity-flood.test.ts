/** A short version of the flood of refused calls (OP-57). */
import { expect, it } from 'vitest';
import { flood } from '../harness/flood.ts';
import { folderBytes, temporaryFolder } from '../harness/folders.ts';
import { testSandbox } from '../harness/sandbox.ts';

it('OP-57: a refused call with an address of 15 KB takes 1.75 KB of the data folder at most, its headers included', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir });
  const before = await folderBytes(dataDir);
  await flood(sandbox.origin, 500, async () => {});
  expect((await folderBytes(dataDir)) - before).toBeLessThan(500 * 1792);
});
