/** Tests session handles of pages. The stored form of a handle must not open its session (OP-34). */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { placeStream } from '../../sandbox/runtime/ids.ts';
import { Handles, storedAs, workspacePlaceOf } from '../../sandbox/runtime/tokens.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

/** Draws a handle from the start of a random stream. */
function drawHandle(place: string, key: number) {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema, expect.fail);
  return store.transact((tx) => {
    placeStream(tx, { seed: 'handles', drawn: 0 });
    return new Handles(place, new Uint8Array(32).fill(key)).draw(tx);
  });
}

test('OP-34: a session is stored under the digest of its handle, which cannot be reversed', async () => {
  const { handle, id } = await drawHandle('place', 1);
  expect(id).toBe(createHash('sha256').update(handle).digest('hex'));
  expect(storedAs(handle)).toBe(id);
  expect(storedAs(id)).not.toBe(id);
});

test('OP-34: a handle leads to its workspace, and has 256 bits that depend on the key of the workspace', async () => {
  const [one, other] = [await drawHandle('place', 1), await drawHandle('place', 2)];
  expect(workspacePlaceOf(one.handle)).toBe('place');
  expect(one.handle).toMatch(/^place\.[\w-]{43}$/);
  expect(other.handle).not.toBe(one.handle);
});
