/**
 * A whole sandbox on a disk that fails once: one cell for each call to the file system and each way it can fail
 * (OP-94). Whoever calls is answered; what was acknowledged is there after a restart, what was refused is not, and
 * memory shows what the disk holds.
 */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FailingOnce, type Way } from '../harness/failing-once.ts';
import { type Call, filesOpenIn } from '../harness/faulty-files.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { Cell } from './disk-cell.ts';

/** What is wrong after a disk failed once at the `number`-th call that can fail in this way. */
async function wrongAfter(
  way: Way,
  number: number,
): Promise<{ hit: Call | undefined; gaveUp: boolean; wrong: string[] }> {
  const dataDir = await temporaryFolder();
  const disk = new FailingOnce(way, number);
  const cell = new Cell(dataDir, disk.files);
  await cell.run();
  const { hit } = disk;
  disk.isWell();
  const gaveUp = await cell.goesOn();
  const wrong = [...cell.wrong];
  const needed = hit?.name === 'sync' || hit?.name === 'truncate' || cell.inDoubt;
  if (gaveUp && !needed) wrong.push('the store gave up without need');
  const copy = await copyOfFolder(dataDir);
  wrong.push(...(await cell.reopened(copy)));
  for (const dir of [dataDir, copy]) {
    const open = await filesOpenIn(dir);
    if (open.length > 0) wrong.push(`these files were left open: ${open}`);
  }
  wrong.push(...(await leftIn(copy, cell)));
  return { hit, gaveUp, wrong };
}

/** Drafts, and folders of workspaces and snapshots that are none, which nobody would ever remove. */
async function leftIn(dir: string, cell: Cell): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  const known = cell.folders;
  const strange = names.filter((name) => {
    const isFolder = /(^|\/)(workspaces|snapshots)\/[^/]+$/.test(name);
    return name.endsWith('.tmp') || (isFolder && !known.includes(name));
  });
  return strange.map((name) => `${name} was left behind`);
}

/** How many cells there are: the calls of a run in which nothing fails. */
async function cellsOf(way: Way): Promise<number> {
  const disk = new FailingOnce(way, Number.POSITIVE_INFINITY);
  const cell = new Cell(await temporaryFolder(), disk.files);
  await cell.run();
  await cell.close();
  expect(cell.wrong).toEqual([]);
  return disk.calls;
}

/**
 * Fails every cell, or a sample.
 *
 * @param under the ways to fail
 * @param every only one call in so many
 * @param from the first of them, a test for each
 */
export function diskCells(under: readonly Way[], every: number, from: readonly number[]): void {
  const rows = under.flatMap((way) => from.map((first) => [way, first] as const));
  it.each(rows)(
    `OP-94: the disk fails once with %s, at any call (from the %i., each ${every}.): nothing acknowledged is lost, nothing refused is there`,
    { timeout: 600_000 },
    async (way, first) => {
      const failed: object[] = [];
      const cells = await cellsOf(way);
      expect(cells).toBeGreaterThan(first);
      for (let number = first; number <= cells; number += every) {
        const { hit, wrong } = await wrongAfter(way, number);
        if (wrong.length > 0) failed.push({ number, call: [hit?.name, hit?.path], wrong });
      }
      expect(failed).toEqual([]);
    },
  );
}
