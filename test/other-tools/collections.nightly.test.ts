/** Runs the downloadable collections in the programs that users open them with. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCollections } from './collections.ts';
import { toolsFolder } from './tool.ts';

it.each(callCollections.map((tool) => [tool.name, tool] as const))(
  '%s sends every call of its collection, twice, and fails a run whose secret is wrong',
  async (_, tool) => {
    mkdirSync(toolsFolder, { recursive: true });
    if (!existsSync(join(toolsFolder, tool.file))) await tool.install(toolsFolder);
    const work = mkdtempSync(join(tmpdir(), `${tool.name}-`));
    try {
      expect(await tool.run(toolsFolder, work)).toBe('all calls of its collection, twice; a refused one fails its run');
    } finally {
      rmSync(work, { recursive: true });
    }
  },
);
