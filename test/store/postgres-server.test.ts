import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { assertEnterable } from '../harness/postgres-server.ts';

it('a test that would start PostgreSQL as a user who cannot enter a folder fails immediately, and names the folder', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'programs'));
  await chmod(folder, 0o700);
  await expect(assertEnterable(join(folder, 'programs'))).rejects.toThrow(`other users cannot enter ${folder}. Run`);
  await chmod(folder, 0o711);
  await expect(assertEnterable(join(folder, 'programs'))).resolves.toBeUndefined();
});
