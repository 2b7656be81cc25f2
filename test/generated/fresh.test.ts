import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('what is generated is what the contracts say now', { timeout: 120_000 }, () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['tools/generate/generate.ts', '--check'];
  const { status, stderr } = spawnSync(execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^\d+ files from 14 contracts, 0 changed$/m),
  });
});
