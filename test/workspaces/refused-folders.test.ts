/** If the disk refuses any call during a creation, the creation leaves nothing behind (OP-63, OP-64, OP-94). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { filesOpenIn } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok } from '../harness/sandbox.ts';
import { onDisk } from './failing-disk.ts';

/**
 * Creates a snapshot or workspace repeatedly. Each time, the next disk call below its folder fails. Returns the mistakes and the number of
 * refusals.
 */
async function failEach(make: 'snapshots' | 'workspaces') {
  const dataDir = await temporaryFolder();
  const [{ control }, disk] = await onDisk({ dataDir });
  const mistakes: unknown[] = [];
  let refused = 0;
  for (let number = 1; ; number += 1) {
    let calls = 0;
    disk.refuses = ({ path }) => {
      if (path.includes(`/${make}/`)) calls += 1;
      return path.includes(`/${make}/`) && calls === number ? 'EIO' : undefined;
    };
    const { data, response } = await control.POST(`/${make}`, { body: {} });
    const { status } = response;
    if (calls < number) return { mistakes, refused };
    // A failed checkpoint causes no refusal, because the log contains everything.
    if (data !== undefined) await control.DELETE(`/${make}/{id}`, { params: { path: { id: data.id } } });
    else refused += 1;
    const findLeftovers = async () => {
      const names = await readdir(join(dataDir, make)).catch(() => []);
      return [...names, ...(await filesOpenIn(dataDir)).filter((path) => path.includes(`/${make}/`))];
    };
    // A deleted folder is removed when its last call has ended.
    if (data !== undefined) await vi.waitUntil(async () => (await findLeftovers()).length === 0, { timeout: 10_000 });
    const listed = ok(await control.GET('/workspaces'))
      .items.slice(1)
      .map(({ id }) => id);
    const leftovers = [...(await findLeftovers()), ...listed];
    if ((data === undefined && status !== 503) || leftovers.length > 0) mistakes.push({ number, status, leftovers });
  }
}

it.each(['snapshots', 'workspaces'] as const)(
  'OP-94: when a disk call fails while %s are created, the creation is refused with 503 and leaves no folder, open file or entry',
  async (make) => {
    const { mistakes, refused } = await failEach(make);
    expect(mistakes).toEqual([]);
    expect(refused).toBeGreaterThan(4);
  },
);
