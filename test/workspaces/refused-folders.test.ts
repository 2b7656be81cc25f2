/** What the disk keeps from being made leaves nothing behind, whichever call it refuses (OP-63, OP-64, OP-94). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { filesOpenIn } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { onDisk } from './failing-disk.ts';

/**
 * Has one call after the other below a folder fail while something is made there, and tells what was not as it should
 * be.
 */
async function failEach(make: 'snapshots' | 'workspaces') {
  const dataDir = await temporaryFolder();
  const [{ control }, disk] = await onDisk({ dataDir });
  const wrong: unknown[] = [];
  let refused = 0;
  for (let number = 1; ; number += 1) {
    let calls = 0;
    disk.refuses = ({ path }) => {
      if (path.includes(`/${make}/`)) calls += 1;
      return path.includes(`/${make}/`) && calls === number ? 'EIO' : undefined;
    };
    const { data, response } = await control.POST(`/${make}`, { body: {} });
    const { status } = response;
    if (calls < number) return { wrong, refused };
    // A checkpoint that fails is no reason to refuse: the log holds everything.
    if (data !== undefined) await control.DELETE(`/${make}/{id}`, { params: { path: { id: data.id } } });
    else refused += 1;
    const left = async () => {
      const names = await readdir(join(dataDir, make)).catch(() => []);
      return [...names, ...(await filesOpenIn(dataDir)).filter((path) => path.includes(`/${make}/`))];
    };
    // What is deleted goes once its last call has ended.
    if (data !== undefined) await vi.waitUntil(async () => (await left()).length === 0, { timeout: 10_000 });
    const leftovers = await left();
    if ((data === undefined && status !== 503) || leftovers.length > 0) wrong.push({ number, status, leftovers });
  }
}

it.each(['snapshots', 'workspaces'] as const)(
  'OP-94: one of the %s whose making fails at any call is refused with 503, and leaves no folder and no open file',
  async (make) => {
    const { wrong, refused } = await failEach(make);
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(4);
  },
);
