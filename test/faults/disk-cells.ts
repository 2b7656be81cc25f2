/**
 * A whole sandbox on a disk that fails once: one cell for each call to the file system and each way it can fail
 * (OP-94). Every call gets a reply. After a restart the sandbox has everything it acknowledged and nothing it refused, and
 * memory and disk agree.
 */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FailingOnce, type Way } from '../harness/failing-once.ts';
import { type Call, filesOpenIn } from '../harness/faulty-files.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { Cell } from './disk-cell.ts';

/** The problems after a disk failed once, at the `number`-th call that can fail in this way. */
async function problemsAfter(
  way: Way,
  number: number,
): Promise<{ hit: Call | undefined; hasGivenUp: boolean; problems: string[] }> {
  const dataDir = await temporaryFolder();
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

/** Drafts, and folders of workspaces and snapshots that do not exist, which nothing would ever remove. */
async function findLeftovers(dir: string, cell: Cell): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  const { folders } = cell;
  const leftovers = names.filter((name) => {
    const isFolder = /(^|\/)(workspaces|snapshots)\/[^/]+$/.test(name);
    return name.endsWith('.tmp') || (isFolder && !folders.includes(name));
  });
  return leftovers.map((name) => `${name} was left behind`);
}

/** The number of cells, which is the number of calls of a run in which nothing fails. */
async function countCells(way: Way): Promise<number> {
  const disk = new FailingOnce(way, Number.POSITIVE_INFINITY);
  const cell = new Cell(await temporaryFolder(), disk.files);
  await cell.run();
  await cell.close();
  expect(cell.problems).toEqual([]);
  return disk.calls;
}

/**
 * Fails every cell, or a sample.
 *
 * @param under the ways to fail
 * @param every the distance between two of the calls that fail
 * @param from the first call that fails; each makes a test
 */
export function diskCells(under: readonly Way[], every: number, from: readonly number[]): void {
  const rows = under.flatMap((way) => from.map((first) => [way, first] as const));
  it.each(rows)(
    `OP-94: one disk failure with %s at any call (from call %i, every ${every}) loses nothing acknowledged and keeps nothing refused`,
    { timeout: 600_000 },
    async (way, first) => {
      const failures: object[] = [];
      const cells = await countCells(way);
      expect(cells).toBeGreaterThan(first);
      for (let number = first; number <= cells; number += every) {
        const { hit, problems } = await problemsAfter(way, number);
        if (problems.length > 0) failures.push({ number, call: [hit?.name, hit?.path], problems });
      }
      expect(failures).toEqual([]);
    },
  );
}
