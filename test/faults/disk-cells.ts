/**
 * Tests a whole sandbox on a disk that fails once. There is one cell for each file system call and each way it can fail (OP-94). Every call
 * must receive a reply. After a restart, the sandbox must have everything it acknowledged and nothing it refused. Memory and disk must
 * agree.
 */
import { readdir } from 'node:fs/promises';
import { expect, inject, it } from 'vitest';
import { FailingOnce, type Way } from '../harness/failing-once.ts';
import { type Call, filesOpenIn } from '../harness/faulty-files.ts';
import { copyOfFolder, fastPlace, temporaryFolder } from '../harness/folders.ts';
import { Cell } from './disk-cell.ts';

/** Returns the problems after the disk failed once, at the `number`-th call that can fail in this way. */
async function problemsAfter(
  way: Way,
  number: number,
): Promise<{ hit: Call | undefined; hasGivenUp: boolean; problems: string[] }> {
  const dataDir = await temporaryFolder(await fastPlace());
  const disk = new FailingOnce(way, number);
  const cell = new Cell(dataDir, disk.files);
  await cell.run();
  const { hit } = disk;
  disk.isWell();
  const hasGivenUp = await cell.orderEverywhere();
  const problems = [...cell.problems];
  const mayGiveUp = hit?.name === 'sync' || hit?.name === 'truncate' || cell.isInDoubt;
  if (hasGivenUp && !mayGiveUp) problems.push('the store gave up without need');
  const copy = await copyOfFolder(dataDir);
  problems.push(...(await cell.reopen(copy)));
  for (const dir of [dataDir, copy]) {
    const open = await filesOpenIn(dir);
    if (open.length > 0) problems.push(`these files were left open: ${open}`);
  }
  problems.push(...(await findLeftovers(copy, cell)));
  return { hit, hasGivenUp, problems };
}

/** Finds drafts, and folders of nonexistent workspaces and snapshots. Nothing would ever remove them. */
async function findLeftovers(dir: string, cell: Cell): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  const { folders } = cell;
  const leftovers = names.filter((name) => {
    const isFolder = /(^|\/)(workspaces|snapshots)\/[^/]+$/.test(name);
    return name.endsWith('.tmp') || (isFolder && !folders.includes(name));
  });
  return leftovers.map((name) => `${name} was left behind`);
}

/** Returns the number of cells, which equals the number of calls in a run without failures. */
async function countCells(way: Way): Promise<number> {
  const disk = new FailingOnce(way, Number.POSITIVE_INFINITY);
  const cell = new Cell(await temporaryFolder(await fastPlace()), disk.files);
  await cell.run();
  await cell.close();
  expect(cell.problems).toEqual([]);
  return disk.calls;
}

/**
 * Tests a sample of evenly spaced cells. Its random offset varies, so that each night tests different cells.
 *
 * @param ways the ways to fail, each of which becomes a test
 * @param most the maximum number of cells per way
 */
export function diskCells(ways: readonly Way[], most: number): void {
  it.each(ways)(
    'OP-94: one disk failure with %s at any call loses nothing acknowledged and keeps nothing refused',
    { timeout: 1_200_000 },
    async (way) => {
      const failures: object[] = [];
      const cells = await countCells(way);
      expect(cells).toBeGreaterThan(most);
      const distance = Math.ceil(cells / most);
      for (let number = 1 + (inject('seed') % distance); number <= cells; number += distance) {
        const { hit, problems } = await problemsAfter(way, number);
        if (problems.length > 0) failures.push({ number, call: [hit?.name, hit?.path], problems });
      }
      expect(failures).toEqual([]);
    },
  );
}
